import { failureOf, type LabClient, type LabFailureView } from '../../../../app/contract/client.ts';
import type { Experiment } from '../../../../app/contract/experiment.ts';
import { BadInputError } from '../../../../engine/errors.ts';
import { parseGraphFile } from '../../../../engine/exchange/graph-file.ts';
import { createProblem } from '../../../../engine/problem.ts';
import type { Problem } from '../../../../engine/strategies/strategy.ts';
import { createStore, type Store } from '../../../shared/store.ts';

/** The experiment's network as the engine computes with it, here in the page. */
export interface NetworkState {
  readonly problem: Problem | null;
  readonly wanted: string;
  readonly failure: Pick<LabFailureView, 'message'> | null;
}

export interface NetworkStore extends Pick<Store<NetworkState>, 'get' | 'subscribe'> {
  show(experiment: Experiment): void;
  retry(): void;
}

const MOST_NETWORKS = 4;
/** A waterfall of more would hold the page up. */
const MOST_VERTICES = 20_000;

export function networkKey({ model, batch, input, dropout, dtype, profile }: Experiment): string {
  return JSON.stringify([model, batch, input ?? null, dropout ?? null, dtype, profile]);
}

export function createNetworkStore(client: Pick<LabClient, 'exportFile'>): NetworkStore {
  const store = createStore<NetworkState>({ problem: null, wanted: '', failure: null });
  const known = new Map<string, Problem>();
  let abort: AbortController | null = null;
  let asked: Experiment | null = null;

  const load = async (experiment: Experiment, wanted: string): Promise<void> => {
    abort?.abort();
    const mine = new AbortController();
    abort = mine;
    store.set({ problem: null, wanted, failure: null });
    try {
      const request = { experiment, strategy: 'regular', form: 'graph' } as const;
      const { text } = await client.exportFile(request, { signal: mine.signal });
      if (mine.signal.aborted) return;
      const problem = problemOf(text, experiment);
      known.set(wanted, problem);
      const [oldest] = known.keys();
      if (known.size > MOST_NETWORKS && oldest !== undefined) known.delete(oldest);
      store.set({ problem, wanted, failure: null });
    } catch (error) {
      if (mine.signal.aborted) return;
      const failure = error instanceof BadInputError ? error : failureOf(error, mine.signal);
      store.set({ problem: null, wanted, failure: { message: failure.message } });
    }
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    show: (experiment) => {
      asked = experiment;
      const wanted = networkKey(experiment);
      if (wanted === store.get().wanted) return;
      const problem = known.get(wanted);
      if (problem === undefined) void load(experiment, wanted);
      else {
        abort?.abort();
        store.set({ problem, wanted, failure: null });
      }
    },
    retry: () => {
      if (asked !== null) void load(asked, networkKey(asked));
    },
  };
}

function problemOf(text: string, { profile }: Experiment): Problem {
  const graph = parseGraphFile(text);
  if (graph.size > MOST_VERTICES) {
    throw new BadInputError(
      `this lesson draws networks of up to ${MOST_VERTICES} operations, and this one has ${graph.size}; choose a smaller one`,
    );
  }
  return createProblem(graph, profile);
}
