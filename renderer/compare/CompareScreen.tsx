import { useCallback, useMemo } from 'react';
import { ParetoChart } from '../pareto/ParetoChart.tsx';
import type { StepScale } from '../shared/charts/step-axis.ts';
import { createStore, useStore } from '../shared/store.ts';
import { useLabPart } from '../use-workspace.ts';
import classes from './compare.module.css';
import { Headline } from './Headline.tsx';
import { Inspector } from './Inspector.tsx';
import { NetworksCard } from './networks/NetworksCard.tsx';
import { OverheadChart } from './OverheadChart.tsx';
import { StrategyTable } from './StrategyTable.tsx';
import { useCompareView } from './use-rows.ts';
import { ZigzagChart } from './ZigzagChart.tsx';

/** What the screen remembers while others are in front. */
const scaleStore = createStore<StepScale>('pass');

/** Memory, time and theory of the chosen strategies on one network. */
export function CompareScreen() {
  const view = useCompareView();
  const hasSeveral = useLabPart(({ experiment }) => (experiment.also ?? []).length > 0);
  const scale = useStore(scaleStore);
  const cursor = useMemo(() => createStore<number | null>(null), []);
  const setScale = useCallback(
    (next: StepScale): void => {
      cursor.set(null);
      scaleStore.set(next);
    },
    [cursor],
  );

  return (
    <div className={classes['screen']} data-former={view.former || undefined}>
      <Headline view={view} />
      <div className={classes['row']}>
        <ZigzagChart view={view} scale={scale} onScale={setScale} cursor={cursor} />
        <Inspector view={view} scale={scale} cursor={cursor} />
      </div>
      {hasSeveral && <NetworksCard view={view} />}
      <div className={classes['row']}>
        <StrategyTable view={view} />
        <OverheadChart view={view} />
      </div>
      <ParetoChart view={view} />
    </div>
  );
}
