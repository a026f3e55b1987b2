import type { ReactNode } from 'react';
import { DefaultZIndexes, ZIndexLayer } from 'recharts';
import type { PlacedLabel } from '../charts/place-labels.ts';
import { PlotLabels } from '../charts/PlotLabels.tsx';

export interface PlotNotesProps {
  readonly labels: readonly PlacedLabel[];
  /** Behind the letters, where only the grid is. */
  readonly halo?: string;
  /** Drawn under the labels and over all else, in pixels. */
  readonly children?: ReactNode;
}

export const PlotNotes = ({ labels, halo = 'none', children }: PlotNotesProps) => (
  <ZIndexLayer zIndex={DefaultZIndexes.label}>
    {children}
    <g stroke={halo} strokeWidth={3} paintOrder="stroke">
      <PlotLabels labels={labels} />
    </g>
  </ZIndexLayer>
);
