import { colorOf, type StrategyIdentity } from '../../../state/strategies/identity.ts';
import layout from '../../../shared/layout/layout.module.css';
import classes from './learn.module.css';

export function PlayLegend({ identity }: { readonly identity: StrategyIdentity }) {
  return (
    <p className={layout['legend']}>
      <span>
        <i className={classes['disc']} style={{ background: colorOf(identity) }} />
        kept since the first forward
      </span>
      <span>
        <i
          className={classes['disc']}
          style={{ background: 'var(--zz-hold-recomputed)', borderColor: colorOf(identity) }}
        />
        computed again
      </span>
      <span>
        <i className={classes['disc']} style={{ background: colorOf(identity), opacity: 0.5 }} />
        faint: taken away next
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
  );
}
