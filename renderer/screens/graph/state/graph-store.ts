import { statedOptions } from '../../../../engine/options/options.ts';
import type { LabClient } from '../../../../app/contract/client.ts';
import type { GraphView } from '../../../../app/contract/graph-view.ts';
import type { Experiment } from '../../../../app/contract/experiment.ts';
import { once } from '../../../state/requests/follow.ts';
import { AT_REST, createFollower, type Follower, type Standing } from '../../../state/requests/follower.ts';
import { type Blocks, blocksOf } from './blocks.ts';
import { type MaxTermScale, maxTermScale } from './max-term.ts';
import { type PaperGraph, paperGraphOf } from './paper-graph.ts';

export interface Network {
  readonly key: string;
  readonly paper: PaperGraph;
  readonly blocks: Blocks;
  readonly scale: MaxTermScale;
}

export interface GraphState extends Standing {
  /** On screen: the wanted network, or the previous one until it comes. */
  readonly shown: Network | null;
  readonly wanted: string;
}

export type GraphStore = Follower<Experiment, GraphState>;

const MAX_KEPT_NETWORKS = 6;

/** Bytes are per sample: neither the batch nor the strategies matter. */
export function graphKey({ model, ...options }: Experiment): string {
  const { batch: _, profile: __, ...graph } = statedOptions(options, 'graph');
  return JSON.stringify([model, graph]);
}

export function createGraphStore(client: Pick<LabClient, 'graphView'>): GraphStore {
  return createFollower<Experiment, GraphView, GraphState>({
    first: { ...AT_REST, shown: null, wanted: '' },
    keyOf: graphKey,
    ask: ({ model, batch, ...options }, signal) => {
      const { profile: _, ...graph } = statedOptions(options, 'graph');
      return once(client.graphView({ model, ...graph, batch }, { signal }));
    },
    begin: (state, experiment) => ({ ...state, wanted: graphKey(experiment), running: true }),
    after: (state, view) => {
      const paper = paperGraphOf(view);
      const scale = maxTermScale(paper.tree, paper.optima);
      return { ...state, shown: { key: state.wanted, paper, blocks: blocksOf(view), scale } };
    },
    keeps: MAX_KEPT_NETWORKS,
  });
}
