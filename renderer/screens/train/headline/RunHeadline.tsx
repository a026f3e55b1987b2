import { asSentence } from '../../../shared/format/sentence.ts';
import { Headline } from '../../../shared/layout/Headline.tsx';
import { StatusLine } from '../../../shared/layout/StatusLine.tsx';
import type { Run } from '../../../state/runs/run.ts';
import { identityOf } from '../../../state/strategies/identity.ts';
import { StrategyMark } from '../../../state/strategies/StrategyMark.tsx';
import { runSentence, sayTimeLeft } from '../facts/facts.ts';
import { progressOf } from './progress.ts';

export interface RunHeadlineProps {
  readonly run: Run | null;
  readonly title: string;
  readonly network: string;
  /** Sentence on two compared runs, in place of the one in front. */
  readonly comparison: string | null;
  readonly onRetry: () => void;
}

export function RunHeadline({ run, title, network, comparison, onRetry }: RunHeadlineProps) {
  if (comparison !== null) {
    return (
      <Headline live="polite" sentence={comparison}>
        <StatusLine>In parentheses: the change from the first run to the second.</StatusLine>
      </Headline>
    );
  }
  if (run === null) {
    return (
      <Headline sentence="Train under a schedule and watch memory follow its prediction.">
        <StatusLine>
          TensorFlow.js runs exactly the predicted steps, with synthetic data or CIFAR-10.
        </StatusLine>
      </Headline>
    );
  }
  const identity = identityOf(run.request.strategy, title);
  return (
    <Headline
      live={run.outcome === 'running' ? 'off' : 'polite'}
      sentence={
        <>
          <StrategyMark identity={identity} />
          {runSentence(run, identity.title, network)}
        </>
      }
    >
      <RunStatus run={run} onRetry={onRetry} />
    </Headline>
  );
}

function RunStatus({ run, onRetry }: { readonly run: Run; readonly onRetry: () => void }) {
  const kept = run.measured.length > 0 || run.probes.length > 0;
  if (run.outcome === 'running') return <RunProgressLine run={run} />;
  if (run.outcome === 'failed') {
    return (
      <StatusLine kind="fault" action={{ title: 'Start again', run: onRetry }}>
        {asSentence(run.failure?.message ?? '')} {kept ? 'The measurements so far stay.' : ''}
      </StatusLine>
    );
  }
  if (run.outcome === 'done') {
    return (
      <StatusLine>
        {run.start === null
          ? 'The chart shows every batch that was tried.'
          : asSentence(run.start.unusedGpu ?? `Backend: ${run.start.backendReason}`)}
      </StatusLine>
    );
  }
  const why = run.outcome === 'interrupted' ? 'The lab stopped during the run. ' : '';
  return (
    <StatusLine kind="work">
      {why}
      {kept ? 'The measurements so far stay.' : 'Nothing was measured.'}
    </StatusLine>
  );
}

function RunProgressLine({ run }: { readonly run: Run }) {
  const progress = progressOf(run);
  if (progress === null) return <StatusLine>{null}</StatusLine>;
  const { text, share, leftMs } = progress;
  const left = run.paused ? 'Paused' : leftMs === null ? '' : sayTimeLeft(leftMs);
  return (
    <StatusLine progress={{ share: share ?? 0, label: 'Progress of the run' }}>
      <span>{text}.</span>
      <span>{left}</span>
    </StatusLine>
  );
}
