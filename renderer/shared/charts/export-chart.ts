import { type ChartTable, toCsv } from './csv.ts';
import { withDensity } from './png-density.ts';

const SVG = 'http://www.w3.org/2000/svg';
const STYLED = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'fill-opacity',
  'opacity',
] as const;
const TEXT_STYLED = ['font-size', 'font-weight', 'font-family', 'text-anchor', 'paint-order'] as const;

export interface LegendEntry {
  readonly title: string;
  readonly color: string;
  readonly dash?: string | undefined;
  readonly width?: number;
  /** Mark in place of a line. */
  readonly mark?: 'line' | 'bar' | 'disc' | 'square' | 'cross' | undefined;
  /** The label that names it in the picture: where that found room, the key does not say it again. */
  readonly label?: string;
}

export interface AxisTitles {
  readonly x?: string | undefined;
  readonly y?: string | undefined;
}

export interface ExportRequest {
  /** The element that holds the chart's SVGs, one over the other. */
  readonly figure: HTMLElement;
  /** Over the chart; null where the page around it says it. */
  readonly title: string | null;
  readonly legend: readonly LegendEntry[];
  readonly axes?: AxisTitles | undefined;
  /** For paper: in the fonts that every printer has. */
  readonly isPrint?: boolean;
}

export interface FigureRoom {
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
  readonly rows: readonly (readonly PlacedEntry[])[];
}

interface PlacedEntry extends LegendEntry {
  readonly x: number;
}

const EDGE = 8;
const TITLE = 24;
const ROW = 18;
const AXIS_TITLE = 16;
const TEXT = 12;
const MARK = 24;
const MARK_GAP = 6;
const ENTRY_GAP = 16;
const PRINT_FONTS = 'Helvetica, Arial, "Liberation Sans", sans-serif';

/** Room for title, key and axis titles; the key breaks into as many rows as it needs. */
export function figureRoom(
  { title, legend, axes = {}, figure, isPrint = false }: ExportRequest,
  width: number,
): FigureRoom {
  const context = document.createElement('canvas').getContext('2d');
  if (context !== null)
    context.font = `${TEXT}px ${isPrint ? PRINT_FONTS : getComputedStyle(figure).fontFamily}`;
  const widthOf = (text: string): number => context?.measureText(text).width ?? text.length * 7;
  const rows: PlacedEntry[][] = [];
  let x = Number.POSITIVE_INFINITY;
  const written = new Set(
    [...figure.querySelectorAll('[data-label]')].map((text) => text.getAttribute('data-label')),
  );
  for (const entry of legend) {
    if (entry.label !== undefined && written.has(entry.label)) continue;
    const taken = MARK + MARK_GAP + widthOf(entry.title);
    if (x + taken > width - EDGE) {
      rows.push([]);
      x = EDGE;
    }
    rows.at(-1)?.push({ ...entry, x });
    x += taken + ENTRY_GAP;
  }
  const titled = title === null ? 0 : TITLE;
  return {
    left: axes.y === undefined ? 0 : AXIS_TITLE,
    top: titled + rows.length * ROW + EDGE,
    bottom: axes.x === undefined ? 0 : AXIS_TITLE,
    rows,
  };
}

/**
 * One self-contained SVG of what the chart shows now: its own drawing with all colours resolved, axis titles, the key
 * and a title, on the background of its theme.
 */
export function chartSvg(request: ExportRequest): SVGSVGElement {
  const { figure, title, axes = {}, isPrint = false } = request;
  const sources = [...figure.querySelectorAll<SVGSVGElement>('svg.recharts-surface, svg[data-layer]')].filter(
    (svg) => svg.parentElement?.closest('svg') === null || svg.parentElement === null,
  );
  const own = figureRoom(request, figure.clientWidth);
  const width = figure.clientWidth + own.left;
  const room = figureRoom(request, width);
  const height = figure.clientHeight + room.top + room.bottom;
  const root = document.createElementNS(SVG, 'svg');
  set(root, { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` });
  set(root, { 'font-family': isPrint ? PRINT_FONTS : getComputedStyle(figure).fontFamily });
  root.append(make('rect', { width, height, fill: resolve(figure, 'var(--zz-card)') }));
  const ink = resolve(figure, 'var(--zz-ink)');
  const text = { fill: ink, 'font-size': TEXT };
  if (title !== null)
    root.append(make('text', { ...text, x: EDGE, y: 17, 'font-size': 14, 'font-weight': 'bold' }, title));
  const keyTop = title === null ? 0 : TITLE;
  room.rows.forEach((row, i) => {
    const y = keyTop + i * ROW + ROW / 2 + 2;
    for (const entry of row) {
      root.append(mark(entry, y, resolve(figure, entry.color)));
      root.append(make('text', { ...text, x: entry.x + MARK + MARK_GAP, y: y + 4 }, entry.title));
    }
  });
  for (const source of sources) {
    const copy = source.cloneNode(true) as SVGSVGElement;
    inlineStyles(source, copy, isPrint);
    set(copy, {
      x: room.left,
      y: room.top,
      width: source.clientWidth || figure.clientWidth,
      height: source.clientHeight || figure.clientHeight,
    });
    copy.removeAttribute('style');
    if (axes.y !== undefined) for (const unit of copy.querySelectorAll('[data-unit=""]')) unit.remove();
    if (axes.x !== undefined) for (const unit of copy.querySelectorAll('[data-unit="x"]')) unit.remove();
    root.append(copy);
  }
  const middle = { ...text, 'text-anchor': 'middle' };
  if (axes.x !== undefined)
    root.append(make('text', { ...middle, x: (room.left + width) / 2, y: height - 5 }, axes.x));
  if (axes.y !== undefined) {
    const turned = `translate(12 ${room.top + figure.clientHeight / 2}) rotate(-90)`;
    root.append(make('text', { ...middle, transform: turned }, axes.y));
  }
  return root;
}

function mark(
  { x, dash, width = 2, mark: kind = 'line' }: PlacedEntry,
  y: number,
  color: string,
): SVGElement {
  const middle = x + MARK / 2;
  switch (kind) {
    case 'bar':
      return make('rect', { x: x + MARK - 12, y: y - 6, width: 12, height: 12, rx: 2, fill: color });
    case 'disc':
      return make('circle', { cx: middle, cy: y, r: 3.5, fill: color });
    case 'square':
      return make('rect', { x: middle - 3.5, y: y - 3.5, width: 7, height: 7, fill: color });
    case 'cross':
      return make('path', {
        d: `M${middle - 4} ${y - 4}l8 8M${middle + 4} ${y - 4}l-8 8`,
        stroke: color,
        'stroke-width': 2,
      });
    case 'line':
      return make('line', {
        x1: x,
        x2: x + MARK,
        y1: y,
        y2: y,
        stroke: color,
        'stroke-width': width,
        ...(dash === undefined ? {} : { 'stroke-dasharray': dash }),
      });
  }
}

function inlineStyles(source: Element, copy: Element, isPrint: boolean): void {
  const style = getComputedStyle(source);
  const isText = source.tagName === 'text' || source.tagName === 'tspan';
  for (const name of isText ? [...STYLED, ...TEXT_STYLED] : STYLED) {
    const value = style.getPropertyValue(name);
    if (value !== '') copy.setAttribute(name, plainColor(value));
  }
  if (isPrint && isText) {
    copy.removeAttribute('font-family');
    copy.setAttribute('font-weight', Number(style.fontWeight) >= 600 ? 'bold' : 'normal');
  }
  copy.removeAttribute('class');
  [...source.children].forEach((child, i) => {
    const twin = copy.children[i];
    if (twin !== undefined) inlineStyles(child, twin, isPrint);
  });
}

/** As every program that reads an SVG knows it: browsers say a mixed colour as `color(srgb …)`. */
function plainColor(value: string): string {
  const parts = /^color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(value)?.slice(1);
  return parts === undefined
    ? value
    : `rgb(${parts.map((part) => Math.round(255 * Number(part))).join(', ')})`;
}

function resolve(figure: HTMLElement, color: string): string {
  const name = /^var\((--[\w-]+)\)$/.exec(color)?.[1];
  return name === undefined ? color : getComputedStyle(figure).getPropertyValue(name).trim();
}

function set(element: Element, attributes: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

function make(
  tag: string,
  attributes: Readonly<Record<string, string | number>>,
  content?: string,
): SVGElement {
  const element = document.createElementNS(SVG, tag);
  set(element, attributes);
  if (content !== undefined) element.textContent = content;
  return element;
}

export function svgBlob(svg: SVGSVGElement): Blob {
  return new Blob([new XMLSerializer().serializeToString(svg)], { type: 'image/svg+xml' });
}

/** @param scale pixels of the bitmap for one of the drawing; twice the size on screen stays sharp on a slide */
export async function pngBlob(svg: SVGSVGElement, scale = 2, dpi?: number): Promise<Blob> {
  const { width, height } = svg.viewBox.baseVal;
  const url = URL.createObjectURL(svgBlob(svg));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob>((done, fail) =>
      canvas.toBlob(
        (drawn) => (drawn === null ? fail(new Error('The chart is empty.')) : done(drawn)),
        'image/png',
      ),
    );
    if (dpi === undefined) return blob;
    return new Blob([withDensity(new Uint8Array(await blob.arrayBuffer()), dpi)], { type: 'image/png' });
  } finally {
    URL.revokeObjectURL(url);
  }
}

export function csvBlob(table: ChartTable): Blob {
  return new Blob([toCsv(table)], { type: 'text/csv;charset=utf-8' });
}

export function download(blob: Blob, fileName: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
