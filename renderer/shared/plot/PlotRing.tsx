import { ReferenceDot } from 'recharts';

export interface PlotRingProps {
  readonly id?: string;
  readonly x: number;
  readonly y: number;
  readonly color: string;
}

export const PlotRing = ({ id, x, y, color }: PlotRingProps) => (
  <ReferenceDot
    data-end={id}
    x={x}
    y={y}
    r={4}
    ifOverflow="visible"
    fill="var(--zz-card)"
    stroke={color}
    strokeWidth={2}
  />
);
