import { formatBytes } from '../format/bytes.ts';
import layout from '../layout/layout.module.css';
import { useSize } from '../use-size.ts';
import { byteAxis } from './axis.ts';
import { ChartCard, type ChartCardProps } from './ChartCard.tsx';

export interface WaterfallRow {
  readonly id: string;
  readonly title: string;
  /** Signed. */
  readonly bytes: number;
  readonly from: number;
  readonly fill: string;
  /** Stands out; its bytes have no sign. */
  readonly isTotal?: boolean;
  /** Drawn as an outline: nobody says where it comes from. */
  readonly isOpen?: boolean;
}

export interface WaterfallChartProps
  extends Pick<ChartCardProps, 'title' | 'fileName' | 'footer' | 'tools' | 'table' | 'data'> {
  /** Drawn rows in their order; the total last. */
  readonly rows: readonly WaterfallRow[];
  readonly className?: string | undefined;
  readonly left?: number;
}

const ROW = 28;
/** CSS pixels below which a row's title stands above its bar. */
const NARROW = 480;
const TOP = 8;
const LEFT = 256;
const RIGHT = 104;
const BOTTOM = 32;

export function WaterfallChart({ rows, left: given = LEFT, className, ...card }: WaterfallChartProps) {
  const [ref, { width }] = useSize<HTMLDivElement>();
  const isNarrow = width < NARROW;
  const left = isNarrow ? 12 : given;
  const above = isNarrow ? 16 : 0;
  const pitch = ROW + above;
  const most = Math.max(...rows.map(({ from, bytes }) => Math.max(from, from + bytes)));
  const axis = byteAxis(most, width > 560 ? 5 : 3);
  const x = (bytes: number): number => left + (Math.max(1, width - left - RIGHT) * bytes) / axis.top;
  const foot = TOP + rows.length * pitch;
  const height = foot + BOTTOM;
  return (
    <ChartCard
      {...card}
      {...(className === undefined ? {} : { className })}
      summary={`${rows.map((row) => `${row.title} ${signed(row)}`).join('; ')}.`}
      height={height}
    >
      <div ref={ref} className={layout['fill']}>
        {width > 0 && (
          <svg
            data-layer="waterfall"
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            aria-hidden="true"
            fontSize={12}
          >
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
            {rows.map((row, i) => {
              const { id, title, bytes, from, fill, isTotal = false, isOpen = false } = row;
              const y = TOP + i * pitch + above;
              const start = x(Math.min(from, from + bytes));
              const end = x(Math.max(from, from + bytes));
              return (
                <g key={id} data-bar={id}>
                  <text x={8} y={isNarrow ? y : y + 18} fill="var(--zz-ink)" fontWeight={isTotal ? 600 : 400}>
                    {title}
                  </text>
                  <rect
                    x={start}
                    y={y + 5}
                    width={bytes === 0 ? 0 : Math.max(1.5, end - start)}
                    height={ROW - 10}
                    fill={isOpen ? 'none' : fill}
                    stroke={bytes < 0 || isOpen ? 'var(--zz-ink)' : 'none'}
                    strokeDasharray="3 3"
                  />
                  {i < rows.length - 1 && (
                    <line
                      x1={x(from + bytes)}
                      x2={x(from + bytes)}
                      y1={y + 5}
                      y2={y + pitch + 5}
                      stroke="var(--zz-axis)"
                    />
                  )}
                  <text x={end + 8} y={y + 18} fill="var(--zz-ink)" fontWeight={isTotal ? 600 : 400}>
                    {signed(row)}
                  </text>
                </g>
              );
            })}
          </svg>
        )}
      </div>
    </ChartCard>
  );
}

function signed({ bytes, isTotal = false }: WaterfallRow): string {
  if (isTotal || bytes === 0) return formatBytes(bytes);
  return `${bytes < 0 ? '−' : '+'} ${formatBytes(Math.abs(bytes))}`;
}
