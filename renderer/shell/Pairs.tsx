import type { ReactNode } from 'react';
import classes from './frame.module.css';

export interface PairsProps {
  readonly rows: readonly (readonly [name: string, value: string])[];
  /** The name as it is drawn; as it is where absent. */
  readonly drawn?: (name: string) => ReactNode;
}

/** Names and their values, a line each, in a dialog. */
export function Pairs({ rows, drawn = (name) => name }: PairsProps) {
  return (
    <dl className={classes['pairs']}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{drawn(name)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
