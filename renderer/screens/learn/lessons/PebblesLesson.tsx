import { SegmentedControl, Select } from '@mantine/core';
import { StrategyMark } from '../../../state/strategies/StrategyMark.tsx';
import { playerIdentity } from '../parts/identities.ts';
import layout from '../../../shared/layout/layout.module.css';
import classes from '../parts/learn.module.css';
import { GAME_TITLES, GAMES, type GameName, gameOf } from '../model/games.ts';
import { PLAYERS, playedBy } from '../model/plays.ts';
import { oneOf, wholeNumber } from '../../../state/learn/page-state.ts';
import { PlayCard } from '../parts/PlayCard.tsx';
import { SliderField } from '../parts/SliderField.tsx';
import { Term } from '../../../state/parts/Term.tsx';
import { Try } from '../parts/Try.tsx';
import { usePage } from '../../../state/parts/use-page.ts';

const MOST = 24;
const NAMES = PLAYERS.map(({ name }) => name);

/** The strategies of article 002, in its order. */
const ARTICLE = ['regular', 'memory-poor', 'chen-sqrt'] as const;
const said = new Intl.ListFormat('en-GB');

/** "7 units regular": the peak of five convolutions. */
function articleUnits(name: (typeof ARTICLE)[number]): string {
  const play = playedBy('convolutions', 0, name);
  const title = playerIdentity(name).title;
  return typeof play === 'string' ? `${title}: ${play}` : `${play.timeline.peakBytes} units by ${title}`;
}

export function PebblesLesson() {
  const { params, set } = usePage();
  const graph = oneOf<GameName>(params['graph'], GAMES, 'chain');
  const layers = wholeNumber(params['n'], 2, MOST, 9);
  const strategy = oneOf(params['by'], NAMES, 'chen-sqrt');
  const play = playedBy(graph, layers, strategy);
  const regular = playedBy(graph, layers, 'regular');
  const identity = playerIdentity(strategy);
  return (
    <>
      <p className={classes['lead']}>
        A pebble on a vertex says that its tensor is in memory. You may place one where every input has its
        own, and take away any. The most pebbles that are ever on the board are the memory that you need.
      </p>
      <div className={classes['fields']}>
        <SegmentedControl
          size="sm"
          aria-label="Graph"
          value={graph}
          onChange={(value) => set({ graph: value, at: undefined })}
          data={GAMES.map((name) => ({ value: name, label: GAME_TITLES[name] }))}
        />
        <Select
          size="sm"
          w={192}
          aria-label="Strategy"
          value={strategy}
          allowDeselect={false}
          data={NAMES.map((name) => ({ value: name, label: playerIdentity(name).title }))}
          leftSection={<StrategyMark identity={identity} />}
          leftSectionWidth={44}
          onChange={(value) => set({ by: value ?? undefined, at: undefined })}
        />
        {graph === 'chain' && (
          <SliderField
            label="Layers"
            value={layers}
            min={2}
            max={MOST}
            onValue={(n) => set({ n, at: undefined })}
          />
        )}
      </div>
      {typeof play === 'string' || typeof regular === 'string' ? (
        <p className={`${layout['card']} ${layout['empty']} ${classes['empty']}`} role="status">
          {identity.title} has no schedule here: {typeof play === 'string' ? play : ''}. Choose another
          strategy or the other graph.
        </p>
      ) : (
        <PlayCard
          title={`${identity.title} on ${GAME_TITLES[graph].toLowerCase()}`}
          game={gameOf(graph, layers)}
          play={play}
          identity={identity}
          {...(strategy === 'regular'
            ? {}
            : { beside: { play: regular, identity: playerIdentity('regular') } })}
          at={wholeNumber(params['at'], 0, play.frames.length - 1, 0)}
          onRest={(at) => set({ at })}
        />
      )}
      <div className={classes['text']}>
        <p>
          Training plays on two boards. Above are the activations, computed from left to right; below their
          gradients, from right to left. The backward of a layer needs the pebbles of its input and of its
          output; a sum or a concatenation needs none.
        </p>
        {graph === 'convolutions' && (
          <p data-article>
            A convolution’s backward needs its input alone. OpenAI’s article draws five of them:{' '}
            {said.format(ARTICLE.map((name) => articleUnits(name)))}, as it prints.
          </p>
        )}
        <p>
          A pebble may be placed again later: that is a <Term id="recompute">recompute</Term>, and the number
          in the disc counts the times. Memory and work can be traded for each other. The thin line in the
          lower picture is regular training.
        </p>
        <p>
          Every move shown here is a step of a <Term id="schedule">schedule</Term> that a strategy of this lab
          made and its simulator replayed; pebbles are the tensors that it counts. Space plays, the arrow keys
          step.
        </p>
      </div>
      <Try
        trial={{ screen: 'graph', experiment: { model: 'tiny-residual' }, view: { panel: 'yours' } }}
        action="Place checkpoints yourself"
      >
        Play on a real network: click tensors of three residual blocks to keep them and watch your zigzag race
        the optimum.
      </Try>
    </>
  );
}
