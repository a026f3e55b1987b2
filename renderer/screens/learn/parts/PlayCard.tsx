import { useCallback, useMemo } from 'react';
import type { ChartTable } from '../../../shared/charts/csv.ts';
import layout from '../../../shared/layout/layout.module.css';
import { colorOf, type StrategyIdentity } from '../../../state/strategies/identity.ts';
import { type GameName, gameOf } from '../model/games.ts';
import type { Play } from '../model/play.ts';
import { playedBy } from '../model/plays.ts';
import { Board } from './Board.tsx';
import { boardLayout } from './board-layout.ts';
import { frameSentence, moveText, peakUpTo } from './describe-frame.ts';
import { playerIdentity } from './identities.ts';
import classes from './learn.module.css';
import { PlayerCard } from './PlayerCard.tsx';
import { liveOf, playBands, TRACE_HOLDERS } from './trace.ts';

export interface PlayCardProps {
  readonly title: string;
  readonly graph?: GameName;
  readonly layers: number;
  readonly play: Play;
  readonly identity: StrategyIdentity;
  readonly first?: number;
}

const REGULAR = playerIdentity('regular');

/** A training step, played on both boards, over the curve of regular training. */
export function PlayCard({ title, graph = 'chain', layers, play, identity, first = 0 }: PlayCardProps) {
  const game = gameOf(graph, layers);
  const { frames } = play;
  const board = useCallback(
    (width: number) => {
      const room = boardLayout(game, width);
      const draw = (at: number) => (
        <Board game={game} layout={room} frame={frames[at]!} identity={identity} />
      );
      return { height: room.height, draw };
    },
    [game, frames, identity],
  );
  const table = useMemo(() => playTable(title, play), [title, play]);
  const regular = identity.name === 'regular' ? '' : playedBy(graph, layers, 'regular');
  const color = colorOf(identity);
  return (
    <PlayerCard
      layer="play"
      title={title}
      fileName={`pebbles-${identity.name}`}
      table={table}
      summary={`${identity.title} needs ${play.timeline.peakBytes} pebbles at most.`}
      sentence={(at) => frameSentence(play, at)}
      counters={(at) => ({
        'Pebbles now': frames[at]!.live,
        'Most so far': peakUpTo(play, at),
        'Computed again': frames[at]!.recomputes,
      })}
      board={board}
      trace={{
        live: liveOf(play),
        color,
        bands: playBands(play),
        peakFrame: play.peakFrame,
        split: play.backwardFrame,
        ...(typeof regular !== 'string' && {
          beside: { live: liveOf(regular), color: colorOf(REGULAR), dash: REGULAR.dash },
        }),
      }}
      legend={
        <p className={layout['legend']}>
          <span>
            <i className={classes['disc']} style={{ background: color }} />
            kept from the first forward
          </span>
          <span>
            <i
              className={classes['disc']}
              style={{ background: 'var(--zz-hold-recomputed)', borderColor: color }}
            />
            computed again
          </span>
          <span>
            <i className={classes['disc']} style={{ background: color, opacity: 0.5 }} />
            faint: removed next
          </span>
          <span>
            <i className={classes['square']} />
            gradient
          </span>
          <span>
            <i className={classes['ring']} />
            running now
          </span>
        </p>
      }
      first={first}
      caption={(at) => `${moveText(frames[at]!)}: ${frames[at]!.live}`}
      marks={[play.peakFrame, play.backwardFrame]}
    />
  );
}

function playTable(title: string, { frames }: Play): ChartTable {
  return {
    caption: title,
    columns: [
      'Step',
      'Operation',
      'Pebbles',
      ...TRACE_HOLDERS.map((holder) => holder.title),
      'Computed again',
    ],
    rows: frames.map((frame, i) => [
      i + 1,
      moveText(frame),
      frame.live,
      ...TRACE_HOLDERS.map(({ of }) => frame.held[of]),
      frame.recomputes,
    ]),
  };
}
