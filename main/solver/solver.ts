import type { EventOf, InputOf, ResultOf } from '../../app/contract/calls.ts';
import type { TableRequest } from '../../app/contract/tables.ts';
import { type SolverCall, type SolverCalls, solverCalls } from '../../app/contract/solver-calls.ts';
import { CancelledError } from '../../engine/errors.ts';
import { STRATEGIES } from '../../engine/strategies/registry.ts';
import type { Control } from '../../engine/strategies/strategy/strategy.ts';
import { EventChannel } from '../host/event-channel.ts';
import { serviceOf } from '../host/service-of.ts';
import type { SolverService } from '../host/services.ts';
import { solverAnswers } from './answers.ts';
import { FileNetworks } from './file-networks.ts';
import { SolverMemory } from './memory.ts';

/** Answers solver calls in the calling thread. Keeps graphs, plans and files between calls. */
export class Solver {
  readonly #files: FileNetworks;
  readonly #memory: SolverMemory;
  #milpLoaded: Promise<void> | null = null;

  constructor(files = new FileNetworks(), memory = new SolverMemory(files)) {
    this.#files = files;
    this.#memory = memory;
  }

  /** @throws BadInputError for an invalid request, InfeasibleError, CancelledError through control */
  async answer<Name extends SolverCall>(
    name: Name,
    input: InputOf<SolverCalls[Name]>,
    control: Control,
    emit: (event: EventOf<SolverCalls[Name]>) => void,
  ): Promise<ResultOf<SolverCalls[Name]>> {
    const { strategy = '', strategies = [] } = (input ?? {}) as Naming;
    // The request for the table of all strategies names none.
    const runsAll = name === 'table' && (input as TableRequest).name === 'capabilities';
    if (runsAll || [strategy, ...strategies].some(needsMilpSolver)) await this.#loadMilp();
    return solverAnswers[name](input, { memory: this.#memory, files: this.#files, control, emit });
  }

  /** HiGHS is megabytes of WebAssembly. If it cannot be loaded, the strategies that need it say so. */
  #loadMilp(): Promise<void> {
    this.#milpLoaded ??= import('../../app/bridges/highs.ts')
      .then(({ createHighsSolver }) => createHighsSolver())
      .then(
        (solver) => this.#memory.equip(solver),
        () => undefined,
      );
    return this.#milpLoaded;
  }
}

/** False for unknown names, which the handler rejects. */
const needsMilpSolver = (name: string): boolean =>
  STRATEGIES.some((strategy) => strategy.name === name && strategy.needsMilpSolver);

/** Names of the strategies in a call, if any. */
interface Naming {
  readonly strategy?: string;
  readonly strategies?: readonly string[];
}

/**
 * The solver without its own thread, for the command line and tests: a stream's events come all at once, after the
 * call. To receive them live, pass a function to `answer` of `Solver`.
 */
export function localSolver(solver = new Solver()): SolverService {
  const calls = serviceOf(solverCalls, async function* (name, input, signal) {
    const tick = (): void => {
      if (signal?.aborted) throw new CancelledError();
    };
    tick();
    const events = new EventChannel<EventOf<SolverCalls[typeof name]>>();
    const answered = solver.answer(name, input, { tick }, (event) => events.push(event));
    answered.then(
      () => events.end(),
      (error: unknown) => events.fail(error),
    );
    yield* events;
    return answered;
  });
  return { ...calls, close: async () => undefined };
}
