import { useMemo } from 'react';
import { PictureCard } from './PictureCard.tsx';
import type { ChartTable } from '../../../shared/charts/csv.ts';
import { useSize } from '../../../shared/use-size.ts';
import classes from './learn.module.css';
import type { Game } from '../model/games.ts';
import type { Play } from '../model/play.ts';
import { usePrinting } from './use-printing.ts';
import { Board } from './Board.tsx';
import { boardLayout } from './board-layout.ts';
import { frameSentence, moveText, peakUpTo } from './describe-frame.ts';
import { Counter } from './Counter.tsx';
import { PlayerBar } from './PlayerBar.tsx';
import { PlayLegend } from './PlayLegend.tsx';
import { Scrubber } from './Scrubber.tsx';
import { type Played, Trace, TRACE_HEIGHT, traceArea } from './Trace.tsx';
import { TRACE_HOLDERS } from './trace.ts';
import { usePlayer } from './use-player.ts';
import type { StrategyIdentity } from '../../../state/strategies/identity.ts';
import { PrintedSteps } from './PrintedSteps.tsx';
import { printedFrames } from './printed-frames.ts';

export interface PlayCardProps extends Played {
  readonly title: string;
  readonly game: Game;
  readonly beside?: Played;
  /** Frame that the link wants, and what happens when the player comes to rest. */
  readonly at: number;
  readonly onRest: (at: number) => void;
}

/** A longer table helps nobody; the file has all rows. */
const MAX_ROWS = 200;

export function PlayCard(props: PlayCardProps) {
  const { title, game, play, identity, beside } = props;
  const { frames } = play;
  const player = usePlayer({ frames: frames.length, at: props.at, onRest: props.onRest });
  const { at, playing } = player;
  const isPrinting = usePrinting();
  const size = useSize<HTMLDivElement>();
  const [, { width }] = size;
  const layout = useMemo(() => boardLayout(game, width), [game, width]);
  const height = layout.height + TRACE_HEIGHT;
  const table = useMemo(() => playTable(title, play), [title, play]);
  const shortTable = useMemo(() => ({ ...table, rows: table.rows.slice(0, MAX_ROWS) }), [table]);
  const sentence = frameSentence(play, at);

  return (
    <PictureCard
      layer="play"
      size={size}
      title={title}
      summary={`${sentence} ${identity.title} needs ${play.timeline.peakBytes} pebbles at most.`}
      fileName={`pebbles-${identity.name}`}
      height={height}
      table={shortTable}
      whole={table}
      overlay={
        <Scrubber
          area={traceArea(width)}
          top={layout.height}
          frames={frames.length}
          places={Math.max(frames.length, beside?.play.frames.length ?? 0)}
          at={at}
          text={sentence}
          onSeek={player.seek}
          onToggle={player.toggle}
        />
      }
      bar={
        <div className={classes['playRow']}>
          <PlayerBar player={player} last={frames.length - 1} />
          <dl className={classes['counters']}>
            <Counter name="Pebbles now" value={frames[at]!.live} />
            <Counter name="Most so far" value={peakUpTo(play, at)} />
            <Counter name="Computed again" value={frames[at]!.recomputes} />
          </dl>
        </div>
      }
      footer={
        <div className={classes['playFoot']}>
          <p className={classes['reading']} role="status" aria-live={playing ? 'off' : 'polite'}>
            {sentence}
          </p>
          <PlayLegend identity={identity} />
          {isPrinting && <PrintedPlay game={game} play={play} identity={identity} />}
        </div>
      }
    >
      <Board game={game} layout={layout} frame={frames[at]!} identity={identity} />
      <g transform={`translate(0 ${layout.height})`}>
        <Trace width={width} play={play} identity={identity} beside={beside} at={at} />
      </g>
    </PictureCard>
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

interface PrintedPlayProps {
  readonly game: Game;
  readonly play: Play;
  readonly identity: StrategyIdentity;
}

const WIDTH = 400;

function PrintedPlay({ game, play, identity }: PrintedPlayProps) {
  const { frames, peakFrame, backwardFrame } = play;
  const layout = boardLayout(game, WIDTH);
  return (
    <PrintedSteps
      all={frames.length}
      width={WIDTH}
      height={layout.height}
      steps={printedFrames(frames.length, [peakFrame, backwardFrame]).map((at) => ({
        at,
        text: `${moveText(frames[at]!)}: ${frames[at]!.live}`,
        board: <Board game={game} layout={layout} frame={frames[at]!} identity={identity} />,
      }))}
    />
  );
}
