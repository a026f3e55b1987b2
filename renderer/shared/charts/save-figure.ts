import { chartSvg, download, type ExportRequest, figureRoom, pngBlob, svgBlob } from './export-chart.ts';
import { standardText } from './pdf-text.ts';
import { bitmapScale, type FigureSize, pixelsOf, pointsPerPixel } from './figure-size.ts';

export const FIGURE_FORMATS = ['pdf', 'svg', 'png'] as const;
export type FigureFormat = (typeof FIGURE_FORMATS)[number];

export interface FigureWish {
  readonly size: FigureSize;
  readonly format: FigureFormat;
}

export interface SavedFigure extends Omit<ExportRequest, 'isPrint'> {
  /** CSS pixels of a chart that needs them; null where the width decides. */
  readonly height: number | null;
  /** Title in a PDF's properties, also where none is drawn. */
  readonly name: string;
  /** Without its ending. */
  readonly fileName: string;
}

/**
 * Saves a figure at its size on paper: the chart draws itself again at that width, in the light colours.
 *
 * @throws NoSuchSignError where PDF's fonts do not have a sign
 */
export async function saveFigure(figure: SavedFigure, { size, format }: FigureWish): Promise<void> {
  // The key has room for its texts as they are written.
  const legend =
    format === 'pdf'
      ? figure.legend.map((entry) => ({ ...entry, title: standardText(entry.title) }))
      : figure.legend;
  const svg = await figureSvg({ ...figure, legend }, size);
  download(await blobOf(svg, size, format, figure.name), `${figure.fileName}.${format}`);
}

async function figureSvg(figure: SavedFigure, size: FigureSize): Promise<SVGSVGElement> {
  const request: ExportRequest = { ...figure, isPrint: true };
  const element = figure.figure;
  const total = size.widthMm === null ? element.clientWidth : pixelsOf(size.widthMm, size);
  const room = figureRoom(request, total);
  const width = total - room.left;
  const fixed = size.heightMm === undefined ? null : pixelsOf(size.heightMm, size) - room.top - room.bottom;
  const wished = size.widthMm === null ? element.clientHeight : (fixed ?? Math.round(total * size.aspect));
  const height = Math.max(wished, figure.height ?? 0);
  const svg = await borrowFigure(element, { width, height }, () => chartSvg(request));
  return onPaper(svg, size);
}

/** The drawing at its length on paper; what is higher than the paper is made smaller and put in its middle. */
function onPaper(svg: SVGSVGElement, size: FigureSize): SVGSVGElement {
  const { width, height } = svg.viewBox.baseVal;
  if (size.widthMm === null) return svg;
  const { widthMm, heightMm } = size;
  svg.setAttribute('width', `${widthMm}mm`);
  svg.setAttribute('height', `${heightMm ?? Math.round((widthMm * height * 100) / width) / 100}mm`);
  if (heightMm !== undefined) {
    const wide = Math.max(width, (height * widthMm) / heightMm);
    const box = [(width - wide) / 2, 0, wide, (wide * heightMm) / widthMm];
    svg.setAttribute('viewBox', box.map((value) => Math.round(value * 100) / 100).join(' '));
    const paper = svg.firstElementChild;
    paper?.setAttribute('x', String(box[0]));
    paper?.setAttribute('width', String(box[2]));
    paper?.setAttribute('height', String(box[3]));
  }
  return svg;
}

async function blobOf(
  svg: SVGSVGElement,
  size: FigureSize,
  format: FigureFormat,
  name: string,
): Promise<Blob> {
  const { width, height } = svg.viewBox.baseVal;
  switch (format) {
    case 'svg':
      return svgBlob(svg);
    case 'png':
      return pngBlob(svg, bitmapScale(size), size.dpi);
    case 'pdf': {
      const { figurePdf } = await import('./pdf.ts');
      const points = size.widthMm === null ? pointsPerPixel(size) : (size.widthMm / 25.4) * (72 / width);
      return figurePdf(svg, { width: width * points, height: height * points }, name);
    }
  }
}

const MAX_MS = 2000;
const LOOK_MS = 40;

/**
 * Lets a chart draw itself at another size and in the light colours, takes what is wanted of it, and puts it back. A
 * copy stands in its place meanwhile. The chart is where it was when the promise settles, also when `take` throws.
 *
 * @param width CSS pixels
 * @param height CSS pixels
 */
async function borrowFigure<T>(
  figure: HTMLElement,
  { width, height }: { readonly width: number; readonly height: number },
  take: () => T,
): Promise<T> {
  const parent = figure.parentElement;
  if (parent === null) return take();
  const standIn = figure.cloneNode(true) as HTMLElement;
  standIn.inert = true;
  standIn.setAttribute('aria-hidden', 'true');
  const { cssText } = figure.style;
  parent.insertBefore(standIn, figure);
  figure.setAttribute('data-print', '');
  Object.assign(figure.style, {
    position: 'fixed',
    left: '-20000px',
    top: '0',
    right: 'auto',
    bottom: 'auto',
    width: `${width}px`,
    height: `${height}px`,
  });
  try {
    await settled(figure, width);
    return take();
  } finally {
    figure.removeAttribute('data-print');
    // Not by its attribute, which the page's policy refuses to be set.
    figure.style.cssText = cssText;
    standIn.remove();
  }
}

/** Until it has drawn itself at its new width, and draws no more. */
async function settled(figure: HTMLElement, width: number): Promise<void> {
  const end = performance.now() + MAX_MS;
  let before = '';
  while (performance.now() < end) {
    await new Promise((done) => setTimeout(done, LOOK_MS));
    const svg = figure.querySelector('svg');
    const now = figure.innerHTML;
    if (svg !== null && Math.abs(svg.clientWidth - width) <= 1 && now === before) return;
    before = now;
  }
}
