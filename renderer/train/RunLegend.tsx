import type { RunLook } from './run-look.ts';
import classes from './train.module.css';

/** Which line is which run: items of a legend. */
export function RunLegend({ looks }: { readonly looks: readonly RunLook[] }) {
  return (
    <>
      {looks.map(({ run, title, color, dash, width }) => (
        <span key={run.key} className={classes['legendItem']}>
          <svg width={24} height={8} aria-hidden="true" focusable="false">
            <line
              x1={1}
              x2={23}
              y1={4}
              y2={4}
              stroke={color}
              strokeWidth={width + 0.5}
              strokeDasharray={dash}
            />
          </svg>
          {title}
        </span>
      ))}
    </>
  );
}
