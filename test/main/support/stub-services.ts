import type { Calls, ServiceOf } from '../../../app/contract/calls.ts';
import type { ComparisonEvent } from '../../../app/contract/results.ts';
import { solverCalls } from '../../../app/contract/solver-calls.ts';
import { trainerCalls } from '../../../app/contract/trainer-calls.ts';
import { type SetupCalls, setupCalls } from '../../../app/contract/setup-calls.ts';
import { serviceOf } from '../../../main/host/service-of.ts';
import type { LabServices } from '../../../main/host/services.ts';

const INFO = {
  version: '0',
  carrier: 'test',
  platform: 'test',
  logicalCpus: 1,
  memoryBytes: 1,
  site: null,
} as const;

/** Answers with no event and no result, but where the test does. */
function stubOf<C extends Calls>(calls: C, change: Partial<ServiceOf<C>>) {
  const calm = serviceOf(calls, (name) => nothing(name, calls[name]?.kind) as never);
  return { ...calm, ...change, close: async () => undefined };
}

async function* nothing(name: string, kind: unknown): AsyncGenerator<never> {
  if (kind === 'result') throw new Error(`this stub does not answer ${name}`);
  yield* [];
}

/** Services of which a test replaces what it looks at. */
export function stubServices(
  change: Partial<ServiceOf<typeof solverCalls> & ServiceOf<typeof trainerCalls> & ServiceOf<SetupCalls>>,
): LabServices {
  return {
    info: INFO,
    solver: stubOf(solverCalls, change),
    trainer: stubOf(trainerCalls, change),
    setup: stubOf(setupCalls, change),
    history: {
      list: () => ({ runs: [], evicted: [], folder: '', problem: null, notice: null }),
      open: () => {
        throw new Error('this stub keeps no run');
      },
      remove: () => undefined,
      restore: () => undefined,
      annotate: () => undefined,
      exportRuns: () => ({ text: '', leftOut: [] }),
      importRuns: () => ({ added: [], known: [], evicted: [], lost: 0, needsRoom: false }),
      async *record(_request, events) {
        yield* events;
      },
      close: () => undefined,
    },
  };
}

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
        await new Promise(setImmediate);
      }
    } finally {
      resolve({ aborted: signal?.aborted === true });
    }
  }
  return { compare, ended };
}
