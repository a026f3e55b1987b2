import { Button } from '@mantine/core';
import { asSentence } from '../lab/sentence.ts';
import type { Run } from '../runs/run.ts';
import { identityOf } from '../shared/strategies/identity.ts';
import { StrategyMark } from '../shared/strategies/StrategyMark.tsx';
import { runSentence, sayTimeLeft, timeLeftMs } from './facts.ts';
import classes from './train.module.css';

export interface RunHeadlineProps {
  readonly run: Run | null;
  /** Of its strategy. */
  readonly title: string;
  /** Title of its network. */
  readonly network: string;
  readonly onRetry: () => void;
}

/** The run in front in one sentence; below it the time left, or what went wrong and what to do. */
export function RunHeadline({ run, title, network, onRetry }: RunHeadlineProps) {
  if (run === null) {
    return (
      <section className={classes['headline']} aria-label="Result">
        <h1 className={classes['sentence']}>
          Train under a schedule and watch memory follow its prediction.
        </h1>
        <p className={classes['status']}>
          The very steps that were predicted are run on TensorFlow.js, with synthetic data and labels.
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
  if (run.outcome === 'failed') {
    return (
      <>
        <span className={classes['fault']} role="alert">
          {asSentence(run.failure?.message ?? '')} {run.known > 0 ? 'What was measured before stays.' : ''}
        </span>
        <Button size="compact-sm" variant="default" onClick={onRetry}>
          Start again
        </Button>
      </>
    );
  }
  if (run.outcome === 'cancelled') {
    return (
      <span role="status">{run.known > 0 ? 'What was measured before stays.' : 'Nothing was measured.'}</span>
    );
  }
  const left = timeLeftMs(run);
  if (run.outcome === 'running') {
    if (run.start === null) return <span>Building the network and choosing a backend.</span>;
    return <span>{left === null ? 'The first iteration warms up.' : sayTimeLeft(left)}</span>;
  }
  return <span>Backend: {run.start?.backendReason ?? ''}.</span>;
}
