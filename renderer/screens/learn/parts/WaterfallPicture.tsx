import { ChartCard } from '../../../shared/charts/ChartCard.tsx';
import { byteAxis } from '../../../shared/charts/axis.ts';
import { formatBytes, formatExactBytes } from '../../../shared/format/bytes.ts';
import { useSize } from '../../../shared/use-size.ts';
import layout from '../../../shared/layout/layout.module.css';
import classes from './learn.module.css';
import type { BarName, Waterfall } from '../model/waterfall.ts';

export interface WaterfallPictureProps {
  readonly title: string;
  readonly fileName: string;
  readonly waterfall: Waterfall;
}

const BAR_TITLES: Readonly<Record<BarName, string>> = {
  theory: 'Eq. 2',
  source: 'Input batch',
  checkpoints: 'Checkpoints not held now',
  segment: 'Segment, now against largest',
  undrawn: 'Outputs that theory does not draw',
  gradients: 'Gradients',
  statistics: 'Batch statistics',
  indices: 'Indices of max pools',
  masks: 'Dropout masks',
  others: 'Other auxiliaries',
  sharing: 'In place and shared',
};

const FILLS: Readonly<Record<BarName, string>> = {
  theory: 'var(--zz-neutral)',
  source: 'var(--zz-hold-input)',
  checkpoints: 'var(--zz-hold-checkpoints)',
  segment: 'var(--zz-hold-recomputed)',
  undrawn: 'var(--zz-hold-recomputed)',
  gradients: 'var(--zz-hold-gradients)',
  statistics: 'var(--zz-hold-auxiliaries)',
  indices: 'var(--zz-hold-auxiliaries)',
  masks: 'var(--zz-hold-auxiliaries)',
  others: 'var(--zz-hold-auxiliaries)',
  sharing: 'var(--zz-hold-checkpoints)',
};

const ROW = 28;
const TOP = 8;
const LEFT = 224;
const RIGHT = 104;
const BOTTOM = 32;

/** From Eq. 2 to the peak, one bar a row; each begins where the one above it ends. What adds nothing has no row. */
export function WaterfallPicture({ title, fileName, waterfall }: WaterfallPictureProps) {
  const [ref, { width }] = useSize<HTMLDivElement>();
  const { bars, peakBytes } = waterfall;
  const most = Math.max(peakBytes, ...bars.map(({ from, bytes }) => Math.max(from, from + bytes)));
  const axis = byteAxis(most, 5);
  const x = (bytes: number): number => LEFT + (Math.max(1, width - LEFT - RIGHT) * bytes) / axis.top;
  const drawn = bars.filter(({ name, bytes }) => bytes !== 0 || name === 'theory');
  const absent = bars.filter((bar) => !drawn.includes(bar)).map(({ name }) => lowerFirst(BAR_TITLES[name]));
  const foot = TOP + (drawn.length + 1) * ROW;
  const height = foot + BOTTOM;
  const table = {
    caption: title,
    columns: ['Part', 'Bytes', 'Sum so far'],
    rows: [
      ...bars.map(({ name, bytes, from }) => [BAR_TITLES[name], bytes, from + bytes]),
      ['Peak', peakBytes, peakBytes],
    ],
  };
  return (
    <ChartCard
      title={title}
      summary={`${drawn.map(({ name, bytes }) => `${BAR_TITLES[name]} ${signed(name, bytes)}`).join('; ')}; peak ${formatBytes(peakBytes)}.`}
      fileName={fileName}
      height={height}
      className={classes['picture']}
      data={() => table}
      table={table}
      footer={
        <p className={classes['reading']}>
          All bars together: {formatExactBytes(peakBytes)}, the peak to the byte.
          {absent.length > 0 && ` Nothing at this instant: ${absent.join(', ')}.`}
        </p>
      }
    >
      <div ref={ref} className={layout['fill']}>
        {width > 0 && (
          <svg data-layer="waterfall" width={width} height={height} aria-hidden="true" fontSize={12}>
            {axis.ticks.map((tick) => (
              <g key={tick}>
                <line x1={x(tick)} x2={x(tick)} y1={TOP} y2={foot} stroke="var(--zz-hairline)" />
                <text x={x(tick)} y={foot + 18} textAnchor="middle" fill="var(--zz-muted)">
                  {axis.format(tick)}
                </text>
              </g>
            ))}
            <text x={width - 8} y={foot + 18} textAnchor="end" fill="var(--zz-muted)">
              {axis.unit}
            </text>
            {[...drawn, { name: 'peak' as const, bytes: peakBytes, from: 0 }].map(
              ({ name, bytes, from }, i) => {
                const y = TOP + i * ROW;
                const start = x(Math.min(from, from + bytes));
                const end = x(Math.max(from, from + bytes));
                const isTotal = name === 'peak' || name === 'theory';
                return (
                  <g key={name} data-bar={name}>
                    <text x={8} y={y + 18} fill="var(--zz-ink)" fontWeight={isTotal ? 600 : 400}>
                      {name === 'peak' ? 'Peak' : BAR_TITLES[name]}
                    </text>
                    <rect
                      x={start}
                      y={y + 5}
                      width={bytes === 0 ? 0 : Math.max(1.5, end - start)}
                      height={ROW - 10}
                      fill={name === 'peak' ? 'var(--zz-ink)' : FILLS[name]}
                      stroke={bytes < 0 ? 'var(--zz-ink)' : 'none'}
                      strokeDasharray="3 3"
                    />
                    {i < drawn.length && (
                      <line
                        x1={x(from + bytes)}
                        x2={x(from + bytes)}
                        y1={y + 5}
                        y2={y + ROW + 5}
                        stroke="var(--zz-axis)"
                      />
                    )}
                    <text x={end + 8} y={y + 18} fill="var(--zz-ink)" fontWeight={isTotal ? 600 : 400}>
                      {name === 'peak' ? formatBytes(bytes) : signed(name, bytes)}
                    </text>
                  </g>
                );
              },
            )}
          </svg>
        )}
      </div>
    </ChartCard>
  );
}

/** As inside of a sentence; "Eq. 2" is always drawn. */
const lowerFirst = (title: string): string => title.charAt(0).toLowerCase() + title.slice(1);

function signed(name: BarName, bytes: number): string {
  if (name === 'theory') return formatBytes(bytes);
  return `${bytes < 0 ? '−' : '+'} ${formatBytes(Math.abs(bytes))}`;
}
