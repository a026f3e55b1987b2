import { formatChange } from '../../../shared/format/numbers.ts';
import type { OverheadLine } from './overhead.ts';
import classes from '../train.module.css';

const WIDTH = 100;

/** Predicted and measured time overhead on one scale; a whisker is the middle half of what was measured. */
export function OverheadBars({
  lines,
  color,
}: {
  readonly lines: readonly OverheadLine[];
  readonly color: string;
}) {
  if (lines.length === 0) return null;
  const most = Math.max(0.01, ...lines.flatMap(({ share, quartiles }) => [share ?? 0, ...(quartiles ?? [])]));
  const x = (share: number): number => (Math.max(0, share) / most) * WIDTH;
  return (
    <>
      <h3>Time overhead</h3>
      <dl className={classes['bars']}>
        {lines.map(({ name, share, quartiles, measured, note }) => (
          <div key={name} title={note}>
            <dt>{name}</dt>
            <dd className={classes['bar']}>
              <svg
                viewBox={`0 0 ${WIDTH} 12`}
                preserveAspectRatio="none"
                aria-hidden="true"
                focusable="false"
              >
                {share !== null && (
                  <rect
                    x={0}
                    y={2}
                    width={x(share)}
                    height={8}
                    fill={measured ? color : 'var(--zz-hold-input)'}
                    opacity={measured ? 0.85 : 1}
                  />
                )}
                {quartiles !== null && (
                  <path
                    d={`M${x(quartiles[0])} 6H${x(quartiles[1])}`}
                    stroke="var(--zz-ink)"
                    strokeWidth={2}
                    vectorEffect="non-scaling-stroke"
                  />
                )}
              </svg>
            </dd>
            <dd data-measured={measured || undefined}>{share === null ? 'no pairs' : formatChange(share)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
