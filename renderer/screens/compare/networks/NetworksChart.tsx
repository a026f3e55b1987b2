import { SegmentedControl } from '@mantine/core';
import { memo, useDeferredValue, useMemo } from 'react';
import { Legend } from '../../../shared/charts/Legend.tsx';
import { rangeOf } from '../../../shared/charts/axis.ts';
import { PlotCard } from '../../../shared/charts/PlotCard.tsx';
import { StepChart } from '../../../shared/charts/StepChart.tsx';
import { StepNotes } from '../../../shared/charts/StepNotes.tsx';
import { leastHeld } from '../../../shared/charts/step-curves.ts';
import { ValueCard } from '../../../shared/charts/ValueCard.tsx';
import { useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import {
  matrixData,
  type Measure,
  MEASURES,
  type NetworkRow,
} from '../../../state/comparison/networks-matrix.ts';
import { barsTable, networkBars, type NetworkBars } from './network-bars.ts';
import {
  dashOf,
  drawnNetworks,
  networkZigzag,
  networkZigzagData,
  networkZigzagTable,
  type ZigzagUnit,
} from './network-zigzag.ts';
import { Bar, ReferenceLine } from 'recharts';
import type { PlotArea } from '../../../shared/charts/plot-area.ts';
import { Plot } from '../../../shared/plot/Plot.tsx';
import { PlotTooltip } from '../../../shared/plot/PlotTooltip.tsx';

export interface NetworksChartProps {
  readonly networks: readonly NetworkRow[];
  readonly measure: Measure;
  readonly front: string;
}

const PICTURES = [
  { value: 'bars', label: 'Bars' },
  { value: 'share', label: 'Zigzags, share' },
  { value: 'bytes', label: 'Zigzags, bytes' },
] as const;
type Picture = (typeof PICTURES)[number]['value'];

const HEIGHT = 264;
const BARS_MARGIN = { left: 72 } as const;
const NARROW = 640;
const ROW = 12;

export function NetworksChart({ networks, measure, front }: NetworksChartProps) {
  const { experiment: store } = useWorkspace();
  const { view = {} } = useLabView();
  const picture: Picture = PICTURES.find(({ value }) => value === view['networks'])?.value ?? 'bars';
  const tools = (
    <SegmentedControl
      aria-label="Picture of the networks"
      value={picture}
      onChange={(next) => store.setView({ ...store.get().view, networks: next })}
      data={[...PICTURES]}
    />
  );
  return picture === 'bars' ? (
    <BarsCard networks={networks} measure={measure} tools={tools} />
  ) : (
    <ZigzagsCard networks={networks} strategy={front} unit={picture} tools={tools} />
  );
}

interface CardProps {
  readonly networks: readonly NetworkRow[];
  readonly tools: React.ReactNode;
}

function BarsCard({ networks, measure, tools }: CardProps & { readonly measure: Measure }) {
  const bars = useMemo(() => networkBars(networks, measure), [networks, measure]);
  const settled = useDeferredValue(networks);
  const title = `${MEASURES.find(({ key }) => key === measure)?.says ?? ''}, by network`;
  const table = useMemo(() => barsTable(settled, measure, title), [settled, measure, title]);
  const isEmpty = bars.groups.every(({ values }) => Object.keys(values).length === 0);
  return (
    <PlotCard
      title={title}
      summary={`${title}: ${bars.groups.length} groups of bars. The table behind the chart lists the numbers.`}
      fileName={`networks-${measure}`}
      height={HEIGHT}
      data={() => matrixData(networks)}
      table={table}
      narrow={{ below: NARROW, height: bars.groups.length * (bars.series.length * ROW + ROW) + 32 }}
      axisTitles={{ y: title }}
      legend={bars.series}
      tools={tools}
      empty={isEmpty ? 'Solving…' : undefined}
      footer={<Legend entries={bars.series} />}
      margin={BARS_MARGIN}
      plot={(area) => <BarsPicture bars={bars} area={area} />}
    />
  );
}

interface ZigzagsCardProps extends CardProps {
  readonly strategy: string;
  readonly unit: ZigzagUnit;
}

function ZigzagsCard({ networks, strategy, unit, tools }: ZigzagsCardProps) {
  const drawn = useMemo(() => drawnNetworks(networks, strategy, unit), [networks, strategy, unit]);
  const { extent, ticks, axis, curves, marks } = useMemo(() => networkZigzag(drawn, unit), [drawn, unit]);
  const name =
    networks[0]?.rows.find(({ identity }) => identity.name === strategy)?.identity.title ?? strategy;
  const title = `${name} on every network${unit === 'share' ? ', as a share of its regular peak' : ''}`;
  const table = useMemo(() => networkZigzagTable(drawn, title), [drawn, title]);
  const legend = drawn.map((one) => ({ title: one.title, color: one.color, dash: dashOf(one.at) }));
  return (
    <ValueCard
      title={title}
      summary={`${title}: live memory over one training step of ${drawn.length} networks.`}
      fileName={`networks-zigzag-${strategy}`}
      height={HEIGHT}
      data={() => networkZigzagData(networks, strategy)}
      table={table}
      legend={legend}
      axis={axis}
      least={leastHeld(curves)}
      axisTitles={{
        x: 'Training step (both passes aligned)',
        y: unit === 'share' ? 'Share of the regular peak (%)' : `Live memory (${axis.unit})`,
      }}
      tools={tools}
      empty={drawn.length === 0 ? 'Solving…' : undefined}
      footer={<Legend entries={legend} />}
      testId="network-zigzags"
      plot={(area, y) => (
        <>
          <StepChart area={area} extent={extent} ticks={ticks} bytes={y} bands={[]} curves={curves} />
          <StepNotes
            area={area}
            extent={extent}
            topBytes={rangeOf(y)}
            unit={y.unit}
            marks={marks}
            curves={curves}
          />
        </>
      )}
    />
  );
}

const LETTER = 7;

/** Grouped bars; a strategy keeps its colour, and its dashes as the outline of its bars. */
const BarsPicture = memo(function BarsPicture({ bars, area }: { bars: NetworkBars; area: PlotArea }) {
  const { groups, series, axis } = bars;
  const isAcross = area.width < NARROW;
  const plot = isAcross ? { ...area, left: 128, top: 4, bottom: area.height - 24 } : area;
  const pixels = isAcross ? plot.left : (plot.right - plot.left) / Math.max(1, groups.length);
  const room = Math.floor(pixels / LETTER) - 1;
  const titleOf = (id: string): string => groups.find((group) => group.id === id)?.title ?? '';
  const short = (title: string): string => (title.length > room ? `${title.slice(0, room - 1)}…` : title);
  const names = { key: 'id', format: (id: string) => short(titleOf(id)) };
  return (
    <Plot
      area={plot}
      {...(isAcross ? { x: axis, y: names, grid: 'x' } : { x: names, y: axis })}
      data={groups.map(({ id, values }) => ({ id, ...values }))}
    >
      <PlotTooltip format={axis.format} title={(id) => titleOf(String(id))} />
      {series.map(({ name, title, color, dash }) => (
        <Bar
          key={name}
          dataKey={name}
          name={title}
          maxBarSize={28}
          isAnimationActive={false}
          fill={color}
          fillOpacity={0.35}
          stroke={color}
          strokeWidth={1.5}
          {...(dash === undefined ? {} : { strokeDasharray: dash })}
        />
      ))}
      <ReferenceLine {...(isAcross ? { x: 0 } : { y: 0 })} stroke="var(--zz-axis)" />
    </Plot>
  );
});
