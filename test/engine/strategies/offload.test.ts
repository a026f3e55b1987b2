import { describe, expect, it } from 'vitest';
import { lowerBound } from '../../../engine/bounds/lower-bound.ts';
import { deviceOf, speedOf } from '../../../engine/devices/devices.ts';
import { BadInputError } from '../../../engine/errors.ts';
import type { LinkedDevice } from '../../../engine/offload/link.ts';
import { stepTimes } from '../../../engine/offload/step-times.ts';
import { createProblem } from '../../../engine/problem.ts';
import { BACKWARD, FORWARD, hasTransfers, type Schedule } from '../../../engine/schedule/schedule.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { budget as budgetStrategy } from '../../../engine/strategies/budget/budget.ts';
import { chooseGaps, leastReach, RULES } from '../../../engine/strategies/offload/choose.ts';
import { computingOf } from '../../../engine/strategies/offload/idle-gaps.ts';
import { offload } from '../../../engine/strategies/offload/offload.ts';
import { saveOnCpu } from '../../../engine/strategies/offload/save-on-cpu.ts';
import { withTransfers } from '../../../engine/strategies/offload/transfers.ts';
import { regularFigures, regularSchedule } from '../../../engine/strategies/regular.ts';
import {
  NO_CONTROL,
  type Problem,
  type StrategyOptions,
} from '../../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { ARE_MANY, fewest } from '../../support/draws.ts';
import { leastPlacing, leastSeconds } from '../../support/exhaustive-offload.ts';
import { measuredProblem, measuredProblems } from '../../support/measured-graphs.ts';
import { randomProblems } from '../../support/problems.ts';
import { randomSchedule } from '../../support/random-schedules.ts';
import { between, createRng, pick, type Rng } from '../../support/rng.ts';
import { drawn } from '../../support/schedule-text.ts';
import { orNull, planOf } from '../../support/plans.ts';

const hasFlops = ({ graph }: Problem): boolean => graph.flops.some((flops) => flops > 0);

/** Slow and fast links, with and without overlap, on a device of a FLOP a second. */
const someDevice = (rng: Rng): LinkedDevice => ({
  speed: { flopsPerSecond: 1, secondsPerOperation: pick(rng, [0, 0.5]) },
  link: { bytesPerSecond: pick(rng, [0.3, 1, 4, 50]), overlaps: rng.next() < 0.7 },
});

/** Between the least that any schedule needs and what regular training takes. */
function someBudget(rng: Rng, problem: Problem): number {
  const low = lowerBound(problem).bytes;
  const high = regularFigures(problem).peakBytes;
  return Math.max(1, Math.floor(low + (high - low) * rng.next()));
}

/** Null where no plan known is within the budget. */
function scheduleOf(
  strategy: typeof offload,
  problem: Problem,
  options: Omit<StrategyOptions, 'seed'>,
): Schedule | null {
  return orNull(() => planOf(strategy, problem, { seed: 0, ...options }).schedule);
}

const CHAIN = measuredProblem([
  { bytes: 1, flops: 0, inputs: [] },
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((v) => ({ bytes: 10, flops: 4, inputs: [v - 1] })),
]);
const linked = (bytesPerSecond: number, overlaps = true): LinkedDevice => ({
  speed: { flopsPerSecond: 1, secondsPerOperation: 0 },
  link: { bytesPerSecond, overlaps },
});

describe('idle gaps and transfers', () => {
  it('[B1] [M18] [M19] bring whatever steps within every budget down to the least that the gaps allow, computing the same', () => {
    const rng = createRng(31);
    let offloading = 0;
    const problems = [...measuredProblems(700, 41), ...randomProblems(300, 42)];
    for (const [name, problem] of problems) {
      const { graph, memory } = problem;
      const computing = computingOf(problem, randomSchedule(rng, problem));
      const reach = leastReach(computing);
      const high = computing.live.reduce((a, b) => Math.max(a, b), 0);
      const budget = rng.next() < 0.2 ? reach : between(rng, Math.floor(reach / 2), high);
      for (const rule of RULES) {
        const chosen = chooseGaps(computing, budget, rule);
        expect(chosen === null, name).toBe(budget < reach);
        if (chosen === null) continue;
        const schedule = withTransfers(problem, computing, chosen, budget);
        const timeline = simulate(graph, memory, schedule);
        expect(timeline.peakBytes, name).toBeLessThanOrEqual(Math.max(budget, timeline.source));
        // [B1] holds of transfers too.
        expect(timeline.peakBytes, name).toBeGreaterThanOrEqual(lowerBound(problem).bytes);
        expect(timeline.host?.sentBytes ?? 0, name).toBeLessThanOrEqual(
          chosen.reduce((sum, { bytes }) => sum + bytes, 0),
        );
        if (hasTransfers(schedule)) offloading++;
        // Views apart, which are recomputed, what is computed is what was.
        const computed = (all: Schedule): number[] =>
          [...all.vertices].filter(
            (v, t) => all.kinds[t] === BACKWARD || (all.kinds[t] === FORWARD && memory.viewOf[v] === -1),
          );
        expect(computed(schedule), name).toEqual(computed(computing.compute));
      }
    }
    expect(offloading).toBeGreaterThan(fewest(700));
  });

  it('leave alone what has room throughout', () => {
    const computing = computingOf(CHAIN, regularSchedule(CHAIN));
    const high = regularFigures(CHAIN).peakBytes;
    expect(computing.gaps.length).toBeGreaterThan(2);
    expect(hasTransfers(withTransfers(CHAIN, computing, computing.gaps, high))).toBe(false);
    const tight = withTransfers(CHAIN, computing, computing.gaps, leastReach(computing));
    expect(simulate(CHAIN.graph, CHAIN.memory, tight).host?.sentBytes).toBe(60);
  });

  it('[O5] place copies nearly as well as the best of all places', () => {
    const rng = createRng(5);
    let tried = 0;
    let best = 0;
    for (const [name, problem] of measuredProblems(400, 43, { least: 4, most: 7 })) {
      if (!hasFlops(problem)) continue;
      const computing = computingOf(problem, regularSchedule(problem));
      const budget = someBudget(rng, problem);
      const chosen = chooseGaps(computing, budget, 'needed-last');
      const vertices = new Set(chosen?.map(({ vertex }) => vertex));
      if (chosen === null || chosen.length === 0 || chosen.length > 2 || vertices.size < chosen.length)
        continue;
      const device = someDevice(rng);
      const { graph, memory } = problem;
      const { seconds } = stepTimes(graph, memory, withTransfers(problem, computing, chosen, budget), device);
      // Copies of the same step are made in the order given.
      const [least = 0] = [chosen, chosen.toReversed()]
        .map((gaps) => leastPlacing(problem, computing, gaps, budget, device))
        .sort((a, b) => a - b);
      expect(seconds, name).toBeGreaterThanOrEqual(least - 1e-9);
      expect(seconds, name).toBeLessThanOrEqual(1.5 * least);
      tried++;
      if (seconds <= least * (1 + 1e-9)) best++;
    }
    expect(tried).toBeGreaterThan(fewest(40));
    if (ARE_MANY) expect(best / tried).toBeGreaterThan(0.9);
  });
});

describe('offload', () => {
  it('fits the budget and takes no longer than budget, nor than transfers alone, by the same clock', () => {
    const rng = createRng(9);
    let offloading = 0;
    const problems = [...measuredProblems(70, 51), ...randomProblems(50, 52, 16)];
    for (const [name, problem] of problems) {
      if (!hasFlops(problem)) continue;
      const { graph, memory } = problem;
      const device = someDevice(rng);
      const budgetBytes = someBudget(rng, problem);
      const seconds = (schedule: Schedule): number => stepTimes(graph, memory, schedule, device).seconds;
      const own = scheduleOf(offload, problem, { budgetBytes, link: device });
      const recomputed = scheduleOf(budgetStrategy, problem, { budgetBytes });
      const computing = computingOf(problem, regularSchedule(problem));
      if (own === null) {
        expect(recomputed, name).toBeNull();
        expect(leastReach(computing), name).toBeGreaterThan(budgetBytes);
        continue;
      }
      const timeline = simulate(graph, memory, own);
      expect(timeline.peakBytes, name).toBeLessThanOrEqual(budgetBytes);
      expect(timeline.peakBytes, name).toBeGreaterThanOrEqual(lowerBound(problem).bytes);
      const most = seconds(own) * (1 - 1e-8);
      if (recomputed !== null) expect(seconds(recomputed), name).toBeGreaterThanOrEqual(most);
      for (const rule of RULES) {
        const chosen = chooseGaps(computing, budgetBytes, rule);
        if (chosen === null) continue;
        const sent = withTransfers(problem, computing, chosen, budgetBytes);
        expect(seconds(sent), name).toBeGreaterThanOrEqual(most);
      }
      if (hasTransfers(own)) offloading++;
    }
    expect(offloading).toBeGreaterThan(fewest(15));
  });

  it('is nearly always the best of all choices to keep, recompute or send each tensor', () => {
    const rng = createRng(13);
    const ratios: number[] = [];
    for (const [name, problem] of measuredProblems(80, 53, { least: 4, most: 6 })) {
      if (!hasFlops(problem)) continue;
      const device = someDevice(rng);
      const budgetBytes = someBudget(rng, problem);
      const own = scheduleOf(offload, problem, { budgetBytes, link: device });
      const least = leastSeconds(problem, budgetBytes, device);
      // A budget that no such encoding fits may be met in another order, or by a third forward.
      if (own === null) expect(least, name).toBe(Number.POSITIVE_INFINITY);
      if (own === null || least === Number.POSITIVE_INFINITY || least === 0) continue;
      ratios.push(stepTimes(problem.graph, problem.memory, own, device).seconds / least);
    }
    expect(ratios.length).toBeGreaterThan(fewest(20));
    const best = ratios.filter((ratio) => ratio <= 1 + 1e-9).length;
    if (ARE_MANY) expect(best / ratios.length).toBeGreaterThan(0.9);
    expect(Math.max(...ratios)).toBeLessThan(1.3);
  });

  it('recomputes where the link is slow, sends where it is fast, and does both in between', () => {
    const peak = regularFigures(CHAIN).peakBytes;
    const figures = (bytesPerSecond: number) => {
      const schedule = scheduleOf(offload, CHAIN, { budgetBytes: peak - 20, link: linked(bytesPerSecond) });
      const { recomputeWork, host } = simulate(CHAIN.graph, CHAIN.memory, schedule!);
      return [recomputeWork, host?.sentBytes ?? 0];
    };
    expect(figures(0.01)).toEqual([8, 0]);
    expect(figures(100)).toEqual([0, 20]);
    // A copy of 10 bytes hides behind what is computed meanwhile, a second one does not.
    expect(figures(0.6)).toEqual([4, 10]);
  });

  it('meets budgets that no recompute known meets', () => {
    const none = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };
    // To recompute v2, which v3 alone reads, v1 has to be there beside the gradient of v3.
    const problem = measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 40, flops: 1, inputs: [0], keeps: none },
      { bytes: 4, flops: 1, inputs: [1], keeps: none },
      { bytes: 40, flops: 1, inputs: [2], keeps: { ...none, inputs: [0] } },
      { bytes: 8, flops: 1, inputs: [3], keeps: none },
    ]);
    expect(scheduleOf(budgetStrategy, problem, { budgetBytes: 52 })).toBeNull();
    const schedule = scheduleOf(offload, problem, { budgetBytes: 49, link: linked(1) });
    expect(drawn(schedule!, 'SR')).toBe('S2 R2');
    expect(scheduleOf(offload, problem, { budgetBytes: 48, link: linked(1) })).toBeNull();
  });

  it('is the same again, and says what a limit left out', () => {
    const problem = createProblem(buildModel('resnet18', { batch: 8 }), 'pytorch');
    const budgetBytes = Math.floor(0.5 * regularFigures(problem).peakBytes);
    const link: LinkedDevice = {
      speed: speedOf(deviceOf('rtx-2080-ti')!),
      link: { bytesPerSecond: 12e9, overlaps: true },
    };
    const plan = (timeLimitSeconds: number) =>
      offload.plan(problem, { seed: 0, budgetBytes, link, timeLimitSeconds }, NO_CONTROL);
    expect(plan(10)).toEqual(plan(10));
    const short = plan(0.05);
    expect(short).toMatchObject({ applicable: true, stopped: { by: 'work', limitSeconds: 0.05 } });
    const peakOf = (made: ReturnType<typeof plan>): number =>
      made.applicable ? simulate(problem.graph, problem.memory, made.schedule).peakBytes : Infinity;
    expect(peakOf(short)).toBeLessThanOrEqual(budgetBytes);
  });

  it('sends all that backward needs where save-on-cpu is asked for', () => {
    const rng = createRng(3);
    let sending = 0;
    for (const [name, problem] of [...measuredProblems(150, 61), ...randomProblems(90, 62)]) {
      const { graph, memory } = problem;
      const plan = planOf(saveOnCpu, problem, { seed: 0, link: someDevice(rng) });
      const { host, peakBytes, recomputeWork } = simulate(graph, memory, plan.schedule);
      expect(peakBytes, name).toBeLessThanOrEqual(regularFigures(problem).peakBytes);
      if (hasFlops(problem) && [...memory.viewOf].every((u) => u < 0)) expect(recomputeWork, name).toBe(0);
      if (host !== undefined) sending++;
    }
    expect(sending).toBeGreaterThan(fewest(100));
    expect(saveOnCpu.plan(CHAIN, { seed: 0 }, NO_CONTROL)).toMatchObject({ reason: /link to host memory/ });
    const all = saveOnCpu.plan(CHAIN, { seed: 0, link: linked(1) }, NO_CONTROL);
    const drawing = all.applicable ? drawn(all.schedule, 'FBSR') : '';
    // v7 and v8 are read again at once.
    const forward = 'F1 F2 S1 F3 S2 F4 S3 F5 S4 F6 S5 F7 S6 F8';
    expect(drawing).toBe(`${forward} B8 R6 B7 R5 B6 R4 B5 R3 B4 R2 B3 R1 B2 B1`);
  });

  it('says in a sentence what it cannot do without, and what no transfers reach', () => {
    const reason = (options: Omit<StrategyOptions, 'seed'>, problem = CHAIN): unknown =>
      offload.plan(problem, { seed: 0, ...options }, NO_CONTROL);
    const link = linked(1);
    expect(reason({ budgetBytes: 50 })).toMatchObject({ applicable: false, reason: /link to host memory/ });
    expect(reason({ link })).toMatchObject({ applicable: false, reason: /needs a budget/ });
    const bytesAlone = measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 1, flops: 0, inputs: [0] },
    ]);
    expect(reason({ budgetBytes: 50, link }, bytesAlone)).toMatchObject({ reason: /has no FLOPs/ });
    for (const bytesPerSecond of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => reason({ budgetBytes: 50, link: linked(bytesPerSecond) })).toThrow(BadInputError);
    }
    const slow = { ...link, speed: { flopsPerSecond: 0, secondsPerOperation: 0 } };
    expect(() => reason({ budgetBytes: 50, link: slow })).toThrow(/FLOPs per second, got 0/);
    const odd = { ...link, speed: { flopsPerSecond: 1, secondsPerOperation: -1 } };
    expect(() => reason({ budgetBytes: 50, link: odd })).toThrow(/0 or more, got -1/);
    const least = leastReach(computingOf(CHAIN, regularSchedule(CHAIN)));
    expect(() => reason({ budgetBytes: least - 1, link })).toThrow(
      new RegExp(`no known schedule fits .*, even with transfers: the least reachable is ${least}`),
    );
    expect(reason({ budgetBytes: least, link })).toMatchObject({ applicable: true });
  });
});
