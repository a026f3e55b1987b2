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
          fill="var(--zz-ink)"
          fontWeight={label.isMain === true ? 600 : 400}
        >
          {label.text}
        </text>
      </g>
    );
  });
}
