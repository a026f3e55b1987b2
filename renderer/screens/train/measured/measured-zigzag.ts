import type { Run } from '../../../state/runs/run.ts';
import { byteAxis } from '../../../shared/charts/axis.ts';
import type { ChartTable } from '../../../shared/charts/csv.ts';
import type { Band, CurveDrawing, StepDrawing } from '../../../shared/charts/StepChart.tsx';
import type { Mark } from '../../../shared/charts/StepNotes.tsx';
import { placeOf, stepAt, type StepScale } from '../../../shared/charts/step-axis.ts';
import { stepCurve, type StepFrame } from '../../../shared/charts/step-curves.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatPercent } from '../../../shared/format/numbers.ts';
import { holderBands } from '../../../state/comparison/holder-bands.ts';
import type { SizedTimeline } from '../../../state/comparison/sized-timeline.ts';
import { NAIVE_DASH, type RunLook, TWIN_DASH } from '../state/run-look.ts';

/** Pictures kept of one curve: the whole and the part in view, before and after a change of either. */
const MOST = 4;

/**
 * Remembers what was drawn of an object in a frame. While a run sends its steps, twelve pictures a second
 * differ in one curve only; the others keep their identity, and React draws them no more.
 *
 * @returns what `make` made for the same object, frame and look
 */
function drawnBefore<T>(): (owner: object, frame: StepFrame, look: string, make: () => T) => T {
  const known = new WeakMap<object, Map<string, T>>();
  return (owner, { scale, window, columns }, look, make) => {
    const drawings = known.get(owner) ?? new Map<string, T>();
    known.set(owner, drawings);
    const key = [scale, window.from, window.to, columns, look].join(' ');
    const previous = drawings.get(key);
    if (previous !== undefined) return previous;
    const next = make();
    drawings.set(key, next);
    const [oldest] = drawings.keys();
    if (drawings.size > MOST && oldest !== undefined) drawings.delete(oldest);
    return next;
  };
}

export type BegunLook = RunLook & { readonly run: Begun };

type Begun = Run & { readonly predicted: SizedTimeline };

const PREDICTED_WIDTH = 1;
const MEASURED_WIDTH = 2;

export const hasBegun = (run: Run): run is Begun => run.predicted !== null;

export const begunLooks = (looks: readonly RunLook[]): BegunLook[] =>
  looks.filter((look): look is BegunLook => hasBegun(look.run));

const curvesBefore = drawnBefore<CurveDrawing>();
const bandsBefore = drawnBefore<readonly Band[]>();

/**
 * Predicted curves thin, measured ones solid on top in the same colour: where they coincide only one
 * line is seen, and that is the proof. What a picture shares with the previous one keeps its identity.
 *
 * @param looks the one in front last
 */
export function measuredZigzag(looks: readonly RunLook[], frame: StepFrame): StepDrawing {
  const begun = begunLooks(looks);
  const front = begun.at(-1);
  const tallest = Math.max(
    0,
    ...begun.map(({ run }) => Math.max(run.predicted.peakBytes, run.measuredPeakBytes ?? 0)),
  );
  return {
    bytes: byteAxis(tallest),
    bands: front === undefined ? [] : bandsOf(front.run.predicted, frame),
    curves: begun.flatMap((look) => [predictedCurve(look, frame), measuredCurve(look, frame)]),
    marks: front === undefined ? [] : marksOf(front, frame.scale),
  };
}

function bandsOf(sized: SizedTimeline, frame: StepFrame): readonly Band[] {
  return bandsBefore(sized, frame, '', () => holderBands(sized, frame));
}

function predictedCurve({ run, color }: BegunLook, frame: StepFrame): CurveDrawing {
  const { predicted, id } = run;
  return curvesBefore(predicted, frame, `${id} ${color}`, () => ({
    id: `predicted-${id}`,
    points: stepCurve(predicted.live, predicted.axis, frame),
    color,
    width: PREDICTED_WIDTH,
  }));
}

function measuredCurve({ run, color, dash }: BegunLook, frame: StepFrame): CurveDrawing {
  // Measured lines are solid, but for one that another would hide.
  const own = dash === TWIN_DASH || dash === NAIVE_DASH ? dash : undefined;
  return curvesBefore(run, frame, `${color} ${own}`, () => ({
    id: `measured-${run.id}`,
    points: stepCurve(run.measured, run.predicted.axis, frame),
    color,
    dash: own,
    width: MEASURED_WIDTH,
  }));
}

function marksOf({ run, color }: BegunLook, scale: StepScale): Mark[] {
  const { axis, peakStep } = run.predicted;
  const at = (step: number): number => placeOf(axis, axis.positions[step] ?? 0, scale);
  const marks: Mark[] = [];
  if (run.measured.length > peakStep) {
    const bytes = run.measured[peakStep] ?? 0;
    marks.push({ id: 'peak', x: at(peakStep), y: bytes, text: `${formatBytes(bytes)} measured`, color });
  }
  if (run.outcome === 'running' && run.position > 0) {
    const step = run.position - 1;
    marks.push({ id: 'now', x: at(step), y: run.measured[step] ?? 0, text: '', color });
  }
  return marks;
}

export interface StepComparison {
  readonly id: string;
  readonly step: number;
  readonly predicted: number;
  /** `null` where the run has not been yet. */
  readonly measured: number | null;
}

export function compareAt(run: Begun, place: number, scale: StepScale): StepComparison {
  const { predicted, start, measured } = run;
  const step = stepAt(predicted.axis, place, scale);
  return {
    id: start?.ids[predicted.timeline.vertices[step] ?? 0] ?? '',
    step,
    predicted: predicted.live[step] ?? 0,
    measured: measured[step] ?? null,
  };
}

export function measuredTable(looks: readonly RunLook[], caption: string): ChartTable {
  const begun = begunLooks(looks);
  const places = Array.from({ length: 17 }, (_, i) => i / 8);
  return {
    caption,
    columns: [
      'Share of the training step',
      ...begun.flatMap(({ name, run }) => [
        `${name} predicted (run ${run.id})`,
        `${name} measured (run ${run.id})`,
      ]),
    ],
    rows: places.map((place) => [
      place < 1 ? `forward ${formatPercent(place)}` : `backward ${formatPercent(place - 1)}`,
      ...begun.flatMap(({ run }) => {
        const at = compareAt(run, place, 'pass');
        return [formatBytes(at.predicted), at.measured === null ? null : formatBytes(at.measured)];
      }),
    ]),
  };
}

export function measuredData(looks: readonly RunLook[], kinds: readonly string[]): ChartTable {
  return {
    caption: 'Predicted and measured bytes after every step',
    columns: ['run', 'strategy', 'step', 'kind', 'operation', 'predicted_bytes', 'measured_bytes'],
    rows: begunLooks(looks).flatMap(({ run }) =>
      Array.from(run.predicted.live, (bytes, step) => [
        run.id,
        run.request.strategy,
        step,
        kinds[run.predicted.timeline.kinds[step] ?? 0] ?? '',
        run.start?.ids[run.predicted.timeline.vertices[step] ?? 0] ?? '',
        bytes,
        run.measured[step] ?? null,
      ]),
    ),
  };
}
