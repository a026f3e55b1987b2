import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { identityOf } from '../../../state/strategies/identity.ts';
import { StrategyMark } from '../../../state/strategies/StrategyMark.tsx';
import type { CheckpointSet } from '../state/paint.ts';
import { verticesOf } from '../state/paper-graph.ts';
import type { PanelProps } from '../state/panel-props.ts';
import { useSession } from '../use-graph.ts';
import classes from './game.module.css';
import type { GameView } from './use-game.ts';

const MIN_COST = { ...identityOf('optimal'), title: 'Minimum of Eq. 2' };
const MIN_PEAK = { ...identityOf('live'), name: 'least-peak', title: 'Minimum of the peak' };

/** Once the answers were shown nothing counts on this game until it is restarted. */
export function Answers({ model, view }: PanelProps & { readonly view: GameView }) {
  const { answers } = useSession();
  const { targets, best, score } = view;
  const { paper } = model.network;
  const isSolved = best.costStars === 3 && best.peakStars === 3;
  const [isWanted, setWanted] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const isShown = score.revealed || (isSolved && isWanted);

  useEffect(() => {
    const sets: CheckpointSet[] = [{ identity: MIN_COST, vertices: paper.optimum.checkpoints }];
    if (targets !== null) sets.push({ identity: MIN_PEAK, vertices: verticesOf(paper, targets.checkpoints) });
    answers.set(isShown ? sets : []);
    return () => answers.set([]);
  }, [answers, isShown, paper, targets]);

  const show = (): void => {
    if (!isSolved) view.reveal();
    setAsking(false);
    setWanted(true);
  };
  if (!isShown) {
    return isAsking ? (
      <div className={`${classes['row']} ${classes['asking']}`}>
        <span>Then no score counts until you reset it.</span>
        <Button size="compact-xs" onClick={show}>
          Show answers
        </Button>
        <Button variant="default" size="compact-xs" onClick={() => setAsking(false)}>
          Play on
        </Button>
      </div>
    ) : (
      <Button variant="default" size="compact-xs" onClick={() => (isSolved ? show() : setAsking(true))}>
        Show the answers
      </Button>
    );
  }
  return (
    <dl className={classes['answers']} data-testid="game-answers">
      <div>
        <dt>
          <StrategyMark identity={MIN_COST} />
          Least Eq. 2
        </dt>
        <dd>{formatBytes(view.goals.cost.least)}</dd>
      </div>
      {targets !== null && (
        <div>
          <dt>
            <StrategyMark identity={MIN_PEAK} />
            {targets.isExact ? 'Least peak' : 'Best known peak'}
          </dt>
          <dd>
            {formatBytes(targets.leastPeakBytes)}
            {!targets.isExact && <span>; no schedule needs less than {formatBytes(targets.boundBytes)}</span>}
          </dd>
        </div>
      )}
    </dl>
  );
}
