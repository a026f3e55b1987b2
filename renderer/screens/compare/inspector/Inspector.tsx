import { Box, Button, UnstyledButton } from '@mantine/core';
import { asSentence } from '../../../shared/format/sentence.ts';
import { stepAt } from '../../../shared/charts/step-axis.ts';
import { formatBytes, formatExactBytes } from '../../../shared/format/bytes.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import { bytesAfterForward, HOLDER_TITLES } from '../../../state/comparison/sized-timeline.ts';
import { useStore } from '../../../shared/store.ts';
import { StrategyMark } from '../../../state/strategies/StrategyMark.tsx';
import layout from '../../../shared/layout/layout.module.css';
import classes from '../compare.module.css';
import { doneIn, stepView } from '../zigzag/describe-step.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import { bytesAt, drawnRows } from '../../../state/comparison/zigzag.ts';
import type { ZigzagSession } from '../zigzag/zigzag-session.ts';

export interface InspectorProps {
  readonly view: CompareView;
  readonly session: ZigzagSession;
}

/** Live memory at the cursor, or at the peak while nothing is pointed at. Its size never changes. */
export function Inspector({ view, session }: InspectorProps) {
  const place = useStore(session.cursor);
  const scale = useStore(session.scale);
  const isHeld = useStore(session.cursor.held);
  const lists = useStore(session.lists);
  const { front, rows, state } = view;
  const sized = front?.sized ?? null;
  if (front === null || sized === null || state.shown === null) {
    return <aside className={layout['card']} aria-label="At the cursor" />;
  }
  const step = place === null ? sized.peakStep : stepAt(sized.axis, place, scale);
  const at = stepView(sized, step, state.shown);
  const kept = bytesAfterForward(sized);
  const weights = state.shown.head.weightsBytes;
  const live = place === null ? null : bytesAt(rows, place, scale);

  return (
    <aside className={`${layout['card']} ${classes['inspector']}`} aria-label="At the cursor">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it in a small window */}
      <div className={classes['inspectorBody']} tabIndex={0}>
        <h2 className={layout['note']}>
          {place === null ? 'At the peak of' : isHeld ? 'Held at the cursor,' : 'At the cursor,'}{' '}
          {front.identity.title}
          {isHeld && (
            <UnstyledButton className={classes['letGo']} onClick={session.cursor.letGo}>
              Release (Esc)
            </UnstyledButton>
          )}
        </h2>
        <Box fz={20} lh="32px" fw={600} title={formatExactBytes(at.liveBytes)}>
          {formatBytes(at.liveBytes)}
        </Box>
        <div className={layout['cut']} title={doneIn(at)}>
          {at.action} <strong>{at.tensor}</strong>
          {at.place}
        </div>
        <Box mih={32} className={layout['note']}>
          {at.operation}, its tensor {formatBytes(at.tensorBytes)}, step {formatCount(at.step + 1)} of{' '}
          {formatCount(at.steps)}
        </Box>
        <div className={classes['bar']} aria-hidden="true">
          {at.holders.map(({ holder, bytes }) => (
            <i
              key={holder}
              style={{ background: `var(--zz-hold-${holder})`, flexGrow: bytes, flexBasis: 0 }}
            />
          ))}
        </div>
        <dl className={layout['figures']}>
          {at.holders.map(({ holder, bytes }) => (
            <div key={holder}>
              <dt>
                <i className={layout['swatch']} style={{ background: `var(--zz-hold-${holder})` }} />
                {HOLDER_TITLES[holder]}
              </dt>
              <dd>{formatBytes(bytes)}</dd>
            </div>
          ))}
          {at.hostBytes !== null && (
            <div>
              <dt>
                <i className={classes['hostLine']} />
                In host memory
              </dt>
              <dd>{formatBytes(at.hostBytes)}</dd>
            </div>
          )}
        </dl>
        {live === null && (
          <Box component="p" mt={4} className={layout['note']} title={formatExactBytes(kept)}>
            {formatBytes(kept)} of activations after the forward pass, {formatBytes(kept + weights)} with the
            weights
          </Box>
        )}
        <Button
          variant="default"
          mt={8}
          size="compact-xs"
          aria-expanded={lists}
          onClick={() => session.lists.set(!lists)}
        >
          {lists ? 'Close the list of tensors' : 'List every tensor'}
        </Button>
        {live === null ? (
          front.claim !== null && (
            <Box component="p" mt={16} className={layout['note']}>
              {asSentence(front.claim)}
            </Box>
          )
        ) : (
          <>
            <Box component="h3" mt={16} className={layout['note']}>
              All strategies here
            </Box>
            <dl className={layout['figures']}>
              {drawnRows(rows).map(({ identity }) => (
                <div key={identity.name} data-front={identity.name === front.identity.name || undefined}>
                  <dt>
                    <StrategyMark identity={identity} />
                    {identity.title}
                  </dt>
                  <dd>{formatBytes(live.get(identity.name) ?? 0)}</dd>
                </div>
              ))}
            </dl>
          </>
        )}
      </div>
    </aside>
  );
}
