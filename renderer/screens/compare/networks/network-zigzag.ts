import { type Axis, byteAxis, linearAxis } from '../../../shared/charts/axis.ts';
import type { ChartTable } from '../../../shared/charts/csv.ts';
import type { CurveDrawing } from '../../../shared/charts/StepChart.tsx';
import type { Mark } from '../../../shared/charts/StepNotes.tsx';
import { placeOf } from '../../../shared/charts/step-axis.ts';
import { stepCurve, stepExtent } from '../../../shared/charts/step-curves.ts';
import type { StepExtent } from '../../../shared/charts/step-window.ts';
import { stepTicks, type Tick } from '../../../shared/charts/step-ticks.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatPercent } from '../../../shared/format/numbers.ts';
import type { SizedTimeline } from '../../../state/comparison/sized-timeline.ts';
import { colorOf } from '../../../state/strategies/identity.ts';
import type { NetworkRow } from '../../../state/comparison/networks-matrix.ts';

/** Bytes, or the share of what regular training of the same network needs at its peak. */
export type ZigzagUnit = 'bytes' | 'share';

/** One strategy has one colour, so networks differ by their dashes, in the order of the table. */
const DASHES = [undefined, '8 3', '2 3', '9 3 2 3', '12 3', '4 4', '1.5 4', '6 2 2 2 2 2'] as const;

export const dashOf = (at: number): string | undefined => DASHES[at % DASHES.length];

export interface NetworkZigzag {
  readonly extent: StepExtent;
  readonly ticks: readonly Tick[];
  readonly axis: Axis & { readonly unit: string };
  readonly curves: readonly CurveDrawing[];
  readonly marks: readonly Mark[];
}

interface Drawn {
  readonly id: string;
  readonly at: number;
  readonly title: string;
  readonly isFront: boolean;
  readonly color: string;
  readonly sized: SizedTimeline;
  readonly unit: number;
}

export function drawnNetworks(networks: readonly NetworkRow[], strategy: string, unit: ZigzagUnit): Drawn[] {
  return networks.flatMap(({ place, title, rows, regularBytes }, at) => {
    const row = rows.find(({ identity }) => identity.name === strategy);
    if (row?.sized == null || !regularBytes) return [];
    return [
      {
        id: `${place} ${title}`,
        at,
        title,
        isFront: place === 0,
        color: colorOf(row.identity),
        sized: row.sized,
        unit: unit === 'bytes' ? 1 : regularBytes,
      },
    ];
  });
}

/** The zigzag of one strategy on every network, both passes aligned; the network in front is drawn last. */
export function networkZigzag(drawn: readonly Drawn[], unit: ZigzagUnit): NetworkZigzag {
  const extent = stepExtent(
    drawn.map(({ sized }) => sized.axis),
    'pass',
  );
  const ordered = [...drawn].sort((a, b) => Number(a.isFront) - Number(b.isFront));
  const top = Math.max(0, ...drawn.map((one) => one.sized.peakBytes / one.unit));
  return {
    extent,
    ticks: stepTicks(extent),
    axis: unit === 'bytes' ? byteAxis(top) : shareAxis(top),
    curves: ordered.map(({ id, at, sized, color, isFront, unit: size }) => ({
      id,
      points: stepCurve(sized.live, sized.axis, 'pass').map(({ x, y }) => ({ x, y: y / size })),
      color,
      dash: dashOf(at),
      width: isFront ? 2.5 : 1.5,
    })),
    marks: [...ordered].reverse().map(({ id, title, sized, color, unit: size }) => ({
      id,
      x: placeOf(sized.axis, sized.axis.positions[sized.peakStep] ?? 0, 'pass'),
      y: sized.peakBytes / size,
      text: `${title} ${unit === 'bytes' ? formatBytes(sized.peakBytes) : formatPercent(sized.peakBytes / size)}`,
      color,
    })),
  };
}

const shareAxis = (most: number): NetworkZigzag['axis'] => ({
  ...linearAxis(0, Math.max(1, most), { unit: 0.01 }),
  unit: '%',
});

export function networkZigzagTable(drawn: readonly Drawn[], caption: string): ChartTable {
  return {
    caption,
    columns: ['Network', 'Peak', 'Axis value'],
    rows: drawn.map(({ title, sized, unit }) => [
      title,
      formatBytes(sized.peakBytes),
      unit === 1 ? formatBytes(sized.peakBytes) : formatPercent(sized.peakBytes / unit),
    ]),
  };
}

export function networkZigzagData(networks: readonly NetworkRow[], strategy: string): ChartTable {
  return {
    caption: `Live bytes of ${strategy} after every step`,
    columns: ['network', 'step', 'live_bytes', 'share_of_regular_peak'],
    rows: networks.flatMap(({ single, rows, regularBytes }) => {
      const live =
        rows.find(({ identity }) => identity.name === strategy)?.sized?.live ?? new Float64Array(0);
      return Array.from(live, (bytes, step) => [
        single.model,
        step,
        bytes,
        regularBytes ? bytes / regularBytes : null,
      ]);
    }),
  };
}
