import { ReferenceDot } from 'recharts';

export const PlotRing = ({ id, x, y, color }: { id?: string; x: number; y: number; color: string }) => (
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
