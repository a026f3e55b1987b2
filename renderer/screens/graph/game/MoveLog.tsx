import { moveAt } from '../../../state/game/game-log.ts';
import classes from './game.module.css';
import { effectText, moveText } from './say.ts';
import type { GameView } from './use-game.ts';

/** A longer list would be slow; undo goes back further. */
const MOST_SHOWN = 40;

/** Every move with its effect, the latest first; a click goes back to it. */
export function MoveLog({ view }: { readonly view: GameView }) {
  const { log, measureOf, goTo } = view;
  const first = Math.max(1, log.sets.length - MOST_SHOWN);
  const places = Array.from({ length: log.sets.length - first }, (_, i) => log.sets.length - 1 - i);
  return (
    <section className={classes['log']} aria-label="Moves">
      <h3>Moves</h3>
      {places.length === 0 ? (
        <p className={classes['nothing']}>None yet.</p>
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
