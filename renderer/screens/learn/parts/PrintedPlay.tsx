import type { StrategyIdentity } from '../../../state/strategies/identity.ts';
import type { Game } from '../model/games.ts';
import type { Play } from '../model/play.ts';
import { Board } from './Board.tsx';
import { boardLayout } from './board-layout.ts';
import { moveText } from './describe-frame.ts';
import { PrintedSteps } from './PrintedSteps.tsx';
import { printedFrames } from './printed-frames.ts';

export interface PrintedPlayProps {
  readonly game: Game;
  readonly play: Play;
  readonly identity: StrategyIdentity;
}

/** Drawn in this width, and scaled to the column of the page. */
const WIDTH = 400;

/** The steps of a play as boards, since paper does not play. */
export function PrintedPlay({ game, play, identity }: PrintedPlayProps) {
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
