import { useEffect } from 'react';
import { failureOf } from '../../../app/contract/client.ts';
import { GIVEN_PLAN, trainablePlan } from '../../state/files/given-plan.ts';
import { useActions } from '../../state/parts/use-actions.ts';
import { asSentence } from '../../shared/format/sentence.ts';
import type { Run } from '../../state/runs/run.ts';
import type { StepScale } from '../../shared/charts/step-axis.ts';
import { useStore } from '../../shared/store.ts';
import { useSameList } from '../../shared/use-same-list.ts';
import { useCatalog, useKept, useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';
import layout from '../../shared/layout/layout.module.css';
import classes from './train.module.css';
import { ComparisonTable } from './comparison/ComparisonTable.tsx';
import { comparedRuns, comparisonSentence } from './comparison/comparison-rows.ts';
import { FactsPanel } from './facts/FactsPanel.tsx';
import { HistoryPanel } from './history/HistoryPanel.tsx';
import { IterationCharts } from './iterations/IterationCharts.tsx';
import { MeasuredChart } from './measured/MeasuredChart.tsx';
import { timesMissing, withMeasuredClocks } from './measured/measured-clock.ts';
import { begunLooks } from './measured/measured-zigzag.ts';
import { ProbeChart } from './probe/ProbeChart.tsx';
import { RunHeadline } from './headline/RunHeadline.tsx';
import { NoTrainer } from './controls/NoTrainer.tsx';
import { withLeftBudget } from '../../state/comparison/rows.ts';
import { nextRun } from '../../state/parts/next-run.ts';
import { looksOf, runTitle } from './state/run-look.ts';
import { requestsFor, strategyToTrain } from '../../state/runs/train-settings.ts';
import { tensorflowSession } from './tensorflow/tensorflow-session.ts';
import { TrainControls } from './controls/TrainControls.tsx';
import { LATEST, trainSession } from './state/train-session.ts';
import { comparableLines, isOpen, lossRuns, visibleRuns } from './state/visible-runs.ts';

export function TrainScreen() {
  const { connection } = useWorkspace();
  return connection.place === 'site' ? <NoTrainer /> : <Trainer />;
}

function Trainer() {
  const { runs: store, history, connection, comparison, experiment: lab } = useWorkspace();
  const { experiment, selected } = useLabView();
  const { titles, models } = useCatalog();
  const { runs: session } = useStore(store);
  const { lines, opened } = useStore(history);
  const next = useKept(nextRun);
  const { chart, inFront } = useKept(trainSession);
  const settings = useStore(next);
  const scale = useStore(chart.scale);
  const shown = useStore(inFront);

  // Runs of the session are newer than the history's copies.
  const own = new Set(session.map(({ key }) => key));
  const runs = [...session, ...[...opened.values()].filter(({ key }) => !own.has(key))].sort(
    (a, b) => b.begunMs - a.begunMs,
  );
  const byKey = (key: string | null): Run | undefined => runs.find((run) => run.key === key);
  const strategy = strategyToTrain(settings, experiment, selected);
  const [a, b] = [byKey(shown.pair?.[0] ?? null), byKey(shown.pair?.[1] ?? null)];
  const pair = a !== undefined && b !== undefined ? comparedRuns([a, b]) : null;
  const front = pair?.[1] ?? byKey(shown.front) ?? (shown.front === null ? (session[0] ?? null) : null);
  const running = session.find(isOpen) ?? null;
  const zigzags = looksOf(pair ?? visibleRuns(runs, front), titles);
  const losses = looksOf(pair ?? lossRuns(runs, front), titles);
  const [first, second] = zigzags;
  const timed = withMeasuredClocks(zigzags);
  const drawn = scale === 'time' ? timed : zigzags;
  const untimed = timesMissing(zigzags);

  useEffect(() => void history.load(), [history]);
  const tensorflow = useKept(tensorflowSession);
  // Somebody may have added it in a terminal meanwhile.
  useEffect(() => void tensorflow.load(), [tensorflow]);
  const others = useSameList(
    front === null ? [] : comparableLines(lines, front).filter((key) => !own.has(key)),
  );
  // Runs to compare with the one in front are fetched with it.
  useEffect(() => void history.open(others), [history, others]);

  const open = (front: string): void => {
    inFront.set({ front, pair: null });
    if (!own.has(front)) void history.open([front]);
    showFigures();
  };
  const compare = (next: readonly [string, string]): void => {
    void history.open(next.filter((key) => !own.has(key))).then(() => {
      inFront.set({ front: next[1], pair: next });
      showFigures();
    });
  };
  const remove = (keys: readonly string[]): void => {
    const gone = new Set(keys);
    const { pair: compared } = inFront.get();
    if (compared?.some((key) => gone.has(key))) inFront.set(LATEST);
    const kept = new Set(lines.map(({ id }) => id));
    store.forget(keys);
    const known = keys.filter((key) => kept.has(key));
    if (known.length > 0) void history.remove(known);
  };
  const start = async (): Promise<void> => {
    try {
      const plan = strategy === GIVEN_PLAN ? await trainablePlan(connection.client, experiment) : undefined;
      inFront.set(LATEST);
      const asked = withLeftBudget(experiment, comparison.get().shown?.solved.get(strategy));
      store.start(requestsFor(settings, asked, strategy, plan));
    } catch (error) {
      lab.settle(lab.get().experiment, [asSentence(failureOf(error).message)]);
    }
  };
  useActions([
    {
      id: 'train-start',
      group: 'Train',
      title: `Start training ${strategy}`,
      words: 'run',
      run: () => void start(),
    },
  ]);
  const setScale = (next: StepScale): void => {
    chart.setScale(next, begunLooks(timed).at(-1)?.run.predicted.axis ?? null);
  };
  const hasLostTimes = scale === 'time' && untimed !== null && begunLooks(zigzags).length > 0;
  useEffect(() => {
    if (hasLostTimes) chart.setScale('pass', null);
  }, [chart, hasLostTimes]);
  const isSearch = front?.request.largestBatch === true && pair === null;

  return (
    <div className={layout['screen']}>
      <RunHeadline
        run={front}
        title={front === null ? '' : runTitle(front, titles)}
        network={
          models.find(({ name }) => name === front?.request.model)?.title ?? front?.request.model ?? ''
        }
        comparison={
          pair !== null && first !== undefined && second !== undefined
            ? comparisonSentence(first, second)
            : null
        }
        onRetry={() => void start()}
      />
      <TrainControls
        settings={settings}
        onSettings={next.set}
        strategy={strategy}
        running={running !== null}
        paused={running?.paused === true}
        onStart={() => void start()}
      />
      <div className={pair === null ? `${layout['beside']} ${classes['front']}` : layout['screen']}>
        <div className={layout['screen']}>
          {isSearch ? (
            <ProbeChart run={front} />
          ) : (
            <MeasuredChart
              looks={drawn}
              front={front}
              hasHistory={lines.length > 0}
              scales={{
                scale,
                onScale: setScale,
                timed: untimed === null,
                timeTitle: 'Measured time',
                untimed: untimed ?? undefined,
              }}
              session={chart}
              onStart={() => void start()}
            />
          )}
          {!isSearch && <IterationCharts zigzags={zigzags} losses={losses} />}
        </div>
        {pair === null && (
          <FactsPanel
            run={drawn.find(({ run }) => run.key === front?.key)?.run ?? front}
            line={lines.find(({ id }) => id === front?.key) ?? null}
            runs={runs}
            scale={scale}
            cursor={chart.cursor}
          />
        )}
        {pair !== null && first !== undefined && second !== undefined && (
          <ComparisonTable
            pair={[first, second]}
            onEnd={() => inFront.set({ front: inFront.get().front, pair: null })}
          />
        )}
      </div>
      <HistoryPanel session={session} front={front} onOpen={open} onCompare={compare} onDelete={remove} />
    </div>
  );
}

/** Charts at the start of the screen show what was chosen at its end. */
function showFigures(): void {
  document.getElementById('content')?.scrollTo({ top: 0 });
}
