import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOLDER_KINDS, type Lifetimes } from '../../../engine/simulate/lifetime-log.ts';
import { simulate, tensorLifetimes, type Timeline } from '../../../engine/simulate/simulate.ts';
import { draws } from '../../support/draws.ts';
import { randomProblems } from '../../support/problems.ts';
import { randomSchedule, withHeldGradients } from '../../support/random-schedules.ts';
import { createRng } from '../../support/rng.ts';

/** Bytes of each holder at each step, added up from the tensors. */
function sums({ vertices, holders, bytes, first, last }: Lifetimes, steps: number): number[][] {
  const byHolder = HOLDER_KINDS.map(() => new Array<number>(steps).fill(0));
  for (let i = 0; i < vertices.length; i++) {
    const series = byHolder[holders[i]!]!;
    for (let t = first[i]!; t <= last[i]!; t++) series[t]! += bytes[i]!;
  }
  return byHolder;
}

function curves(timeline: Timeline): number[][] {
  const { source, checkpoints, recomputed, gradients, auxiliaries } = timeline;
  const input = Array.from(timeline.live, () => source);
  return [input, [...checkpoints], [...recomputed], [...gradients], [...auxiliaries]];
}

describe('tensor lifetimes', () => {
  it('[M1] [M5] add up to the live bytes of every holder at every step of random schedules', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const rng = createRng(seed);
        for (const [name, problem] of randomProblems(3, seed, 14)) {
          const { graph, memory } = problem;
          const schedule = withHeldGradients(rng, problem, randomSchedule(rng, problem));
          const timeline = simulate(graph, memory, schedule);
          const lifetimes = tensorLifetimes(graph, memory, schedule);
          expect(sums(lifetimes, timeline.live.length), name).toEqual(curves(timeline));
        }
      }),
      { numRuns: draws(300) },
    );
  });

  it('name the value that is in a storage: an in-place operation takes it over', () => {
    for (const [, problem] of randomProblems(300, 5, 14)) {
      const { graph, memory } = problem;
      const taker = memory.takesOver.findIndex((u) => u > 0);
      if (taker < 0) continue;
      const taken = memory.takesOver[taker]!;
      const { vertices, holders, first, last } = tensorLifetimes(
        graph,
        memory,
        randomSchedule(createRng(5), problem),
      );
      const spans = (vertex: number) =>
        [...vertices.keys()]
          .filter((i) => vertices[i] === vertex && holders[i]! <= 2)
          .map((i) => [first[i]!, last[i]!]);
      for (const [begin] of spans(taker)) {
        expect(spans(taken).some(([, end]) => end === begin! - 1)).toBe(true);
      }
    }
  });
});
