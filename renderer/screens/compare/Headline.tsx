import { Button } from '@mantine/core';
import { UseDefaults } from '../../state/parts/UseDefaults.tsx';
import { asSentence } from '../../shared/format/sentence.ts';
import { formatBytes } from '../../shared/format/bytes.ts';
import { formatCount, formatMs, formatPercent, formatShortCount } from '../../shared/format/numbers.ts';
import { msLeft, sayLeft } from '../../shared/progress/time-left.ts';
import { useNow } from '../../shared/progress/use-now.ts';
import { StrategyMark } from '../../state/strategies/StrategyMark.tsx';
import { useCatalog, useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';
import { CompareMenu } from './CompareMenu.tsx';
import type { ComparisonState, NetworkResults } from '../../state/comparison/comparison.ts';
import classes from './compare.module.css';
import { headline } from '../../state/comparison/headline.ts';
import { regularPeak } from '../../state/comparison/rows.ts';
import type { CompareView } from '../../state/parts/use-compare-view.ts';

/** The one sentence that the screen is about; below it the network's facts, or what is being done. */
export function Headline({ view }: { readonly view: CompareView }) {
  const { experiment } = useLabView();
  const { models } = useCatalog();
  const { state, front, former } = view;
  const { shown } = state;
  const name = shown?.head.model ?? experiment.model;
  const network = models.find((model) => model.name === name)?.title ?? name;

  return (
    <section className={classes['headline']} aria-label="Result">
      <div className={classes['menu']}>
        <CompareMenu />
      </div>
      <h1 className={classes['sentence']} aria-live="polite" aria-busy={state.running !== null}>
        {shown === null || former
          ? state.failure === null && !state.cancelled
            ? `Comparing strategies on ${titleOf(models, experiment.model)}…`
            : `No comparison of ${titleOf(models, experiment.model)}`
          : headline({
              network,
              batch: experiment.batch,
              regularBytes: regularPeak(shown, experiment.batch),
              front,
            }).map((part, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name
              <span key={i} className={classes[part.role]}>
                {part.role === 'strategy' && front !== null && <StrategyMark identity={front.identity} />}
                {part.text}
              </span>
            ))}
      </h1>
      <StatusLine state={state} facts={shown !== null && !former ? factsOf(shown) : ''} />
    </section>
  );
}

function titleOf(models: readonly { readonly name: string; readonly title: string }[], name: string): string {
  return models.find((model) => model.name === name)?.title ?? name;
}

function factsOf({ head }: NetworkResults): string {
  const size = head.input > 0 ? `${head.input} × ${head.input} pixels, ` : '';
  return (
    `${size}${formatShortCount(head.parameters)} parameters, ${formatCount(head.vertices)} operations; ` +
    `computation graph of ${formatCount(head.tensorVertices)} vertices and ${formatCount(head.tensorEdges)} edges; ` +
    `weights, gradients and momentum ${formatBytes(head.stationaryBytes)} besides.`
  );
}

interface StatusLineProps {
  readonly state: ComparisonState;
  readonly facts: string;
}

/** One line of constant height: facts, work in progress with a way to stop it, or what went wrong. */
function StatusLine({ state, facts }: StatusLineProps) {
  const { comparison } = useWorkspace();
  const { running, failure, cancelled } = state;
  const now = useNow(running !== null);

  if (failure !== null || cancelled) {
    const message =
      failure === null ? 'Cancelled; what was solved before stays.' : asSentence(failure.message);
    return (
      <div className={classes['status']} role={failure === null ? 'status' : 'alert'}>
        <span className={failure === null ? undefined : classes['fault']}>{message}</span>
        <Button size="compact-sm" variant="default" onClick={comparison.retry}>
          {failure === null ? 'Solve the rest' : 'Try again'}
        </Button>
        {failure?.code === 'BAD_INPUT' && <UseDefaults message={failure.message} />}
      </div>
    );
  }
  if (running !== null && now - running.startedAt > SLOW_MS) {
    const { progress, strategies, startedAt } = running;
    const at = progress === null ? -1 : strategies.indexOf(progress.strategy);
    const what =
      progress === null
        ? 'Solving'
        : `Solving ${progress.strategy} (${at + 1} of ${strategies.length}), ${formatPercent(progress.done)} done`;
    const left = progress === null ? null : msLeft(progress, now);
    const time = left === null ? formatMs(Math.round((now - startedAt) / 100) * 100) : sayLeft(left);
    return (
      <div className={classes['status']} role="status">
        <span>
          {what}, <span aria-hidden="true">{time}</span>
        </span>
        <Button size="compact-sm" variant="default" onClick={comparison.cancel}>
          Cancel
        </Button>
      </div>
    );
  }
  return (
    <div className={classes['status']}>
      <span className={classes['facts']} title={facts}>
        {facts}
      </span>
    </div>
  );
}

const SLOW_MS = 600;
