import { MAX_STARS } from '../../../engine/game/stars.ts';
import classes from './stars.module.css';

const STAR = 'M10 1.8l2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z';

export function StarRow({ stars, most = MAX_STARS }: { readonly stars: number; readonly most?: number }) {
  return (
    <span className={classes['stars']} role="img" aria-label={`${stars} of ${most} stars`} data-stars={stars}>
      {Array.from({ length: most }, (_, i) => (
        <svg key={String(i)} viewBox="0 0 20 20" width={14} height={14} aria-hidden="true">
          <path d={STAR} className={i < stars ? classes['full'] : classes['hollow']} />
        </svg>
      ))}
    </span>
  );
}
