import { UseDefaults } from '../../../state/parts/UseDefaults.tsx';
import { formatCount, formatPercent } from '../../../shared/format/numbers.ts';
import { Headline, headlineParts } from '../../../shared/layout/Headline.tsx';
import { StatusLine } from '../../../shared/layout/StatusLine.tsx';
import { SolvingEnded } from '../../../state/parts/SolvingEnded.tsx';
import { TimeLeft } from '../../../shared/progress/TimeLeft.tsx';
import { StrategyMark } from '../../../state/strategies/StrategyMark.tsx';
import { countedOf } from '../state/counted.ts';
import { fastestSentence, limitsHeadline } from './headline.ts';
import type { LimitsView } from '../use-limits.ts';

export function LimitsHeadline({ view }: { readonly view: LimitsView }) {
  const { network, device, rows, state } = view;
  const name = nameOf(device.title);
  const parts =
    state.failure !== null && state.rows.size === 0
      ? [{ text: `No limits of ${network}`, role: 'text' as const }]
      : limitsHeadline(network, name, rows, countedOf(state.head).one);
  return (
    <Headline
      live="polite"
      busy={state.running !== null}
      sentence={
        view.memoryBytes === null
          ? `The context alone fills ${name}.`
          : headlineParts(parts, ({ row }) => row !== undefined && <StrategyMark identity={row.identity} />)
      }
    >
      <Status view={view} />
    </Headline>
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
      <SolvingEnded
        failure={failure}
        again={() => void store.again()}
        more={failure?.code === 'BAD_INPUT' && <UseDefaults message={failure.message} />}
      />
    );
  }
  if (running !== null) {
    const { strategy, done, since } = running;
    const title = rows.find(({ identity }) => identity.name === strategy)?.identity.title ?? strategy;
    const solved = state.stale ? 0 : state.rows.size;
    const place = `${formatCount(solved + 1)} of ${formatCount(rows.length)}`;
    return (
      <StatusLine
        kind="work"
        progress={{ share: (solved + done) / rows.length, label: 'Limits solved' }}
        action={{ title: 'Cancel', run: store.cancel }}
      >
        {strategy === null ? (
          'Waiting for the solver'
        ) : (
          <>
            Solving {title} ({place}), {formatPercent(done)} done
            <TimeLeft done={done} since={since} />
          </>
        )}
      </StatusLine>
    );
  }
  return (
    <StatusLine>
      {view.memoryBytes === null
        ? 'Nothing is left for training. Choose a device with more memory, or a smaller context.'
        : fastestSentence(rows)}
    </StatusLine>
  );
}
