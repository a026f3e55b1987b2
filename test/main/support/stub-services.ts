import type { ComparisonEvent } from '../../../app/contract/results.ts';
import type { LabServices } from '../../../main/host/services.ts';

const INFO = { version: '0', carrier: 'test', platform: 'test', logicalCpus: 1, memoryBytes: 1 } as const;

const nothing = {
  close: async () => undefined,
};

/** Services of which a test replaces what it looks at. */
export function stubServices(change: {
  readonly compare?: LabServices['solver']['compare'];
  readonly train?: LabServices['trainer']['train'];
  readonly steer?: LabServices['trainer']['steer'];
  readonly catalog?: LabServices['solver']['catalog'];
}): LabServices {
  return {
    info: INFO,
    solver: {
      ...nothing,
      catalog: change.catalog ?? (async () => ({ models: [], strategies: [] })),
      exportFile: async () => '',
      openedFiles: () => [],
      importFile: async () => {
        throw new Error('this stub reads no file');
      },
      compare: change.compare ?? none,
      table: none,
      limits: none,
      pareto: none,
      liveTensors: async () => {
        throw new Error('this stub lists no tensors');
      },
      graphView: async () => {
        throw new Error('this stub draws no graph');
      },
    },
    history: {
      list: () => ({ runs: [], folder: '', problem: null, notice: null }),
      open: () => {
        throw new Error('this stub keeps no run');
      },
      remove: () => undefined,
      restore: () => undefined,
      annotate: () => undefined,
      exportRuns: () => '',
      importRuns: () => ({ added: [], known: [] }),
      record: (_request, events) => events,
      close: () => undefined,
    },
    trainer: { ...nothing, train: change.train ?? none, steer: change.steer ?? (() => false) },
  };
}

async function* none(): AsyncGenerator<never> {}

/** A comparison that reports progress until its signal aborts, and what became of it. */
export function endlessCompare() {
  let resolve: (how: { readonly aborted: boolean }) => void = () => undefined;
  const ended = new Promise<{ readonly aborted: boolean }>((done) => {
    resolve = done;
  });
  async function* compare(_: unknown, signal?: AbortSignal): AsyncGenerator<ComparisonEvent, void, void> {
    try {
      for (let i = 0; signal?.aborted !== true; i++) {
        yield { type: 'progress', strategy: 'regular', done: i / (i + 1) };
        await new Promise((wait) => setTimeout(wait, 2));
      }
    } finally {
      resolve({ aborted: signal?.aborted === true });
    }
  }
  return { compare, ended };
}
