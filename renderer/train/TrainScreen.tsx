import { useCallback, useEffect, useMemo, useState } from 'react';
import { offerActions } from '../frame/actions.ts';
import type { StepScale } from '../shared/charts/step-axis.ts';
import { formatMs } from '../shared/format/numbers.ts';
import { createStore, useStore } from '../shared/store.ts';
import { useCatalog, useLabView, useWorkspace } from '../use-workspace.ts';
import { FactsPanel } from './FactsPanel.tsx';
import { IterationChart } from './IterationChart.tsx';
import { MeasuredChart } from './MeasuredChart.tsx';
import { RunHeadline } from './RunHeadline.tsx';
import { RunsTable } from './RunsTable.tsx';
import { settingsStore } from './next-settings.ts';
import { requestsFor, strategyToTrain } from './settings.ts';
import { TrainControls } from './TrainControls.tsx';
import classes from './train.module.css';
import { frontRun, visibleRuns } from './visible-runs.ts';

/** What the screen remembers while others are in front. */
const scaleStore = createStore<StepScale>('pass');
const frontStore = createStore<number | null>(null);

/** A schedule on a real backend: predicted memory, and measured memory drawn over it as it comes. */
export function TrainScreen() {
  const { runs: store } = useWorkspace();
  const { experiment, selected } = useLabView();
  const { titles, models } = useCatalog();
  const { runs } = useStore(store);
  const settings = useStore(settingsStore);
  const scale = useStore(scaleStore);
  const chosen = useStore(frontStore);
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const cursor = useMemo(() => createStore<number | null>(null), []);

  const strategy = strategyToTrain(settings, experiment, selected);
  const front = frontRun(runs, chosen);
  const shown = visibleRuns(runs, front, hidden);
  const running = runs.find(({ outcome }) => outcome === 'running') ?? null;

  const start = (): void => {
    frontStore.set(null);
    store.start(requestsFor(settings, experiment, strategy));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what `start` uses is listed instead of itself
  useEffect(
    () =>
      offerActions([
        { id: 'train-start', group: 'Train', title: `Start training ${strategy}`, words: 'run', run: start },
      ]),
    [settings, experiment, strategy, store],
  );
  const setScale = useCallback(
    (next: StepScale): void => {
      cursor.set(null);
      scaleStore.set(next);
    },
    [cursor],
  );
  const toggle = (id: number): void => {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    setHidden(next);
  };

  return (
    <div className={classes['screen']}>
      <RunHeadline
        run={front}
        title={titles.get(front?.request.strategy ?? '') ?? front?.request.strategy ?? ''}
        network={
          models.find(({ name }) => name === front?.request.model)?.title ?? front?.request.model ?? ''
        }
        onRetry={start}
      />
      <TrainControls
        settings={settings}
        onSettings={settingsStore.set}
        strategy={strategy}
        running={running !== null}
        onStart={start}
      />
      <div className={classes['row']}>
        <MeasuredChart
          runs={shown}
          front={front}
          scale={scale}
          onScale={setScale}
          cursor={cursor}
          onStart={start}
        />
        <FactsPanel run={front} runs={runs} scale={scale} cursor={cursor} />
      </div>
      <div className={classes['pair']}>
        <IterationChart
          title="Loss"
          note="The same weights and data for every strategy: the curves coincide"
          value="loss"
          runs={shown}
          format={(loss) => loss.toPrecision(3)}
          fromZero={false}
        />
        <IterationChart
          title="Time of an iteration"
          note="Measured"
          value="iterationMs"
          runs={shown}
          format={formatMs}
          fromZero
        />
      </div>
      <RunsTable
        runs={runs}
        shown={shown}
        front={front}
        onFront={frontStore.set}
        onToggle={toggle}
        onForget={store.forget}
      />
    </div>
  );
}
