import { Button, Progress } from '@mantine/core';
import { asSentence } from '../../shared/format/sentence.ts';
import type { Run } from '../../state/runs/run.ts';
import { identityOf } from '../../state/strategies/identity.ts';
import { StrategyMark } from '../../state/strategies/StrategyMark.tsx';
import { runSentence, sayTimeLeft } from './facts.ts';
import { progressOf } from './progress.ts';
import classes from './train.module.css';

export interface RunHeadlineProps {
  readonly run: Run | null;
  /** Of its strategy. */
  readonly title: string;
  /** Title of its network. */
  readonly network: string;
  /** What two compared runs say, in place of the one in front. */
  readonly comparison: string | null;
  readonly onRetry: () => void;
}

/** The run in front in one sentence; below it the time left, or what went wrong and what to do. */
export function RunHeadline({ run, title, network, comparison, onRetry }: RunHeadlineProps) {
  if (comparison !== null) {
    return (
      <section className={classes['headline']} aria-label="Result">
        <h1 className={classes['sentence']} aria-live="polite">
          {comparison}
        </h1>
        <p className={classes['status']}>Changes in parentheses are from the first run to the second.</p>
      </section>
    );
  }
  if (run === null) {
    return (
      <section className={classes['headline']} aria-label="Result">
        <h1 className={classes['sentence']}>
          Train under a schedule and watch memory follow its prediction.
        </h1>
        <p className={classes['status']}>
          The very steps that were predicted are run on TensorFlow.js, with synthetic data or CIFAR-10.
        </p>
      </section>
    );
  }
  const identity = identityOf(run.request.strategy, title);
  return (
    <section className={classes['headline']} aria-label="Result">
      <h1 className={classes['sentence']} aria-live={run.outcome === 'running' ? 'off' : 'polite'}>
        <StrategyMark identity={identity} /> {runSentence(run, identity.title, network)}
      </h1>
      <div className={classes['status']}>
        <RunStatus run={run} onRetry={onRetry} />
      </div>
    </section>
  );
}

function RunStatus({ run, onRetry }: { readonly run: Run; readonly onRetry: () => void }) {
  const kept = run.measured.length > 0 || run.probes.length > 0;
  if (run.outcome === 'running') return <RunProgressLine run={run} />;
  if (run.outcome === 'failed') {
    return (
      <>
        <span className={classes['fault']} role="alert">
          {asSentence(run.failure?.message ?? '')} {kept ? 'What was measured before stays.' : ''}
        </span>
        <Button size="compact-sm" variant="default" onClick={onRetry}>
          Start again
        </Button>
      </>
    );
  }
  if (run.outcome === 'done') {
    if (run.start === null) return <span>Every batch that was tried is in the chart.</span>;
    return <span>Backend: {run.start.backendReason}.</span>;
  }
  const why = run.outcome === 'interrupted' ? 'The lab itself was ended meanwhile. ' : '';
  return (
    <span role="status">
      {why}
      {kept ? 'What was measured before stays.' : 'Nothing was measured.'}
    </span>
  );
}

function RunProgressLine({ run }: { readonly run: Run }) {
  const progress = progressOf(run);
  if (progress === null) return null;
  const { text, share, leftMs } = progress;
  const left = run.paused ? 'Paused' : leftMs === null ? '' : sayTimeLeft(leftMs);
  return (
    <>
      <Progress
        className={classes['progress'] ?? ''}
        value={(share ?? 0) * 100}
        size="sm"
        color="var(--zz-ink)"
        aria-label="Progress of the run"
      />
      <span>{text}.</span>
      <span>{left}</span>
    </>
  );
}
