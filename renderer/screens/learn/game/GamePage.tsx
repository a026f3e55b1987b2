import { Box, Button, Flex, Group } from '@mantine/core';
import { useState } from 'react';
import { MAX_STARS } from '../../../../engine/game/stars.ts';
import { NumberField } from '../../../shared/fields/NumberField.tsx';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import layout from '../../../shared/layout/layout.module.css';
import { useStore } from '../../../shared/store.ts';
import { keyOf } from '../../../state/game/game.ts';
import { gameSession } from '../../../state/game/game-session.ts';
import { type Level, LEVELS, MAX_SEED, seedLevel } from '../../../state/game/levels.ts';
import { GAME_PANEL, openGame } from '../../../state/game/open-game.ts';
import { NO_SCORE, type Score, starsOf } from '../../../state/game/scores.ts';
import { wholeNumber } from '../../../state/learn/page-state.ts';
import { Term } from '../../../state/parts/Term.tsx';
import { usePage } from '../../../state/parts/use-page.ts';
import { useCatalog, useKept, useLabPart, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import classes from './game.module.css';
import learn from '../parts/learn.module.css';
import { StarRow } from '../../../state/parts/StarRow.tsx';

/** Both measures give stars. */
const MAX_OF_LEVEL = 2 * MAX_STARS;

export function GamePage() {
  const workspace = useWorkspace();
  const { scores } = useKept(gameSession);
  const all = useStore(scores);
  const { params, set } = usePage();
  const [isAsking, setAsking] = useState(false);
  const model = useLabPart(({ experiment }) => experiment.model);
  const { models } = useCatalog();
  const title = models.find(({ name }) => name === model)?.title ?? model;
  const seed = wholeNumber(params['seed'], 0, MAX_SEED, 1);
  const won = LEVELS.map((level) => all.get(keyOf(level)) ?? NO_SCORE);
  const stars = won.reduce((sum, score) => sum + starsOf(score), 0);
  const next = LEVELS.find((_, i) => starsOf(won[i]!) === 0) ?? LEVELS[0]!;
  const playOwn = (): void => {
    const { experiment, selected } = workspace.experiment.get();
    workspace.experiment.open({
      screen: 'graph',
      experiment,
      selected,
      view: { panel: GAME_PANEL },
      faults: [],
    });
  };
  return (
    <>
      <Box component="p" fz={16} maw="88ch" lh="24px">
        Choose which tensors to keep, so that one training step needs as little memory as possible. Every
        choice gets two scores: the papers’ <Term id="eq2">Eq. 2</Term>, and the true{' '}
        <Term id="peak">peak</Term> that the simulator finds. The best set for one is often not the best for
        the other.
      </Box>
      <Group justify="space-between" gap="8px 24px">
        <p role="status">
          <Box component="b" fz={16}>
            {stars} of {LEVELS.length * MAX_OF_LEVEL}
          </Box>{' '}
          stars. Each score gives up to three: one for less than regular training, two for at most 10 % above
          the minimum, three for the minimum.
        </p>
        <Button size="sm" onClick={() => openGame(workspace, next)}>
          {stars === 0 ? 'Play level 1' : `Play level ${LEVELS.indexOf(next) + 1}`}
        </Button>
      </Group>
      <ol className={classes['levels']}>
        {LEVELS.map((level, i) => (
          <Box component="li" display="grid" key={level.model}>
            <LevelCard
              level={level}
              number={i + 1}
              score={won[i]!}
              onPlay={() => openGame(workspace, level)}
            />
          </Box>
        ))}
      </ol>
      <section className={classes['more']} aria-label="Other networks">
        <div className={`${layout['card']} ${classes['part']}`}>
          <h2>A random network</h2>
          <p>
            A seed draws a small network, the same for everyone. Send the number, or the challenge that the
            game copies.
          </p>
          <Group align="flex-end" gap={8}>
            <NumberField
              rule={{ label: 'Seed', min: 0, max: MAX_SEED, whole: true }}
              value={seed}
              width={128}
              onValue={(value) => set({ seed: value })}
            />
            <Button variant="default" size="sm" onClick={() => set({ seed: newSeed() })}>
              Another seed
            </Button>
            <Button size="sm" onClick={() => openGame(workspace, seedLevel(seed))}>
              Play seed {seed}
            </Button>
          </Group>
        </div>
        <div className={`${layout['card']} ${classes['part']}`}>
          <h2>Your own network</h2>
          <p>
            Play on the network that is open, at its batch and input. A challenge carries a network from a
            file along.
          </p>
          <Button variant="default" size="sm" onClick={playOwn}>
            Play on {title}
          </Button>
        </div>
      </section>
      <p className={layout['note']}>
        Scores are stored on this device only.{' '}
        {all.size > 0 &&
          (isAsking ? (
            <>
              Reset the scores of all games?{' '}
              <LinkButton
                onClick={() => {
                  scores.forgetAll();
                  setAsking(false);
                }}
              >
                Reset scores
              </LinkButton>{' '}
              <LinkButton onClick={() => setAsking(false)}>Keep scores</LinkButton>
            </>
          ) : (
            <LinkButton onClick={() => setAsking(true)}>Reset all scores</LinkButton>
          ))}
      </p>
    </>
  );
}

/** Short enough to be read out in a class. */
const newSeed = (): number => 1 + Math.floor(Math.random() * 9999);

interface LevelCardProps {
  readonly level: Level;
  readonly number: number;
  readonly score: Score;
  readonly onPlay: () => void;
}

function LevelCard({ level, number, score, onPlay }: LevelCardProps) {
  return (
    <button type="button" className={`${layout['card']} ${classes['level']}`} onClick={onPlay}>
      <Flex component="span" align="center" gap={8}>
        <span className={learn['mark']} data-visited={starsOf(score) > 0 || undefined}>
          {number}
        </span>
        <b>{level.title}</b>
      </Flex>
      <Box component="span" fz={13} lh="18px" c="dimmed">
        {level.teaches}
      </Box>
      <Flex component="span" wrap="wrap" gap="4px 16px" fz={12} lh="16px">
        <span>
          Eq. 2 <StarRow stars={score.cost?.stars ?? 0} />
        </span>
        <span>
          Peak <StarRow stars={score.peak?.stars ?? 0} />
        </span>
        {score.revealed && <span>answers shown</span>}
      </Flex>
    </button>
  );
}
