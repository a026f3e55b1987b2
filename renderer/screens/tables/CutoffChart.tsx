import { memo, useMemo } from 'react';
import { ChartCard } from '../../shared/charts/ChartCard.tsx';
import { formatPercent } from '../../shared/format/numbers.ts';
import { useSize } from '../../shared/use-size.ts';
import { useCatalog } from '../../state/workspace/use-workspace.ts';
import { type CutoffPair, cutoffPairs, cutoffTable, familySpans } from './cutoff-bars.ts';
import { SHORT_TITLES } from './layout.ts';
import layout from '../../shared/layout/layout.module.css';
import type { TableView } from './use-table.ts';

const PAPER = 'var(--zz-axis)';
const OURS = 'var(--zz-green)';
const MARGIN = { left: 48, right: 16, top: 20, bottom: 44 } as const;
const TICKS = [0, 25, 50, 75, 100] as const;

/** The table as a picture: the paper's cut-off beside ours, a pair of bars a network. */
export function CutoffChart({ view }: { readonly view: TableView }) {
  const { name, table } = view;
  const { models } = useCatalog();
  const [ref, size] = useSize<HTMLDivElement>();
  const titles = useMemo(() => new Map(models.map((model) => [model.name, model.title])), [models]);
  const pairs = useMemo(() => cutoffPairs(name, table, titles), [name, table, titles]);
  const hidden = useMemo(() => cutoffTable(pairs, SHORT_TITLES[name]), [pairs, name]);
  const what = name === 'theory' ? 'Theoretical memory cut-off' : 'Memory cut-off';

  return (
    <ChartCard
      title={`${what}, paper and ours`}
      summary={`${what} of ${pairs.length} networks: the paper’s beside ours. ${pairs
        .filter(({ ours }) => ours !== null)
        .map(
          ({ network, paper, ours }) =>
            `${titles.get(network) ?? network}: ${paper} and ${Math.round(ours ?? 0)} percent`,
        )
        .join('; ')}.`}
      fileName={`cutoff-${name}`}
      height="clamp(184px, 26vh, 280px)"
      data={() => hidden}
      table={hidden}
      legend={[
        { title: SHORT_TITLES[name], color: PAPER },
        { title: 'Zigzag, predicted', color: OURS },
      ]}
      tools={
        <span className={layout['legend']}>
          <span>
            <i className={layout['swatch']} style={{ background: PAPER }} /> {SHORT_TITLES[name]}
          </span>
          <span>
            <i className={layout['swatch']} style={{ background: OURS }} /> Zigzag, predicted
          </span>
        </span>
      }
      empty={pairs.length === 0 ? 'The picture comes with the first rows.' : undefined}
    >
      <div ref={ref} className={layout['fill']} data-testid="cutoff">
        {size.width > 0 && <Bars pairs={pairs} width={size.width} height={size.height} />}
      </div>
    </ChartCard>
  );
}

interface BarsProps {
  readonly pairs: readonly CutoffPair[];
  readonly width: number;
  readonly height: number;
}

const Bars = memo(function Bars({ pairs, width, height }: BarsProps) {
  const bottom = height - MARGIN.bottom;
  const y = (percent: number): number => bottom - (percent / 100) * (bottom - MARGIN.top);
  const step = (width - MARGIN.left - MARGIN.right) / pairs.length;
  const spans = familySpans(pairs);
  const grouped = new Set(spans.flatMap(({ family, from, to }) => (to > from ? [family] : [])));
  const bar = Math.min(22, Math.floor(step / 2) - 4);
  return (
    <svg data-layer="bars" width={width} height={height} aria-hidden="true" fontSize={12}>
      {TICKS.map((tick) => (
        <g key={tick}>
          <line
            x1={MARGIN.left}
            x2={width}
            y1={y(tick)}
            y2={y(tick)}
            stroke={tick === 0 ? 'var(--zz-axis)' : 'var(--zz-hairline)'}
          />
          <text x={MARGIN.left - 8} y={y(tick) + 4} textAnchor="end" fill="var(--zz-muted)">
            {formatPercent(tick / 100)}
          </text>
        </g>
      ))}
      {pairs.map(({ network, family, member, paper, ours }, i) => {
        const middle = MARGIN.left + (i + 0.5) * step;
        return (
          <g key={network}>
            <Bar x={middle - bar - 1} width={bar} percent={paper} y={y} color={PAPER} ink="var(--zz-muted)" />
            <Bar x={middle + 1} width={bar} percent={ours} y={y} color={OURS} ink="var(--zz-ink)" />
            {grouped.has(family) && (
              <text x={middle} y={bottom + 16} textAnchor="middle" fill="var(--zz-ink)">
                {member}
              </text>
            )}
          </g>
        );
      })}
      {spans.map(({ family, from, to }, i) => {
        const [left, right] = [MARGIN.left + from * step + 4, MARGIN.left + (to + 1) * step - 4];
        const isGroup = to > from;
        const member = pairs[from]?.member ?? '';
        // Networks without kin have their whole name, on alternating lines so that neighbours have room.
        const isLow = isGroup || (i > 0 && i % 2 === 0);
        return (
          <g key={`${family}-${from}`}>
            {isGroup && (
              <line x1={left} x2={right} y1={bottom + 22} y2={bottom + 22} stroke="var(--zz-border)" />
            )}
            <text
              x={(left + right) / 2}
              y={bottom + (isLow ? 36 : 16)}
              textAnchor="middle"
              fontSize={isGroup ? 12 : 11}
              fill={isGroup ? 'var(--zz-muted)' : 'var(--zz-ink)'}
            >
              {isGroup || member === '' ? family : `${family}-${member}`}
            </text>
          </g>
        );
      })}
    </svg>
  );
});

interface BarProps {
  readonly x: number;
  readonly width: number;
  readonly percent: number | null;
  readonly y: (percent: number) => number;
  readonly color: string;
  readonly ink: string;
}

function Bar({ x, width, percent, y, color, ink }: BarProps) {
  if (percent === null) return null;
  const top = y(Math.max(0, percent));
  return (
    <>
      <rect x={x} y={top} width={width} height={y(0) - top} fill={color} />
      {width >= 14 && (
        <text x={x + width / 2} y={top - 5} textAnchor="middle" fill={ink}>
          {Math.round(percent)}
        </text>
      )}
    </>
  );
}
