import { memo } from 'react';
import { Bar, LabelList } from 'recharts';
import { linearAxis } from '../../../shared/charts/axis.ts';
import type { PlotArea } from '../../../shared/charts/plot-area.ts';
import { THIN } from '../../../shared/format/numbers.ts';
import { Plot } from '../../../shared/plot/Plot.tsx';
import { PlotNotes } from '../../../shared/plot/PlotNotes.tsx';
import { PlotTooltip } from '../../../shared/plot/PlotTooltip.tsx';
import { BARS, type CutoffPair, familySpans } from './cutoff-bars.ts';
import { placeNames } from './place-names.ts';

export interface CutoffBarsProps {
  readonly pairs: readonly CutoffPair[];
  readonly area: PlotArea;
  readonly titleOf: (network: string) => string;
}

const AXIS = linearAxis(0, 100, { parts: 4, suffix: `${THIN}%` });
const MOST_WIDTH = 22;
/** A narrower bar has no room for its number. */
const LEAST_WIDTH = 14;

/** A pair of bars a network, over the names of members and of their families. */
export const CutoffBars = memo(function CutoffBars({ pairs, area, titleOf }: CutoffBarsProps) {
  const step = (area.right - area.left) / pairs.length;
  const width = Math.min(MOST_WIDTH, Math.floor(step / 2) - 4);
  return (
    <Plot area={area} x={{ key: 'network', isBlank: true }} y={AXIS} data={pairs}>
      <PlotTooltip format={AXIS.format} title={(network) => titleOf(String(network))} />
      {BARS.map(({ key, title, color, ink }) => (
        <Bar key={key} dataKey={key} name={title} fill={color} barSize={width} isAnimationActive={false}>
          {width >= LEAST_WIDTH && (
            <LabelList
              dataKey={key}
              position="top"
              fontSize={12}
              fill={ink}
              formatter={(share: unknown) => (typeof share === 'number' ? Math.round(share) : '')}
            />
          )}
        </Bar>
      ))}
      <PlotNotes labels={[]}>
        <Names pairs={pairs} area={area} step={step} />
      </PlotNotes>
    </Plot>
  );
});

interface NamesProps {
  readonly pairs: readonly CutoffPair[];
  readonly area: PlotArea;
  /** Pixels of a network. */
  readonly step: number;
}

/** Members under their bars, each family once for all of them; of networks without kin those names that find room. */
function Names({ pairs, area, step }: NamesProps) {
  const { left: start, bottom } = area;
  const spans = familySpans(pairs);
  const placed = new Map(placeNames(pairs, area).map((name) => [name.at, name]));
  return spans.map(({ family, from, to }) => {
    const [left, right] = [start + from * step + 4, start + (to + 1) * step - 4];
    if (to === from) {
      const name = placed.get(from);
      return (
        name !== undefined && (
          <text
            key={`${family}-${from}`}
            x={name.x}
            y={bottom + ROWS[name.row]}
            textAnchor="middle"
            fontSize={11}
            fill="var(--zz-ink)"
          >
            {name.text}
          </text>
        )
      );
    }
    return (
      <g key={`${family}-${from}`} textAnchor="middle" fontSize={step < 26 ? 11 : 12}>
        <line x1={left} x2={right} y1={bottom + 22} y2={bottom + 22} stroke="var(--zz-border)" />
        {pairs.slice(from, to + 1).map(({ network, member: own }, j) => (
          <text key={network} x={start + (from + j + 0.5) * step} y={bottom + 16} fill="var(--zz-ink)">
            {own}
          </text>
        ))}
        <text x={(left + right) / 2} y={bottom + ROWS[1]} fontSize={12} fill="var(--zz-muted)">
          {family}
        </text>
      </g>
    );
  });
}

/** Baselines under the axis. */
const ROWS = [16, 36] as const;
