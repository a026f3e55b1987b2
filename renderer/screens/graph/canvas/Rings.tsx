import { colorOf } from '../../../state/strategies/identity.ts';
import classes from '../graph.module.css';
import type { Ring } from '../state/paint.ts';

export interface RingsProps {
  readonly rings: readonly Ring[];
  readonly width: number;
  readonly height: number;
}

/** Checkpoints: one ring a strategy around the box, in its colour and dash, the first innermost. */
export function Rings({ rings, width, height }: RingsProps) {
  return (
    <svg
      className={classes['rings']}
      width={width}
      height={height}
      aria-hidden="true"
      data-rings={rings.length}
    >
      {rings.map(({ identity }, i) => {
        const out = 3 + i * 4.5;
        return (
          <rect
            key={identity.name}
            data-ring={identity.name}
            x={-out}
            y={-out}
            width={width + 2 * out}
            height={height + 2 * out}
            rx={6 + out}
            fill="none"
            stroke={colorOf(identity)}
            strokeDasharray={identity.dash}
          />
        );
      })}
    </svg>
  );
}
