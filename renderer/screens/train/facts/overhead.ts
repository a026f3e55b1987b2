import { LEAST_ITERATIONS, overheadAgainst } from '../../../state/runs/measured.ts';
import type { Run } from '../../../state/runs/run.ts';
import { formatChange, formatCount } from '../../../shared/format/numbers.ts';
import { sameSize } from '../state/visible-runs.ts';

/** One way to tell the time overhead: a share of 1, with its middle half where there is a spread. */
export interface OverheadLine {
  readonly name: string;
  readonly share: number | null;
  readonly quartiles: readonly [number, number] | null;
  readonly measured: boolean;
  readonly note: string;
}

export function overheadLines(run: Run, runs: readonly Run[]): OverheadLine[] {
  const { start, overhead } = run;
  if (start === null || run.request.strategy === 'regular') return [];
  // Copy times are unknown before they are measured.
  const besides = start.timeline.host === undefined ? '' : '; copies to host memory are not included';
  const byTimes = overhead?.predictedMeasuredCosts ?? start.predictedOverheadMeasuredCosts;
  return [
    {
      name: 'By FLOPs',
      share: overhead?.predicted ?? start.predictedOverhead,
      quartiles: null,
      measured: false,
      note: `Predicted: recomputed FLOPs divided by those of a whole training step${besides}`,
    },
    ...(byTimes === undefined
      ? []
      : [
          {
            name: 'By device times',
            share: byTimes,
            quartiles: null,
            measured: false,
            note: `Predicted with the measured time of every operation on this device instead of FLOPs${besides}`,
          },
        ]),
    measuredLine(run, runs),
  ];
}

function measuredLine(run: Run, runs: readonly Run[]): OverheadLine {
  const { overhead } = run;
  const name = 'Measured';
  if (overhead !== null) {
    const { measured, quartiles, pairs, planned } = overhead;
    const count = pairs < planned ? `${formatCount(pairs)} of ${formatCount(planned)}` : formatCount(pairs);
    const [low, high] = quartiles;
    const note = `Median of ${count} pairs with regular training; the middle half from ${formatChange(low)} to ${formatChange(high)}`;
    return { name, share: measured, quartiles, measured: true, note };
  }
  const share = againstRegular(run, runs);
  return {
    name,
    share,
    quartiles: null,
    measured: true,
    note:
      share === null
        ? 'Requires pairs, or a regular run of the same size on the same backend'
        : 'Medians of this run and of the latest regular run; pairs cancel the drift of the machine',
  };
}

/** Against the latest regular run of the same size on the same backend. */
export function againstRegular(run: Run, runs: readonly Run[]): number | null {
  if (run.request.strategy === 'regular' || run.iterationMs.length < LEAST_ITERATIONS) return null;
  const regular = runs.find(
    (other) =>
      other.request.strategy === 'regular' &&
      other.iterationMs.length >= LEAST_ITERATIONS &&
      other.start?.backend === run.start?.backend &&
      sameSize(other, run),
  );
  return overheadAgainst(regular, run);
}
