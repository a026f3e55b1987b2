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

/** Pixels below which the names have no room under upright bars. */
const NARROW = 800;
const ROW = 24;
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
      narrow={{ below: NARROW, height: pairs.length * ROW + 32 }}
      axisTitles={{ y: `${what} (%)` }}
      data={() => hidden}
      table={hidden}
      legend={legend}
      tools={<Legend entries={legend} />}
      empty={pairs.length === 0 ? 'Shown with the first rows.' : undefined}
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

/** Narrower ones lie on their side, each beside its name. */
const CutoffBars = memo(function CutoffBars({ pairs, area, titleOf }: CutoffBarsProps) {
  const { width, height } = area;
  const isAcross = width < NARROW;
  const plot = isAcross ? { width, height, left: 104, right: width - 32, top: 4, bottom: height - 24 } : area;
  const step = (isAcross ? plot.bottom - plot.top : plot.right - plot.left) / pairs.length;
  return (
    <Plot
      area={plot}
      data={pairs}
      {...(isAcross
        ? { x: AXIS, y: { key: 'network', format: titleOf }, grid: 'x' }
        : { x: { key: 'network', isBlank: true }, y: AXIS })}
    >
      <PlotTooltip format={AXIS.format} title={(network) => titleOf(String(network))} />
      {BARS.map(({ key, title, color, ink }) => (
        <Bar
          key={key}
          dataKey={key}
          name={title}
          fill={color}
          barSize={Math.min(MAX_WIDTH, Math.floor(step / 2) - (isAcross ? 3 : 4))}
          isAnimationActive={false}
        >
          <LabelList
            dataKey={key}
            position={isAcross ? 'right' : 'top'}
            fontSize={isAcross ? 10 : 12}
            fill={ink}
            formatter={(share: unknown) => (typeof share === 'number' ? Math.round(share) : '')}
          />
        </Bar>
      ))}
      {!isAcross && (
        <PlotNotes labels={[]}>
          <Names pairs={pairs} area={plot} step={step} />
        </PlotNotes>
      )}
    </Plot>
  );
});

interface NamesProps {
  readonly pairs: readonly CutoffPair[];
  readonly area: PlotArea;
  readonly step: number;
}

const LINES = [16, 36] as const;
/** Half a letter of the longest names, in pixels. */
const HALF = 3.2;

/** Members under their bars, each family once for all of them; networks without kin on two lines in turn. */
function Names({ pairs, area, step }: NamesProps) {
  const { left: start, right: end, bottom } = area;
  const middle = (at: number): number => start + (at + 0.5) * step;
  const text = { textAnchor: 'middle', fontSize: 12, fill: 'var(--zz-ink)' } as const;
  return familySpans(pairs).map(({ family, from, to }, i) => {
    if (to === from) {
      const { member } = pairs[from]!;
      const name = member === '' ? family : `${family}-${member}`;
      const x = Math.min(middle(from), end - name.length * HALF);
      return (
        <text key={name} {...text} x={x} y={bottom + LINES[i > 0 && i % 2 === 0 ? 1 : 0]} fontSize={11}>
          {name}
        </text>
      );
    }
    const [left, right] = [middle(from) - step / 2 + 4, middle(to) + step / 2 - 4];
    return (
      <g key={`${family}-${from}`}>
        <line x1={left} x2={right} y1={bottom + 22} y2={bottom + 22} stroke="var(--zz-border)" />
        {pairs.slice(from, to + 1).map(({ network, member }, j) => (
          <text key={network} {...text} x={middle(from + j)} y={bottom + LINES[0]}>
            {member}
          </text>
        ))}
        <text {...text} x={(left + right) / 2} y={bottom + LINES[1]} fill="var(--zz-muted)">
          {family}
        </text>
      </g>
    );
  });
}
