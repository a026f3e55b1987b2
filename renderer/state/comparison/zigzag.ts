import { formatBytes } from '../../shared/format/bytes.ts';
import { formatPercent } from '../../shared/format/numbers.ts';
import { FETCH, SEND } from '../../../engine/schedule/schedule.ts';
import { bytesPer } from '../../../engine/bytes.ts';
import { type ByteAxis, byteAxis, linearAxis } from '../../shared/charts/axis.ts';
import type { ChartTable } from '../../shared/charts/csv.ts';
import type { CurveDrawing, StepDrawing } from '../../shared/charts/StepChart.tsx';
import type { StepEvent } from '../../shared/charts/event-arrows.ts';
import type { ByteLimit, Mark } from '../../shared/charts/StepNotes.tsx';
import { placeOf, type StepScale, stepAt } from '../../shared/charts/step-axis.ts';
import { type StepFrame, stepCurve } from '../../shared/charts/step-curves.ts';
import { holderBands } from './holder-bands.ts';
import { colorOf } from '../strategies/identity.ts';
import type { StrategyRow } from './rows.ts';
import {
  type DeviceHolder,
  HOLDERS,
  holdersAt,
  holdersOf,
  hostBytes,
  hostBytesAt,
  type SizedTimeline,
} from './sized-timeline.ts';

type Drawn = StrategyRow & { readonly sized: SizedTimeline };

export const drawnRows = (rows: readonly StrategyRow[]): Drawn[] =>
  rows.filter((row): row is Drawn => row.sized !== null);

/** A device's limit this close above the curves is worth the room that it takes. */
const NEAR_LIMIT = 1.25;

export function zigzag(
  rows: readonly StrategyRow[],
  front: string | null,
  ids: readonly string[],
  frame: StepFrame,
  limit?: ByteLimit,
  isFolded = false,
): StepDrawing {
  const drawn = drawnRows(rows);
  // The one in front is drawn last, over the others, and its peak is labelled first.
  const ordered = [...drawn].sort(
    (a, b) => Number(a.identity.name === front) - Number(b.identity.name === front),
  );
  const leader = ordered.at(-1);
  const peak = Math.max(0, ...drawn.map((row) => row.sized.peakBytes));
  const host = leader === undefined || front === null ? null : hostBytes(leader.sized);
  const most = Math.max(peak, host?.reduce((most, bytes) => Math.max(most, bytes), 0) ?? 0);
  const isNear = limit !== undefined && limit.bytes <= peak * NEAR_LIMIT;
  const base = isFolded ? (leader?.sized.device?.constantBytes ?? 0) : 0;
  const bands = leader === undefined || front === null ? [] : holderBands(leader.sized, frame);
  return {
    bytes: axisAbove(base, isNear ? Math.max(most, limit.bytes) : most),
    curves: [
      ...(leader === undefined || host === null ? [] : [hostCurve(leader.sized, host, frame)]),
      ...ordered.map((row) => curveOf(row, row.identity.name === front, frame)),
    ],
    events: leader === undefined || host === null ? undefined : transfersIn(leader.sized, frame),
    bands: base > 0 ? bands.filter(({ id }) => id !== 'constant') : bands,
    marks: [...ordered].reverse().map((row) => markOf(row, row.identity.name === front, ids, frame.scale)),
    limit,
  };
}

/** The axis from what is folded away on: its figures stay the device's whole memory. */
function axisAbove(base: number, most: number): ByteAxis {
  const whole = byteAxis(most);
  if (base <= 0 || base >= most) return whole;
  const { unit } = whole;
  const { top } = linearAxis(base, most, { unit: bytesPer(unit) });
  const above = linearAxis(base, top, { unit: bytesPer(unit), exact: true });
  return { ...above, unit, range: { low: base, top, isLog: false } };
}

/** Less than this share of the axis for everything but the constant part leaves no curve to read. */
const FLAT = 0.2;

/** True where the constant part squashes all curves. */
export const isFlat = (rows: readonly StrategyRow[]): boolean => {
  const drawn = drawnRows(rows);
  const constant = drawn[0]?.sized.device?.constantBytes ?? 0;
  const peak = Math.max(0, ...drawn.map(({ sized }) => sized.peakBytes));
  return peak - constant < FLAT * peak;
};

/** Pictures kept of a curve: the whole and the part in view, in front and behind. */
const MAX_KEPT = 4;
const pictures = new WeakMap<SizedTimeline, Map<string, CurveDrawing>>();

/** Curves that stay as they are keep their identity, so that a drag draws one of them. */
function curveOf(row: Drawn, isFront: boolean, frame: StepFrame): CurveDrawing {
  const { scale, window, columns } = frame;
  const key = [row.identity.name, isFront, scale, window.from, window.to, columns].join(' ');
  const kept = pictures.get(row.sized) ?? new Map<string, CurveDrawing>();
  pictures.set(row.sized, kept);
  const curve = kept.get(key) ?? drawnCurve(row, isFront, frame);
  kept.delete(key);
  kept.set(key, curve);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  return curve;
}

function drawnCurve(row: Drawn, isFront: boolean, frame: StepFrame): CurveDrawing {
  const { identity, sized } = row;
  return {
    id: identity.name,
    points: stepCurve(sized.live, sized.axis, frame),
    color: colorOf(identity),
    dash: identity.dash,
    width: identity.width + (isFront ? 0.5 : 0),
  };
}

/** Host memory of the plan in front: a thin line in nobody's colour. */
export const HOST_LINE = { color: 'var(--zz-muted)', dash: '2 2' };

function hostCurve(sized: SizedTimeline, host: Float64Array, frame: StepFrame): CurveDrawing {
  return { id: 'host', points: stepCurve(host, sized.axis, frame), ...HOST_LINE, width: 1 };
}

/** Sends and fetches of the plan in front, as far as they are in view. Time O(steps). */
function transfersIn({ timeline, axis, live }: SizedTimeline, { scale, window }: StepFrame): StepEvent[] {
  const events: StepEvent[] = [];
  timeline.kinds.forEach((kind, step) => {
    if (kind !== SEND && kind !== FETCH) return;
    const x = placeOf(axis, axis.positions[step] ?? 0, scale);
    if (x >= window.from && x <= window.to) events.push({ x, y: live[step] ?? 0, leaves: kind === SEND });
  });
  return events;
}

function markOf(row: Drawn, isFront: boolean, ids: readonly string[], scale: StepScale): Mark {
  const { identity, sized } = row;
  const { peakStep, peakBytes, timeline, axis } = sized;
  const tensor = ids[timeline.vertices[peakStep] ?? 0] ?? '';
  const bytes = formatBytes(peakBytes);
  const at = instantAt(sized, peakStep) ?? tensor;
  return {
    id: identity.name,
    x: placeOf(axis, axis.positions[peakStep] ?? 0, scale),
    y: peakBytes,
    text: isFront ? `${bytes} at ${at}` : bytes,
    color: colorOf(identity),
  };
}

/** The instant shown at a step in place of the step itself; null where it shows its own. */
export function instantAt({ device }: SizedTimeline, step: number): string | null {
  if (device?.loss.step === step) return 'the loss';
  return device?.optimizer.step === step ? 'the optimizer’s step' : null;
}

export function bytesAt(rows: readonly StrategyRow[], place: number, scale: StepScale): Map<string, number> {
  return new Map(
    drawnRows(rows).map(({ identity, sized }) => [
      identity.name,
      sized.live[stepAt(sized.axis, place, scale)] ?? 0,
    ]),
  );
}

/** The chart in a few numbers, for a screen reader: quarters of both passes. */
export function zigzagTable(rows: readonly StrategyRow[], caption: string): ChartTable {
  const drawn = drawnRows(rows);
  const places = Array.from({ length: 17 }, (_, i) => i / 8);
  const name = (place: number): string =>
    place < 1 ? `forward ${formatPercent(place)}` : `backward ${formatPercent(place - 1)}`;
  return {
    caption,
    columns: ['Share of the training step', ...drawn.map((row) => row.identity.title)],
    rows: [
      ['peak', ...drawn.map((row) => formatBytes(row.sized.peakBytes))],
      ...places.map((place) => [
        name(place),
        ...[...bytesAt(drawn, place, 'pass').values()].map((bytes) => formatBytes(bytes)),
      ]),
    ],
  };
}

export function zigzagData(
  rows: readonly StrategyRow[],
  ids: readonly string[],
  kinds: readonly string[],
): ChartTable {
  const drawn = drawnRows(rows);
  const holders = drawn[0] === undefined ? HOLDERS : holdersOf(drawn[0].sized);
  const isWhole = drawn.some(({ sized }) => sized.device !== undefined);
  return {
    caption: isWhole ? 'Bytes on the device at every step' : 'Live bytes of activations at every step',
    columns: [
      'strategy',
      'step',
      'kind',
      'operation',
      isWhole ? 'device_bytes' : 'live_bytes',
      ...holders.map((holder) => `${holder}_bytes`),
      'host_bytes',
    ],
    rows: drawn.flatMap(({ identity, sized }) =>
      Array.from(sized.live, (bytes, step) => [
        identity.name,
        step,
        kinds[sized.timeline.kinds[step] ?? 0] ?? '',
        ids[sized.timeline.vertices[step] ?? 0] ?? '',
        bytes,
        ...holdersBy(holders, sized, step),
        hostBytesAt(sized, step),
      ]),
    ),
  };
}

function holdersBy(holders: readonly DeviceHolder[], sized: SizedTimeline, step: number): number[] {
  const bytes = holdersAt(sized, step);
  return holders.map((holder) => bytes[holder]);
}
