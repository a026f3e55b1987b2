import type { ReactNode } from 'react';
import layout from '../layout/layout.module.css';
import classes from './charts.module.css';
import type { LegendEntry } from './export-chart.ts';

export interface LegendProps {
  readonly entries: readonly LegendEntry[];
  readonly children?: ReactNode;
}

export function Legend({ entries, children }: LegendProps) {
  return (
    <div className={`${layout['legend']} ${classes['legend']}`}>
      {entries.map((entry) => (
        <span key={entry.title}>
          <Swatch {...entry} />
          {entry.title}
        </span>
      ))}
      {children}
    </div>
  );
}

export function Swatch({ color, dash, width = 2, mark = 'line' }: Omit<LegendEntry, 'title'>) {
  return (
    <svg width={mark === 'line' ? 24 : 12} height={12} aria-hidden="true" focusable="false">
      {mark === 'line' && (
        <line x1={1} x2={23} y1={6} y2={6} stroke={color} strokeWidth={width} strokeDasharray={dash} />
      )}
      {mark === 'bar' && <rect width={12} height={12} rx={2} fill={color} />}
      {mark === 'disc' && <circle cx={6} cy={6} r={3.5} fill={color} />}
      {mark === 'square' && <rect x={2.5} y={2.5} width={7} height={7} fill={color} />}
      {mark === 'cross' && <path d="M2 2l8 8M10 2l-8 8" stroke={color} strokeWidth={2} />}
    </svg>
  );
}
