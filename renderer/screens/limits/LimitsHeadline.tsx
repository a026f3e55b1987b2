import { Button } from '@mantine/core';
import { UseDefaults } from '../../state/parts/UseDefaults.tsx';
import { asSentence } from '../../shared/format/sentence.ts';
import { formatCount, formatPercent } from '../../shared/format/numbers.ts';
import { TimeLeft } from '../../shared/progress/TimeLeft.tsx';
import { StrategyMark } from '../../state/strategies/StrategyMark.tsx';
import { fastestSentence, limitsHeadline } from './headline.ts';
import classes from './limits.module.css';
import type { LimitsView } from './use-limits.ts';

/** What fits, in one sentence; below it which batch is the fastest, or what is being done. */
export function LimitsHeadline({ view }: { readonly view: LimitsView }) {
  const { network, device, rows, state } = view;
  const name = nameOf(device.title);
  const parts =
    state.failure !== null && state.rows.size === 0
      ? [{ text: `No limits of ${network}`, role: 'text' as const }]
      : limitsHeadline(network, name, rows);
  return (
    <section className={classes['headline']} aria-label="Result">
      <h1 className={classes['sentence']} aria-live="polite" aria-busy={state.running !== null}>
        {view.memoryBytes === null
          ? `The context alone fills ${name}.`
          : parts.map((part, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name
              <span key={i} className={classes[part.role]}>
                {part.row !== undefined && <StrategyMark identity={part.row.identity} />}
                {part.text}
              </span>
            ))}
      </h1>
      <Status view={view} />
    </section>
  );
}

/** With its article, as it is spoken: an RTX, an H100, a V100. */
function nameOf(title: string): string {
  if (title === 'Custom device') return 'your own device';
  return /^[AEFHILMNORSX][A-Z\d]|^[AEIO]/.test(title) ? `an ${title}` : `a ${title}`;
}

function Status({ view }: { readonly view: LimitsView }) {
  const { state, store, rows } = view;
  const { failure, cancelled, running } = state;
  if (failure !== null || cancelled) {
    return (
      <div className={classes['status']} role={failure === null ? 'status' : 'alert'}>
        <span className={failure === null ? undefined : classes['fault']}>
          {failure === null ? 'Cancelled; what was solved stays.' : asSentence(failure.message)}
        </span>
        <Button size="compact-sm" variant="default" flex="none" onClick={store.again}>
          {failure === null ? 'Solve the rest' : 'Try again'}
        </Button>
        {failure?.code === 'BAD_INPUT' && <UseDefaults message={failure.message} />}
      </div>
    );
  }
  if (running !== null && running.strategy !== null) {
    const { strategy, done, since } = running;
    const title = rows.find(({ identity }) => identity.name === strategy)?.identity.title ?? strategy;
    const place = `${formatCount(state.rows.size + 1)} of ${formatCount(rows.length)}`;
    return (
      <div className={classes['status']} role="status">
        <span>
          Solving {title} ({place}), {formatPercent(done)} done
          <TimeLeft done={done} since={since} />
        </span>
        <Button size="compact-sm" variant="default" onClick={store.cancel}>
          Cancel
        </Button>
      </div>
    );
  }
  return (
    <div className={classes['status']}>
      {view.memoryBytes === null
        ? 'Nothing is left for training: give the device more memory, or its context less.'
        : fastestSentence(rows)}
    </div>
  );
}
