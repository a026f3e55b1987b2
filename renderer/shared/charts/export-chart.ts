import { type ChartTable, toCsv } from './csv.ts';

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
  /** What stands for it where that is no line. */
  readonly mark?: 'line' | 'bar' | 'disc' | 'square' | 'cross' | undefined;
}

export interface ExportRequest {
  /** The element that holds the chart's SVGs, one over the other. */
  readonly figure: HTMLElement;
  readonly title: string;
  readonly legend: readonly LegendEntry[];
}

/**
 * One self-contained SVG of what the chart shows now: its own drawing with all colours resolved, a
 * title and the legend, on the theme's background.
 */
export function chartSvg({ figure, title, legend }: ExportRequest): SVGSVGElement {
  const sources = [...figure.querySelectorAll<SVGSVGElement>('svg.recharts-surface, svg[data-layer]')].filter(
    (svg) => svg.parentElement?.closest('svg') === null || svg.parentElement === null,
  );
  const width = figure.clientWidth;
  const top = legend.length > 0 ? 56 : 32;
  const height = figure.clientHeight + top;
  const root = document.createElementNS(SVG, 'svg');
  set(root, { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` });
  const probe = getComputedStyle(figure);
  set(root, { 'font-family': probe.fontFamily });
  root.append(make('rect', { width, height, fill: resolve(figure, 'var(--zz-card)') }));
  const ink = resolve(figure, 'var(--zz-ink)');
  root.append(make('text', { x: 16, y: 22, fill: ink, 'font-size': 14, 'font-weight': 600 }, title));
  let x = 16;
  for (const entry of legend) {
    const color = resolve(figure, entry.color);
    const line = make('line', { x1: x, x2: x + 24, y1: 42, y2: 42, stroke: color, 'stroke-width': 2 });
    if (entry.dash !== undefined) line.setAttribute('stroke-dasharray', entry.dash);
    root.append(line, make('text', { x: x + 30, y: 46, fill: ink, 'font-size': 12 }, entry.title));
    x += 30 + entry.title.length * 7 + 20;
  }
  for (const source of sources) {
    const copy = source.cloneNode(true) as SVGSVGElement;
    inlineStyles(source, copy);
    set(copy, {
      x: 0,
      y: top,
      width: source.clientWidth || width,
      height: source.clientHeight || height - top,
    });
    copy.removeAttribute('style');
    root.append(copy);
  }
  return root;
}

function inlineStyles(source: Element, copy: Element): void {
  const style = getComputedStyle(source);
  const isText = source.tagName === 'text' || source.tagName === 'tspan';
  for (const name of isText ? [...STYLED, ...TEXT_STYLED] : STYLED) {
    const value = style.getPropertyValue(name);
    if (value !== '') copy.setAttribute(name, value);
  }
  copy.removeAttribute('class');
  [...source.children].forEach((child, i) => {
    const twin = copy.children[i];
    if (twin !== undefined) inlineStyles(child, twin);
  });
}

/** The value of a CSS colour in the figure's theme. */
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

/** Twice the size on screen, so that it stays sharp on a slide. */
export async function pngBlob(svg: SVGSVGElement): Promise<Blob> {
  const url = URL.createObjectURL(svgBlob(svg));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = svg.width.baseVal.value * 2;
    canvas.height = svg.height.baseVal.value * 2;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, fail) =>
      canvas.toBlob(
        (blob) => (blob === null ? fail(new Error('The picture is empty.')) : done(blob)),
        'image/png',
      ),
    );
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
