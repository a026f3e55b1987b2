import { describe, expect, it } from 'vitest';
import type { Schedule } from '../../../engine/schedule/schedule.ts';
import { ScheduleError, simulate } from '../../../engine/simulate/simulate.ts';
import type { Problem } from '../../../engine/strategies/strategy.ts';
import { draws } from '../../support/draws.ts';
import { randomProblems } from '../../support/problems.ts';
import { mutated, randomSchedule, withHeldGradients } from '../../support/random-schedules.ts';
import { referenceSimulate } from '../../support/reference-simulator.ts';
import { createRng } from '../../support/rng.ts';

/** Live bytes and the step at fault, as engine/simulate sees them. */
function judged({ graph, memory }: Problem, schedule: Schedule): { live: number[]; fault: number } {
  try {
    return { live: [...simulate(graph, memory, schedule).live], fault: -1 };
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    const atEnd = error.message.startsWith('the schedule is not complete');
    return { live: [], fault: atEnd ? schedule.kinds.length : error.step };
  }
}

describe('simulate against the slow reference', () => {
  it('counts the same bytes at every step of random schedules', () => {
    const rng = createRng(1);
    for (const [name, problem] of randomProblems(1500, 11)) {
      const schedule = randomSchedule(rng, problem);
      const reference = referenceSimulate(problem.graph, problem.memory, schedule);
      expect(reference.fault, name).toBe(-1);
      expect(judged(problem, schedule), name).toEqual(reference);
    }
  });

  it('[M12] [M13] and where gradients are held', () => {
    const rng = createRng(3);
    for (const [name, problem] of randomProblems(1500, 13)) {
      const schedule = withHeldGradients(rng, problem, randomSchedule(rng, problem));
      const reference = referenceSimulate(problem.graph, problem.memory, schedule);
      expect(reference.fault, name).toBe(-1);
      expect(judged(problem, schedule), name).toEqual(reference);
    }
  });

  it('gives the same verdict on damaged schedules', () => {
    const rng = createRng(2);
    let accepted = 0;
    let refused = 0;
    for (const [name, problem] of randomProblems(4000, 12, 8)) {
      const sound = randomSchedule(rng, problem);
      const schedule = mutated(rng, problem, withHeldGradients(rng, problem, sound));
      const reference = referenceSimulate(problem.graph, problem.memory, schedule);
      const verdict = judged(problem, schedule);
      expect(verdict.fault, name).toBe(reference.fault);
      if (reference.fault === -1) {
        accepted++;
        expect(verdict.live, name).toEqual(reference.live);
      } else refused++;
    }
    // Both verdicts have to be common, else the test tests one of them only.
    expect(accepted).toBeGreaterThan(draws(300));
    expect(refused).toBeGreaterThan(draws(1000));
  });
});
