import { formatBytes } from '../../engine/bytes.ts';
import type { CurvePoint } from './curve.ts';
import { html, type Markup } from './markup.ts';
import type { StrategyIdentity } from './strategy-looks.ts';
import { signedPercent } from './words.ts';

/** Drawn figures of a strategy; null where nothing is known. Overheads are shares of 1. */
export interface PicturedStrategy {
  readonly identity: StrategyIdentity;
  readonly peakBytes: number | null;
  readonly predictedOverhead: number | null;
  readonly measuredOverhead: number | null;
  /** Measured overhead with its interval, or that it is too noisy to say. */
  readonly measuredNote: string | null;
  /** Empty where there is no plan. */
  readonly curve: readonly CurvePoint[];
}

const WIDTH = 960;
const LEFT = 72;
const RIGHT = 24;
const TOP = 24;
const HEIGHT = 320;
const BOTTOM = 288;

const round = (value: number): number => Math.round(value * 10) / 10;

/** Round numbers of one binary unit from zero to at least `most`. */
function byteTicks(most: number): number[] {
  const unit = 1024 ** Math.floor(Math.log(most) / Math.log(1024));
  const wanted = most / unit / 5;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = ([1, 2, 2.5, 5, 10].find((size) => size * power >= wanted) ?? 10) * power * unit;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step);
}

/** The zigzag of every strategy of a network, both passes aligned. */
export function zigzagPicture(title: string, strategies: readonly PicturedStrategy[]): Markup {
  const drawn = strategies.filter(({ curve }) => curve.length > 0);
  const ticks = byteTicks(Math.max(1, ...drawn.map(({ peakBytes }) => peakBytes ?? 0)));
  const top = ticks.at(-1) ?? 1;
  const x = (value: number): number => round(LEFT + (value / 2) * (WIDTH - LEFT - RIGHT));
  const y = (bytes: number): number => round(BOTTOM - (bytes / top) * (BOTTOM - TOP));
  const path = ({ curve }: PicturedStrategy): string =>
    `${curve.map((point, i) => `${i === 0 ? 'M' : 'H'}${x(point.x)}${i === 0 ? ' ' : 'V'}${y(point.bytes)}`).join('')}H${x(2)}`;
  const summary = drawn.map((one) => `${one.identity.title} ${formatBytes(one.peakBytes ?? 0)}`).join(', ');
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${`Live memory of ${title} over one training step; peaks: ${summary}`}">
${ticks.map(
  (bytes) =>
    html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(bytes)}" y2="${y(bytes)}"/><text x="${LEFT - 8}" y="${y(bytes) + 4}" text-anchor="end">${formatBytes(bytes)}</text>`,
)}
<line class="axis" x1="${x(1)}" x2="${x(1)}" y1="8" y2="${BOTTOM}"/>
<text x="${x(1) - 8}" y="16" text-anchor="end">forward</text><text x="${x(1) + 8}" y="16">backward</text>
<text x="${x(0)}" y="${BOTTOM + 20}">0 %</text><text x="${x(1)}" y="${BOTTOM + 20}" text-anchor="middle">100 %</text><text x="${x(2)}" y="${BOTTOM + 20}" text-anchor="end">100 %</text>
${drawn.map(
  (one) =>
    html`<path class="line ${one.identity.color}" stroke-width="${one.identity.width}" stroke-dasharray="${one.identity.dash ?? 'none'}" d="${path(one)}"/>`,
)}</svg>`;
}

/** A short piece of a strategy's line, for legends and rows. */
export function markOf({ identity }: Pick<PicturedStrategy, 'identity'>): Markup {
  return html`<svg class="mark" width="24" height="8" aria-hidden="true"><line class="line ${identity.color}" x1="1" x2="23" y1="4" y2="4" stroke-width="${identity.width + 0.5}" stroke-dasharray="${identity.dash ?? 'none'}"/></svg>`;
}

const ROW = 28;

/** Time overheads as bars: predicted pale, measured solid. */
export function overheadPicture(title: string, strategies: readonly PicturedStrategy[]): Markup | null {
  const rows = strategies.filter(
    ({ predictedOverhead, measuredNote }) => predictedOverhead !== null || measuredNote !== null,
  );
  if (rows.length === 0) return null;
  const values = rows.flatMap((row) => [row.predictedOverhead ?? 0, row.measuredOverhead ?? 0]);
  const low = Math.min(0, ...values);
  const high = Math.max(0.1, ...values);
  const from = 160;
  const to = 720;
  const x = (share: number): number => round(from + ((share - low) / (high - low)) * (to - from));
  const bar = (
    share: number | null,
    y: number,
    height: number,
    kind: string,
    color: string,
  ): Markup | null =>
    share === null
      ? null
      : html`<rect class="${kind} ${color}" x="${Math.min(x(0), x(share))}" y="${y}" width="${round(Math.max(1, Math.abs(x(share) - x(0))))}" height="${height}"/>`;
  const said = rows.map((row) => `${row.identity.title} ${wordsOf(row)}`).join(', ');
  return html`<svg viewBox="0 0 ${WIDTH} ${rows.length * ROW + 8}" role="img" aria-label="${`Time overhead of ${title}: ${said}`}">
${rows.map((row, i) => {
  const y = i * ROW + 4;
  const { color } = row.identity;
  const most = Math.max(0, row.predictedOverhead ?? 0, row.measuredOverhead ?? 0);
  return html`<text class="ink" x="${from - 12}" y="${y + 15}" text-anchor="end">${row.identity.title}</text>${bar(row.predictedOverhead, y + 2, row.measuredOverhead === null ? 18 : 8, 'predicted', color)}${bar(row.measuredOverhead, y + 12, 8, 'measured', color)}<text class="ink" x="${x(most) + 8}" y="${y + 15}">${wordsOf(row)}</text>`;
})}
<line class="axis" x1="${x(0)}" x2="${x(0)}" y1="0" y2="${rows.length * ROW + 8}"/></svg>`;
}

function wordsOf({ predictedOverhead, measuredNote }: PicturedStrategy): string {
  const predicted = predictedOverhead === null ? '' : `${signedPercent(predictedOverhead)} predicted`;
  const measured = measuredNote === null ? '' : `measured ${measuredNote}`;
  return [predicted, measured].filter((part) => part !== '').join(', ');
}
