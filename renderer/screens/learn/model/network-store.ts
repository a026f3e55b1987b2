import { statedOptions } from '../../../../engine/options/options.ts';
import type { LabClient } from '../../../../app/contract/client.ts';
import type { Experiment } from '../../../../app/contract/experiment.ts';
import { setupOf } from '../../../../app/contract/training-setup.ts';
import { BadInputError } from '../../../../engine/errors.ts';
import { parseGraphFile } from '../../../../engine/exchange/graph-file.ts';
import { createProblem } from '../../../../engine/problem.ts';
import { inPrecision } from '../../../../engine/training-memory/precision.ts';
import type { Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { once } from '../../../state/requests/follow.ts';
import { AT_REST, createFollower, type Follower, type Standing } from '../../../state/requests/follower.ts';

export interface NetworkState extends Standing {
  readonly problem: Problem | null;
  readonly wanted: string;
}

export type NetworkStore = Follower<Experiment, NetworkState>;

const MAX_KEPT_NETWORKS = 4;
/** A waterfall of more would hold the page up. */
const MAX_VERTICES = 20_000;

export function networkKey(experiment: Experiment): string {
  return JSON.stringify([experiment.model, statedOptions(experiment, 'graph')]);
}

export function createNetworkStore(client: Pick<LabClient, 'exportFile'>): NetworkStore {
  return createFollower<Experiment, { readonly text: string }, NetworkState>({
    first: { ...AT_REST, problem: null, wanted: '' },
    keyOf: networkKey,
    ask: (experiment, signal) =>
      once(client.exportFile({ experiment, strategy: 'regular', form: 'graph' }, { signal })),
    begin: (state, experiment) => ({
      ...state,
      problem: null,
      wanted: networkKey(experiment),
      running: true,
    }),
    after: (state, { text }, experiment) => ({ ...state, problem: problemOf(text, experiment) }),
    keeps: MAX_KEPT_NETWORKS,
  });
}

function problemOf(text: string, experiment: Experiment): Problem {
  const graph = parseGraphFile(text);
  if (graph.size > MAX_VERTICES) {
    throw new BadInputError(
      `this network has ${graph.size} operations, and this lesson draws at most ${MAX_VERTICES}; choose a smaller network`,
    );
  }
  // The file says the tensors’ own types.
  const { precision } = setupOf(experiment, graph.bytesPerElement);
  return createProblem(inPrecision(graph, precision), experiment.profile);
}
