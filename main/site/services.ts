import { NO_TRAINER } from '../../app/contract/site.ts';
import { BadInputError } from '../../engine/errors.ts';
import type {
  HistoryService,
  LabInfo,
  LabServices,
  SetupService,
  SolverService,
  TrainerService,
} from '../host/services.ts';

/** The lab of a page without a server: it solves, but neither trains nor stores runs. */
export function siteServices(solver: SolverService, info: LabInfo): LabServices {
  return { solver, trainer: NO_TRAINING, history: NO_HISTORY, setup: NO_SETUP, info };
}

const refuse = (): never => {
  throw new BadInputError(NO_TRAINER);
};

const NO_TRAINING: TrainerService = {
  // biome-ignore lint/correctness/useYield: a stream that is refused at once.
  async *train() {
    refuse();
  },
  steerTraining: async () => refuse(),
  close: async () => undefined,
};

const NO_SETUP: SetupService = {
  tensorflow: async () => ({ here: null, hasNvidiaGpu: false, add: null, instead: NO_TRAINER }),
  // biome-ignore lint/correctness/useYield: a stream that is refused at once.
  async *addTensorflow() {
    refuse();
  },
  close: async () => undefined,
};

const NO_HISTORY: HistoryService = {
  list: () => ({ runs: [], evicted: [], folder: '', problem: NO_TRAINER, notice: null }),
  open: refuse,
  remove: refuse,
  restore: refuse,
  annotate: refuse,
  exportRuns: refuse,
  importRuns: refuse,
  record: (_request, events) => passed(events),
  close: () => undefined,
};

async function* passed<T>(events: AsyncIterable<T>): AsyncGenerator<T, void, void> {
  yield* events;
}
