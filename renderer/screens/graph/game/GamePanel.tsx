import { Box, Button, Flex } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import layout from '../../../shared/layout/layout.module.css';
import { copyChallenge } from '../../../state/game/challenge.ts';
import { gameSession } from '../../../state/game/game-session.ts';
import { levelNumber, LEVELS } from '../../../state/game/levels.ts';
import { openGame } from '../../../state/game/open-game.ts';
import { writeSet } from '../../../state/game/set-text.ts';
import { openPage } from '../../../state/parts/use-page.ts';
import { useKept, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import graph from '../graph.module.css';
import type { PanelProps } from '../state/panel-props.ts';
import { Answers } from './Answers.tsx';
import classes from './game.module.css';
import { GameZigzag } from './GameZigzag.tsx';
import { Hints } from './Hints.tsx';
import { moveAt } from '../../../state/game/game-log.ts';
import { effectText, moveText } from './say.ts';
import { ScoreBoard } from './ScoreBoard.tsx';
import { type GameView, useGame } from './use-game.ts';

export function GamePanel(props: PanelProps) {
  const view = useGame(props.model);
  return view === null ? null : <Played key={view.game.key} {...props} view={view} />;
}

function Played({ view, ...props }: PanelProps & { readonly view: GameView }) {
  const { model, onChange } = props;
  const workspace = useWorkspace();
  const { arrival } = useKept(gameSession);
  const { game, log, now, best, rival, failure } = view;
  const [said, setSaid] = useState('');
  const title = useRef<HTMLHeadingElement>(null);
  const next = LEVELS[levelNumber(game.level)];
  const size = model.network.paper.tensors.size;

  // The button that led here may be gone: reading goes on here.
  useEffect(() => {
    if (arrival.isNew) title.current?.focus({ preventScroll: true });
    arrival.isNew = false;
  }, [arrival]);

  const share = async (): Promise<void> => {
    const set = model.own.length > 0 ? writeSet(model.own, size) : null;
    setSaid(await copyChallenge(workspace, set));
  };
  const isSolved = best.costStars === 3 && best.peakStars === 3;
  return (
    <>
      <div className={graph['panelHead']}>
        <h2 ref={title} tabIndex={-1}>
          Checkpoint game
        </h2>
        <Flex align="center" gap={4} ml="auto">
          <Button
            variant="default"
            size="compact-xs"
            disabled={log.at === 0}
            onClick={() => view.goTo(log.at - 1)}
          >
            Undo
          </Button>
          <Button
            variant="default"
            size="compact-xs"
            disabled={log.at >= log.sets.length - 1}
            onClick={() => view.goTo(log.at + 1)}
          >
            Redo
          </Button>
          <Button variant="default" size="compact-xs" disabled={model.own.length === 0} onClick={view.clear}>
            Clear
          </Button>
        </Flex>
      </div>
      <p className={layout['note']}>
        Click a tensor to keep or drop it; or press arrow keys and Space. One star for less memory than
        regular training, two within 10 % of the best known, three for the best known.
      </p>
      <ScoreBoard view={view} />
      <div className={graph['verdict']} role="status" aria-atomic="true" data-testid="game-effect">
        {lastMove(view)}
        {outcome(view)}
      </div>
      {rival === 'misfit' && (
        <Box component="p" fz={12} lh="18px" c="var(--zz-danger)">
          The link’s score belongs to another network, so no score is to beat.
        </Box>
      )}
      {failure !== null && (
        <Box component="p" fz={12} lh="18px" c="var(--zz-danger)">
          The best peak is unknown: {failure.message} <LinkButton onClick={view.again}>Try again</LinkButton>
        </Box>
      )}
      {next !== undefined &&
        (now.costStars === 3 || now.peakStars === 3 || isSolved) &&
        game.level !== null && (
          <Button size="sm" onClick={() => openGame(workspace, next)}>
            Go on to level {levelNumber(next)}: {next.title}
          </Button>
        )}
      <div className={classes['row']}>
        <Hints key={model.own.join()} {...props} view={view} />
        <Answers {...props} view={view} />
        <Button variant="default" size="compact-xs" onClick={() => void share()}>
          Copy a challenge
        </Button>
      </div>
      <p className={layout['note']} role="status">
        {said}
      </p>
      <GameZigzag model={model} />
      <MoveLog view={view} />
      <div className={classes['row']}>
        <LinkButton onClick={() => openPage(workspace, 'game')}>All levels</LinkButton>
        <LinkButton onClick={() => onChange({ panel: 'yours' })}>Leave the game</LinkButton>
        <LinkButton onClick={view.forget}>Reset score</LinkButton>
      </div>
    </>
  );
}

function lastMove({ log, measureOf, now }: GameView): string {
  if (log.at === 0) {
    const isEmpty = (log.sets[0] ?? []).length === 0;
    return `${isEmpty ? 'No checkpoints yet: everything is stored' : 'Started with the kept tensors'}. ${effectText(null, now)}.`;
  }
  const before = measureOf(log.sets[log.at - 1] ?? []);
  return `${moveText(moveAt(log, log.at))}. ${effectText(before, now)}.`;
}

function outcome({ now, goals, targets, judged }: GameView): string {
  const parts: string[] = [];
  if (judged !== undefined && 'reason' in judged) parts.push(`This set cannot run: ${judged.reason}.`);
  if (now.costStars === 3) parts.push('That is the optimum of Eq. 2: no set costs less.');
  if (now.peakStars === 3 && targets !== null && now.peak !== null) {
    if (now.peak < targets.leastPeakBytes) parts.push('The peak is below the best known.');
    else if (targets.isExact) parts.push('No set has a lower peak.');
    else parts.push('That is the best known peak.');
  }
  const isBelow = goals.peak !== null && now.cost !== null && now.peak !== null;
  if (isBelow && now.costStars === 3 && now.peakStars < 3) parts.push('Another set has a lower peak.');
  if (isBelow && now.peakStars === 3 && now.costStars < 3) parts.push('Another set has a lower Eq. 2.');
  return parts.length === 0 ? '' : ` ${parts.join(' ')}`;
}

/** A longer list would be slow; undo goes back further. */
const MAX_SHOWN = 40;

function MoveLog({ view }: { readonly view: GameView }) {
  const { log, measureOf, goTo } = view;
  const first = Math.max(1, log.sets.length - MAX_SHOWN);
  const places = Array.from({ length: log.sets.length - first }, (_, i) => log.sets.length - 1 - i);
  return (
    <section className={classes['log']} aria-label="Moves">
      <h3>Moves</h3>
      {places.length === 0 ? (
        <Box component="p" fz={12} fw={400} c="dimmed">
          None yet.
        </Box>
      ) : (
        <ol>
          {places.map((at) => (
            <li key={at} data-ahead={at > log.at || undefined}>
              <button
                type="button"
                aria-current={at === log.at ? 'step' : undefined}
                onClick={() => goTo(at)}
              >
                <b>
                  {at}. {moveText(moveAt(log, at))}
                </b>
                <span>{effectText(measureOf(log.sets[at - 1] ?? []), measureOf(log.sets[at] ?? []))}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
