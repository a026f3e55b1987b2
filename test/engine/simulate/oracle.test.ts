import { describe, expect, it } from 'vitest';
import { hasTransfers, type Schedule } from '../../../engine/schedule/schedule.ts';
import { ScheduleError, simulate, simulateTotals } from '../../../engine/simulate/simulate.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { fewest } from '../../support/draws.ts';
import { randomProblems, asCaptured } from '../../support/problems.ts';
import { mutated, randomSchedule, withHeldGradients, withTransfers } from '../../support/random-schedules.ts';
import { referenceSimulate } from '../../support/reference-simulator.ts';
import { chance, createRng } from '../../support/rng.ts';

/** Live bytes, bytes in host memory and the step at fault, as engine/simulate sees them. */
function judged(
  { graph, memory }: Problem,
  schedule: Schedule,
): { live: number[]; host: number[]; fault: number } {
  try {
    const { live, host } = simulate(graph, memory, schedule);
    return { live: [...live], host: [...(host?.bytes ?? live.map(() => 0))], fault: -1 };
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    const atEnd = error.message.startsWith('the schedule is not complete');
    return { live: [], host: [], fault: atEnd ? schedule.kinds.length : error.step };
  }
}

describe('simulate against the slow reference', () => {
  it('counts the same bytes at every step of random schedules', () => {
    const rng = createRng(1);
    for (const [name, plain] of randomProblems(1500, 11)) {
      const problem = chance(rng, 0.5) ? plain : asCaptured(rng, plain);
      const schedule = randomSchedule(rng, problem);
      const reference = referenceSimulate(problem.graph, problem.memory, schedule);
      expect(reference.fault, name).toBe(-1);
      expect(judged(problem, schedule), name).toEqual(reference);
    }
  });

  it('[M12] [M13] and where gradients are held', () => {
    const rng = createRng(3);
    for (const [name, plain] of randomProblems(1500, 13)) {
      const problem = chance(rng, 0.5) ? plain : asCaptured(rng, plain);
      const schedule = withHeldGradients(rng, problem, randomSchedule(rng, problem));
      const reference = referenceSimulate(problem.graph, problem.memory, schedule);
      expect(reference.fault, name).toBe(-1);
      expect(judged(problem, schedule), name).toEqual(reference);
    }
  });

  it('[M18] [M19] [M20] and where activations go to host memory and back', () => {
    const rng = createRng(5);
    let offloading = 0;
    for (const [name, problem] of randomProblems(1500, 17)) {
      const held = withHeldGradients(rng, problem, randomSchedule(rng, problem));
      const schedule = withTransfers(rng, problem, held);
      const reference = referenceSimulate(problem.graph, problem.memory, schedule);
      expect(reference.fault, name).toBe(-1);
      expect(judged(problem, schedule), name).toEqual(reference);
      const timeline = simulate(problem.graph, problem.memory, schedule);
      const { live, checkpoints, recomputed, gradients, auxiliaries, ...totals } = timeline;
      expect(simulateTotals(problem.graph, problem.memory, schedule), name).toEqual(totals);
      const { host } = totals;
      expect(host === undefined, name).toBe(!hasTransfers(schedule));
      if (host === undefined) continue;
      offloading++;
      expect(host.peakBytes, name).toBe(Math.max(...reference.host));
      expect(host.fetchedBytes, name).toBeGreaterThanOrEqual(host.sentBytes);
    }
    expect(offloading).toBeGreaterThan(fewest(700));
  });

  it('gives the same verdict on damaged schedules', () => {
    const rng = createRng(2);
    let accepted = 0;
    let refused = 0;
    for (const [name, plain] of randomProblems(4000, 12, 8)) {
      const problem = chance(rng, 0.5) ? plain : asCaptured(rng, plain);
      const sound = randomSchedule(rng, problem);
      const whole = withTransfers(rng, problem, withHeldGradients(rng, problem, sound));
      const schedule = mutated(rng, problem, whole);
      const reference = referenceSimulate(problem.graph, problem.memory, schedule);
      const verdict = judged(problem, schedule);
      expect(verdict.fault, name).toBe(reference.fault);
      if (reference.fault === -1) {
        accepted++;
        expect(verdict.live, name).toEqual(reference.live);
      } else refused++;
    }
    // Both verdicts have to be common, else the test tests one of them only.
    expect(accepted).toBeGreaterThan(fewest(300));
    expect(refused).toBeGreaterThan(fewest(1000));
  });
});
