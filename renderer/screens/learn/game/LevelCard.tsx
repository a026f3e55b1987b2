import { StarRow } from '../../../state/parts/StarRow.tsx';
import type { Level } from '../../../state/game/levels.ts';
import { type Score, starsOf } from '../../../state/game/scores.ts';
import layout from '../../../shared/layout/layout.module.css';
import classes from './game.module.css';

export interface LevelCardProps {
  readonly level: Level;
  readonly number: number;
  readonly score: Score;
  readonly onPlay: () => void;
}

/** A level: what it teaches, and what was reached by each measure. */
export function LevelCard({ level, number, score, onPlay }: LevelCardProps) {
  return (
    <button type="button" className={`${layout['card']} ${classes['level']}`} onClick={onPlay}>
      <span className={classes['name']}>
        <span className={classes['number']} data-won={starsOf(score) > 0 || undefined}>
          {number}
        </span>
        <b>{level.title}</b>
      </span>
      <span className={classes['teaches']}>{level.teaches}</span>
      <span className={classes['won']}>
        <span>
          Eq. 2 <StarRow stars={score.cost?.stars ?? 0} />
        </span>
        <span>
          Peak <StarRow stars={score.peak?.stars ?? 0} />
        </span>
        {score.revealed && <span>answers seen</span>}
      </span>
    </button>
  );
}
