import { useMemo } from 'react';
import { useStore } from '../../../shared/store.ts';
import { useCatalog, useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import {
  type Measure,
  measureIn,
  type NetworkRow,
  networkRows,
} from '../../../state/comparison/networks-matrix.ts';
import type { NetworksState } from '../../../state/comparison/networks-store.ts';

export interface NetworksView {
  readonly state: NetworksState;
  readonly networks: readonly NetworkRow[];
  readonly measure: Measure;
  /** What this card remembers in the link. */
  readonly remember: (part: Readonly<Record<string, string>>) => void;
}

export function useNetworks({ state: comparison, stale }: CompareView): NetworksView {
  const { experiment: store, networks: networksStore } = useWorkspace();
  const { experiment, view = {} } = useLabView();
  const { models, titles } = useCatalog();
  const state = useStore(networksStore);
  const front = stale ? null : comparison.shown;
  const networks = useMemo(
    () =>
      networkRows({
        experiment,
        models,
        titles,
        front,
        results: state.results,
        failures: state.failures,
      }),
    [experiment, models, titles, front, state.results, state.failures],
  );
  return {
    state,
    networks,
    measure: measureIn(view['measure']),
    remember: (part) => store.setView({ ...store.get().view, ...part }),
  };
}
