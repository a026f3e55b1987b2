import { acrossSentence } from '../../../../app/report/comparison-headline.ts';
import { SegmentedControl } from '@mantine/core';
import { formatCount, formatPercent } from '../../../shared/format/numbers.ts';
import { useCatalog, useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { networkTitle } from '../../../state/experiment/network-order.ts';
import { msLeft, sayLeft } from '../../../shared/progress/time-left.ts';
import { useNow } from '../../../shared/progress/use-now.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import {
  type Measure,
  measureIn,
  MEASURES,
  type NetworkRow,
  networkRows,
} from '../../../state/comparison/networks-matrix.ts';
import { NetworksChart } from './NetworksChart.tsx';
import { NetworksTable } from './NetworksTable.tsx';
import classes from './networks.module.css';
import layout from '../../../shared/layout/layout.module.css';
import { StatusLine } from '../../../shared/layout/StatusLine.tsx';
import { SolvingEnded } from '../../../state/parts/SolvingEnded.tsx';
import type { NetworksState } from '../../../state/comparison/networks-store.ts';
import { useMemo } from 'react';
import { useStore } from '../../../shared/store.ts';

export function NetworksCard({ view }: { readonly view: CompareView }) {
  const { networks, state, measure, remember } = useNetworks(view);
  const front = view.front?.identity.name ?? 'regular';

  return (
    <div className={`${layout['screen']} ${classes['networks']}`}>
      <section className={`${layout['card']} ${layout['padded']}`} aria-label="Networks">
        <header className={layout['head']}>
          <h2>Networks</h2>
          <SegmentedControl
            aria-label="Figure of the networks"
            value={measure}
            onChange={(next) => remember({ measure: measureIn(next) })}
            data={MEASURES.map(({ key, title }) => ({ value: key, label: title }))}
          />
        </header>
        <Status state={state} sentence={acrossSentence(networks, front)} />
        <NetworksTable networks={networks} measure={measure} busy={state.running !== null} />
      </section>
      <NetworksChart networks={networks} measure={measure} front={front} />
    </div>
  );
}

interface StatusProps {
  readonly state: NetworksState;
  readonly sentence: string;
}

function Status({ state, sentence }: StatusProps) {
  const { networks } = useWorkspace();
  const { models } = useCatalog();
  const { running, cancelled, failures } = state;
  const now = useNow(running !== null);
  if (running !== null) {
    const { progress, waiting, model } = running;
    const left = progress === null ? null : msLeft(progress, now);
    const parts = [
      `Solving ${networkTitle(model, models)}`,
      ...(progress === null ? [] : [`${progress.strategy} ${formatPercent(progress.done)} done`]),
      ...(left === null ? [] : [sayLeft(left)]),
      ...(waiting === 0 ? [] : [`${formatCount(waiting)} more after it`]),
    ];
    return (
      <StatusLine kind="work" action={{ title: 'Cancel', run: networks.cancel }}>
        {parts.join(', ')}
      </StatusLine>
    );
  }
  const [failure] = failures.values();
  if (cancelled || failure !== undefined)
    return <SolvingEnded failure={cancelled ? null : (failure ?? null)} again={networks.again} />;
  return <StatusLine kind="work">{sentence}</StatusLine>;
}

interface NetworksView {
  readonly state: NetworksState;
  readonly networks: readonly NetworkRow[];
  readonly measure: Measure;
  readonly remember: (part: Readonly<Record<string, string>>) => void;
}

function useNetworks({ state: comparison, stale }: CompareView): NetworksView {
  const { experiment: store, networks: networksStore } = useWorkspace();
  const { experiment, view = {} } = useLabView();
  const { models, titles } = useCatalog();
  const state = useStore(networksStore);
  const front = stale ? null : comparison.shown;
  const networks = useMemo(
    () =>
      networkRows({ experiment, models, titles, front, results: state.results, failures: state.failures }),
    [experiment, models, titles, front, state.results, state.failures],
  );
  return {
    state,
    networks,
    measure: measureIn(view['measure']),
    remember: (part) => store.setView({ ...store.get().view, ...part }),
  };
}
