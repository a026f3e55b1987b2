import { InternalError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import { describeStep, type Schedule } from '../schedule/schedule.ts';

/** A schedule that uses what is not there, or leaves something behind. Carries the step at fault. */
export class ScheduleError extends InternalError {
  readonly step: number;

  constructor(message: string, step: number) {
    super(message);
    this.step = step;
  }
}

/** Position of a replay in a schedule, for errors there. */
export class Place {
  step = 0;
  readonly #graph: Graph;
  readonly #schedule: Schedule;

  constructor(graph: Graph, schedule: Schedule) {
    this.#graph = graph;
    this.#schedule = schedule;
  }

  refuse(reason: string): never {
    const what = describeStep(this.#graph, this.#schedule, this.step);
    throw new ScheduleError(`step ${this.step} (${what}): ${reason}`, this.step);
  }

  incomplete(reason: string): never {
    throw new ScheduleError(`the schedule is not complete: ${reason}`, this.step);
  }
}
