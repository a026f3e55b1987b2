import { describe, expect, it } from 'vitest';
import { needsOf } from '../../../../engine/ops/memory-model.ts';
import { multiLevelSchedule, type NestedSegment } from '../../../../engine/schedule/multi-level.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { NestedSearch } from '../../../../engine/strategies/budget/nested-search.ts';
import { solveRow } from '../../../../engine/strategies/solve.ts';
import type { LiveModel } from '../../../../engine/strategies/search/live-model.ts';
import type { Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { modelOf, workChain } from '../../../support/live-models.ts';
import { ended, unlimited } from '../../../support/search-limits.ts';
import { measuredGraph, measuredProblem } from '../../../support/measured-graphs.ts';
import { randomProblems } from '../../../support/problems.ts';
import { between, createRng } from '../../../support/rng.ts';

interface Figures {
  readonly peak: number;
  readonly work: number;
}

/** Peak as the simulator says, and the forward work of a nesting that recomputes whole segments. */
function judged({ graph, memory }: Problem, model: LiveModel, root: NestedSegment): Figures {
  const schedule = multiLevelSchedule(graph, memory, model.order, root);
  return { peak: simulate(graph, memory, schedule).peakBytes, work: workOf(model, root) };
}

function workOf(model: LiveModel, { from, to, cut, repeatedRecompute }: NestedSegment): number {
  const { graph, memory } = model;
  const each = graph.flops.some((flops) => flops > 0) ? graph.flops : graph.bytes;
  const upTo = (p: number): number => each.slice(from + 1, p + 1).reduce((sum, one) => sum + one, 0);
  if (cut !== null) return upTo(cut.after.from) + workOf(model, cut.after) + workOf(model, cut.before);
  if (!repeatedRecompute) return upTo(to);
  let again = 0;
  for (let p = from + 1; p <= to; p++)
    if (memory.auxBytes[p]! > 0 || needsOf(memory, p).some((u) => u > from && memory.outputBytes[u]! > 0))
      again += upTo(p);
  return Math.max(upTo(to), again);
}

function* nestings(from: number, to: number): Generator<NestedSegment> {
  yield { from, to, cut: null, repeatedRecompute: false };
  yield { from, to, cut: null, repeatedRecompute: true };
  for (let at = from + 1; at < to; at++)
    for (const after of nestings(at, to))
      for (const before of nestings(from, at))
        yield { from, to, cut: { after, before }, repeatedRecompute: false };
}

function frontOf(all: readonly Figures[]): Figures[] {
  return all
    .filter(
      (one) =>
        !all.some(
          (other) =>
            other.peak <= one.peak &&
            other.work <= one.work &&
            (other.peak < one.peak || other.work < one.work),
        ),
    )
    .map(({ peak, work }) => ({ peak, work }))
    .sort((a, b) => b.peak - a.peak)
    .filter((one, i, list) => one.peak !== list[i - 1]?.peak);
}

function cutsOf({ cut }: NestedSegment): number[] {
  return cut === null ? [] : [cut.after.from, ...cutsOf(cut.after), ...cutsOf(cut.before)];
}

function pointsOf(problem: Problem): { points: readonly (NestedSegment & Figures)[]; model: LiveModel } {
  const model = modelOf(problem);
  return { model, points: new NestedSearch(model).points(unlimited(), () => undefined) };
}

describe('NestedSearch', () => {
  it('has the best of all nestings of a chain, with the peaks that the simulator has', () => {
    const rng = createRng(105);
    for (let i = 0; i < 40; i++) {
      const size = between(rng, 3, 6);
      const draw = (): number[] => Array.from({ length: size }, () => between(rng, 1, 9));
      const problem = workChain(draw(), i % 2 === 0 ? draw() : []);
      const { model, points } = pointsOf(problem);
      const all = [...nestings(0, size - 1)].map((root) => judged(problem, model, root));
      expect(points.map(({ peak, work }) => ({ peak: peak + model.bytes[0]!, work }))).toEqual(frontOf(all));
    }
  });

  it('has nearly always the best of all nestings of any graph, with the peaks that the simulator has', () => {
    const rng = createRng(106);
    let same = 0;
    let points = 0;
    let best = 0;
    let graphs = 0;
    for (let i = 0; i < 60; i++) {
      const problem = measuredProblem(measuredGraph(rng, { vertices: between(rng, 3, 6) }));
      const found = pointsOf(problem);
      const said = found.points.map(({ peak, work }) => ({ peak: peak + found.model.bytes[0]!, work }));
      for (const [k, point] of found.points.entries()) {
        const { peak, work } = judged(problem, found.model, point);
        expect(said[k]!.work).toBe(work);
        points++;
        if (said[k]!.peak === peak) same++;
      }
      // A cut does not fall between an operation in place and its input.
      if (problem.memory.takesOver.some((u) => u >= 0)) continue;
      graphs++;
      const all = [...nestings(0, problem.graph.size - 1)].map((root) => judged(problem, found.model, root));
      if (JSON.stringify(frontOf(all)) === JSON.stringify(said)) best++;
    }
    expect(same / points).toBeGreaterThan(0.9);
    expect(best / graphs).toBeGreaterThan(0.85);
  });

  it('peaks no higher than it says on networks either, down to storing nothing', () => {
    for (const [name, problem] of randomProblems(300, 83, 16)) {
      const { points, model } = pointsOf(problem);
      const peaks = points.map((point) => {
        const { peak } = judged(problem, model, point);
        // Batch statistics are not recomputed and stay; they are small.
        expect(peak, name).toBeLessThanOrEqual(point.peak + model.bytes[0]! + 1024);
        return peak;
      });
      const least = solveRow(problem, 'memory-poor', { seed: 1 }).peakBytes ?? 0;
      expect(Math.min(...peaks), name).toBeLessThanOrEqual(1.5 * least);
    }
  });

  it('cuts nowhere between an operation in place and its input', () => {
    const keeps = { inputs: [], output: true, auxBytes: 0, fixedAuxBytes: 0 };
    const cutsWhere = (alias?: 'inplace'): Set<number> => {
      const problem = measuredProblem(
        Array.from({ length: 8 }, (_, v) => ({
          bytes: v === 0 ? 1 : 20,
          flops: v === 0 ? 0 : 1,
          inputs: v === 0 ? [] : [v - 1],
          keeps: { ...keeps, output: v !== 3 },
          ...(v === 4 && alias !== undefined ? { alias } : {}),
        })),
      );
      expect(problem.memory.takesOver[4]).toBe(alias === undefined ? -1 : 3);
      return new Set(pointsOf(problem).points.flatMap(cutsOf));
    };
    expect(cutsWhere().has(3)).toBe(true);
    expect(cutsWhere('inplace').has(3)).toBe(false);
    expect(cutsWhere('inplace').size).toBeGreaterThan(0);
  });

  it('keeps both ends of a long list of trade-offs and an even choice between them', () => {
    const size = 40;
    const rng = createRng(107);
    const draw = (): number[] => Array.from({ length: size }, () => between(rng, 100, 999));
    const problem = workChain(draw(), draw());
    const { points, model } = pointsOf(problem);
    expect(points).toHaveLength(32);
    const all = points.map(({ peak, work }) => ({ peak, work }));
    expect(all).toEqual(frontOf(all));
    const figures = (root: NestedSegment): Figures => judged(problem, model, root);
    expect(figures(points[0]!)).toEqual(
      figures({ from: 0, to: size - 1, cut: null, repeatedRecompute: false }),
    );
    const nothing = figures({ from: 0, to: size - 1, cut: null, repeatedRecompute: true });
    expect(figures(points.at(-1)!).peak).toBe(nothing.peak);
    // Not the steepest part alone: a third of the way down the list the peak is half.
    expect(points[10]!.peak).toBeGreaterThan(points[0]!.peak / 2);
    expect(points[20]!.peak).toBeLessThan(points[0]!.peak / 3);
  });

  it('cuts a long chain at positions that little crosses', () => {
    // Beyond 56 positions only the narrowest of each stretch are cut at by the outer level.
    const bytes = Array.from({ length: 400 }, (_, v) => (v % 7 === 3 ? 1 : 50));
    const problem = workChain(bytes, new Array<number>(400).fill(1));
    const { points, model } = pointsOf(problem);
    for (const point of points)
      expect(judged(problem, model, point)).toEqual({ peak: point.peak + 50, work: point.work });
    const coarse = points.filter(({ peak }) => peak > 5000);
    expect(coarse.length).toBeGreaterThan(10);
    for (const point of coarse) for (const at of cutsOf(point)) expect(at % 7).toBe(3);
    // With one level of segments it takes 1,000 bytes to do as little.
    expect(points.some(({ peak, work }) => peak <= 370 && work <= 3 * 399)).toBe(true);
    expect(points.some(({ peak, work }) => peak <= 220 && work <= 5 * 399)).toBe(true);
  });

  it('tells how far it is, and has nothing where it may not go on', () => {
    const model = modelOf(workChain(new Array(200).fill(1), []));
    const shares: number[] = [];
    new NestedSearch(model).points(unlimited(), (done) => void shares.push(done));
    expect(shares[0]).toBe(0);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)!).toBeLessThanOrEqual(1);
    expect(shares.at(-1)!).toBeGreaterThan(0.9);
    const search = ended();
    expect(new NestedSearch(model).points(search, () => undefined)).toEqual([]);
    expect(search.ending.stopped?.unfinished).toEqual([{ what: 'nested', tried: 0, of: 1 }]);
  });
});
