import { memo, useCallback, useMemo } from 'react';
import { Legend } from '../../../shared/charts/Legend.tsx';
import { PlotCard } from '../../../shared/charts/PlotCard.tsx';
import { useCatalog } from '../../../state/workspace/use-workspace.ts';
import { BARS, type CutoffPair, cutoffPairs, cutoffTable, familySpans } from './cutoff-bars.ts';
import { SHORT_TITLES } from '../state/layout.ts';
import type { NetworkTableView } from '../use-table.ts';
import { Bar, LabelList } from 'recharts';
import { linearAxis } from '../../../shared/charts/axis.ts';
import type { PlotArea } from '../../../shared/charts/plot-area.ts';
import { THIN } from '../../../shared/format/numbers.ts';
import { Plot } from '../../../shared/plot/Plot.tsx';
import { PlotNotes } from '../../../shared/plot/PlotNotes.tsx';
import { PlotTooltip } from '../../../shared/plot/PlotTooltip.tsx';
import { placeNames } from './place-names.ts';

const MARGIN = { left: 48, right: 0, top: 20, bottom: 44 } as const;

export function CutoffChart({ view }: { readonly view: NetworkTableView }) {
  const { name, table } = view;
  const { models } = useCatalog();
  const titles = useMemo(() => new Map(models.map((model) => [model.name, model.title])), [models]);
  const pairs = useMemo(() => cutoffPairs(name, table, titles), [name, table, titles]);
  const hidden = useMemo(() => cutoffTable(pairs, SHORT_TITLES[name]), [pairs, name]);
  const titleOf = useCallback((network: string) => titles.get(network) ?? network, [titles]);
  const legend = BARS.map(({ key, title, color }) => ({
    title: key === 'paper' ? SHORT_TITLES[name] : title,
    color,
    mark: 'bar' as const,
  }));
  const what = name === 'theory' ? 'Theoretical memory cut-off' : 'Memory cut-off';

  return (
    <PlotCard
      title={`${what}, paper and ours`}
      summary={`${what} of ${pairs.length} networks: the paper’s beside ours. ${pairs
        .filter(({ ours }) => ours !== null)
        .map(
          ({ network, paper, ours }) => `${titleOf(network)}: ${paper} and ${Math.round(ours ?? 0)} percent`,
        )
        .join('; ')}.`}
      fileName={`cutoff-${name}`}
      height="clamp(184px, 26vh, 280px)"
      leastWidth={640}
      axisTitles={{ y: `${what} (%)` }}
      data={() => hidden}
      table={hidden}
      legend={legend}
      tools={<Legend entries={legend} />}
      empty={pairs.length === 0 ? 'The picture comes with the first rows.' : undefined}
      testId="cutoff"
      margin={MARGIN}
      plot={(area) => <CutoffBars pairs={pairs} area={area} titleOf={titleOf} />}
    />
  );
}

interface CutoffBarsProps {
  readonly pairs: readonly CutoffPair[];
  readonly area: PlotArea;
  readonly titleOf: (network: string) => string;
}

const AXIS = linearAxis(0, 100, { parts: 4, suffix: `${THIN}%` });
const MAX_WIDTH = 22;
/** A narrower bar has no room for its number. */
const MIN_WIDTH = 14;

const CutoffBars = memo(function CutoffBars({ pairs, area, titleOf }: CutoffBarsProps) {
  const step = (area.right - area.left) / pairs.length;
  const width = Math.min(MAX_WIDTH, Math.floor(step / 2) - 4);
  return (
    <Plot area={area} x={{ key: 'network', isBlank: true }} y={AXIS} data={pairs}>
      <PlotTooltip format={AXIS.format} title={(network) => titleOf(String(network))} />
      {BARS.map(({ key, title, color, ink }) => (
        <Bar key={key} dataKey={key} name={title} fill={color} barSize={width} isAnimationActive={false}>
          {width >= MIN_WIDTH && (
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
          <text
            key={network}
            {...placeOf(start + (from + j + 0.5) * step, bottom, step)}
            fill="var(--zz-ink)"
          >
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

const ROWS = [16, 36] as const;
/** Fewer pixels a bar have no room for three digits side by side; they stand upright. */
const UPRIGHT_BELOW = 24;

const placeOf = (x: number, bottom: number, step: number) =>
  step < UPRIGHT_BELOW
    ? ({
        transform: `translate(${x + 4} ${bottom + 3}) rotate(-90)`,
        textAnchor: 'end',
        fontSize: 10,
      } as const)
    : { x, y: bottom + 16 };
