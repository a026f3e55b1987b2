import { Button, SegmentedControl } from '@mantine/core';
import { asSentence } from '../../../shared/format/sentence.ts';
import { formatCount, formatPercent } from '../../../shared/format/numbers.ts';
import { useCatalog, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { networkTitle } from '../../../state/experiment/network-order.ts';
import { msLeft, sayLeft } from '../../../shared/progress/time-left.ts';
import { useNow } from '../../../shared/progress/use-now.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import { MEASURES, matrixSentence, measureIn } from '../../../state/comparison/networks-matrix.ts';
import { NetworksChart } from './NetworksChart.tsx';
import { NetworksTable } from './NetworksTable.tsx';
import classes from './networks.module.css';
import type { NetworksState } from '../../../state/comparison/networks-store.ts';
import { useNetworks } from './use-networks.ts';

/** All networks of the experiment beside each other: who gains most from which strategy. */
export function NetworksCard({ view }: { readonly view: CompareView }) {
  const { networks, state, measure, remember } = useNetworks(view);
  const front = view.front?.identity.name ?? 'regular';

  return (
    <div className={classes['networks']}>
      <section className={classes['card']} aria-label="Networks">
        <header className={classes['head']}>
          <h2 className={classes['title']}>Networks</h2>
          <SegmentedControl
            size="xs"
            aria-label="Figure of the networks"
            value={measure}
            onChange={(next) => remember({ measure: measureIn(next) })}
            data={MEASURES.map(({ key, title }) => ({ value: key, label: title }))}
          />
        </header>
        <Status state={state} sentence={matrixSentence(networks, front)} />
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

/** One line of constant height: what the matrix says, or what is being done, with a way to stop it. */
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
      <div className={classes['status']}>
        <span>{parts.join(', ')}</span>
        <Button size="compact-xs" variant="default" onClick={networks.cancel}>
          Cancel
        </Button>
      </div>
    );
  }
  const [failure] = failures.values();
  if (cancelled || failure !== undefined) {
    return (
      <div className={classes['status']} role={cancelled ? 'status' : 'alert'}>
        <span>
          {cancelled || failure === undefined
            ? 'Cancelled; what was solved stays.'
            : asSentence(failure.message)}
        </span>
        <Button size="compact-xs" variant="default" onClick={networks.again}>
          {cancelled ? 'Solve the rest' : 'Try again'}
        </Button>
      </div>
    );
  }
  return (
    <p className={classes['status']} role="status">
      {sentence}
    </p>
  );
}
