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

/** Answers the solver's calls in the thread that asks. Keeps graphs, plans and files between calls. */
export class Solver {
  readonly #files: FileNetworks;
  readonly #memory: SolverMemory;
  #milpLoaded: Promise<void> | null = null;

  constructor(files = new FileNetworks(), memory = new SolverMemory(files)) {
    this.#files = files;
    this.#memory = memory;
  }

  /** @throws BadInputError for what cannot be asked for, InfeasibleError, CancelledError through control */
  async answer<Name extends SolverCall>(
    name: Name,
    input: InputOf<SolverCalls[Name]>,
    control: Control,
    emit: (event: EventOf<SolverCalls[Name]>) => void,
  ): Promise<ResultOf<SolverCalls[Name]>> {
    const { strategy = '', strategies = [] } = (input ?? {}) as Naming;
    // The table that runs every strategy names none.
    const runsAll = name === 'table' && (input as TableRequest).name === 'capabilities';
    if (runsAll || [strategy, ...strategies].some(needsMilpSolver)) await this.#loadMilp();
    return solverAnswers[name](input, { memory: this.#memory, files: this.#files, control, emit });
  }

  /** HiGHS is megabytes of WebAssembly. Where it cannot be loaded, who needs it says so. */
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

/** Names of the strategies in a call, where it has them. */
interface Naming {
  readonly strategy?: string;
  readonly strategies?: readonly string[];
}

/**
 * The solver without a thread of its own, for the command line and tests: a stream's events come all at once,
 * when the call has been answered. Who wants them as they happen gives `answer` of `Solver` a function.
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
