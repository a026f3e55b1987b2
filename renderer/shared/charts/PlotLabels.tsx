import { leaderOf, type PlacedLabel } from './place-labels.ts';

export function PlotLabels({ labels }: { readonly labels: readonly PlacedLabel[] }) {
  return labels.map((label) => {
    const leader = leaderOf(label);
    return (
      <g key={label.id} fontSize={12}>
        {leader !== null && (
          <line
            x1={leader.left}
            x2={leader.right}
            y1={leader.top}
            y2={leader.bottom}
            stroke="var(--zz-axis)"
            strokeDasharray="2 2"
          />
        )}
        <text
          data-label={label.id}
          x={label.textX}
          y={label.textY}
          textAnchor={label.anchor}
          fill={inkOf(label)}
          fontWeight={label.isMain === true ? 600 : 400}
        >
          {label.text}
        </text>
      </g>
    );
  });
}

/** Darker than the mark, or lighter in the dark theme: thin letters need more contrast than a line. */
const inkOf = ({ color }: PlacedLabel): string =>
  color === undefined ? 'var(--zz-ink)' : `color-mix(in srgb, ${color} 70%, var(--zz-ink))`;
