import { describe, expect, it } from 'vitest';
import type { Explanation } from '../../../../../engine/explain/explanation.ts';
import {
  curvesData,
  explainedRows,
  measuredPlot,
  phasesTable,
  sayPhases,
} from '../../../../../renderer/screens/compare/measured/measured-plot.ts';

const MIB = 2 ** 20;
const phase = (name: Explanation['phases'][number]['phase'], predicted: number[], allocated: number[]) => ({
  phase: name,
  predictedBytes: predicted.length === 0 ? null : Math.max(...predicted),
  measuredBytes: allocated.length === 0 ? null : Math.max(...allocated),
  predicted,
  allocated,
  reserved: allocated.map((bytes) => bytes + MIB),
});
const FOUND: Explanation = {
  phases: [
    phase('forward', [MIB, 2 * MIB], [MIB, 3 * MIB, 2 * MIB]),
    phase('backward', [4 * MIB], [5 * MIB, MIB]),
    phase('optimizer', [2 * MIB], []),
  ],
  bars: [
    { name: 'theory', bytes: 2 * MIB, from: 0, by: 'theory' },
    { name: 'activations', bytes: -MIB, from: 2 * MIB, by: 'predicted' },
    { name: 'copies', bytes: 0, from: MIB, by: 'predicted' },
    { name: 'unexplained', bytes: 5 * MIB, from: MIB, by: 'left' },
  ],
  measuredBytes: 6 * MIB,
  peaks: {
    predicted: { bytes: 4 * MIB, phase: 'backward' },
    measured: { bytes: 5 * MIB, phase: 'backward' },
  },
  notes: [],
};
const pointsOf = (plot: ReturnType<typeof measuredPlot>, id: string) =>
  plot.curves.find((curve) => curve.id === id)?.points ?? [];

describe('predicted and measured, phase over phase', () => {
  it('stretches each phase over its own part of the axis', () => {
    const plot = measuredPlot(FOUND, 'red');
    expect(pointsOf(plot, 'measured')).toEqual([
      { x: 0, y: MIB },
      { x: 1 / 3, y: 3 * MIB },
      { x: 2 / 3, y: 2 * MIB },
      { x: 1, y: 2 * MIB },
      { x: 1, y: 5 * MIB },
      { x: 1.5, y: MIB },
      { x: 2, y: MIB },
    ]);
    expect(pointsOf(plot, 'predicted').at(-1)).toEqual({ x: 2.4, y: 2 * MIB });
    expect(plot.borders).toEqual([1, 2]);
    expect(plot.x.ticks.map(plot.x.format)).toEqual(['Forward', 'Backward', 'Optimizer’s step']);
    expect(plot.peaks.map(({ id, x, y }) => [id, x, y])).toEqual([
      ['measured', 1, 5 * MIB],
      ['predicted', 1, 4 * MIB],
    ]);
    expect(plot.y.top).toBeGreaterThan(6 * MIB);
    expect(plot.level).toBeNull();
  });

  it('lays a recording without phases over the whole axis', () => {
    const [forward, backward] = FOUND.phases;
    const phases = [
      { ...forward!, allocated: [], reserved: [] },
      { ...backward!, allocated: [], reserved: [] },
      phase('unknown', [], [MIB, 7 * MIB]),
    ];
    const plot = measuredPlot({ ...FOUND, phases }, 'red');
    expect(pointsOf(plot, 'measured').map(({ x }) => x)).toEqual([0, 1, 2]);
    expect([plot.x.ticks, plot.borders]).toEqual([[], []]);
  });

  it('draws a level if only a peak was measured', () => {
    const phases = FOUND.phases.map((one) => ({ ...one, allocated: [], reserved: [] }));
    const plot = measuredPlot({ ...FOUND, phases }, 'red');
    expect(plot.curves.map(({ id }) => id)).toEqual(['predicted']);
    expect(plot.level?.y).toBe(5 * MIB);
  });

  it('never hides unexplained bytes, and leaves out empty parts', () => {
    const rows = explainedRows(FOUND, 'Reserved at the peak');
    expect(rows.map(({ id, isOpen = false }) => [id, isOpen])).toEqual([
      ['theory', false],
      ['activations', false],
      ['unexplained', true],
      ['total', false],
    ]);
    const bars = FOUND.bars.map((bar) => (bar.name === 'unexplained' ? { ...bar, bytes: 0 } : bar));
    expect(explainedRows({ ...FOUND, bars }, '').map(({ id }) => id)).toContain('unexplained');
  });

  it('has everything in tables too', () => {
    expect(sayPhases(FOUND)).toMatch(/^forward 3\.00\sMiB \(\+50\s%\), backward 5\.00\sMiB \(\+25\s%\)$/);
    expect(phasesTable(FOUND, '').rows[2]).toEqual(['Optimizer’s step', 2 * MIB, null]);
    expect(curvesData(FOUND, '').rows).toHaveLength(2 + 3 + 3 + 1 + 2 + 2 + 1);
  });
});
