/** How large a figure is on paper or on a slide. */
export interface FigureSize {
  readonly id: 'single' | 'double' | 'slide' | 'screen';
  readonly title: string;
  /** Of the whole figure; null is as wide as the chart on screen. */
  readonly widthMm: number | null;
  /** Of the whole figure where it is fixed. */
  readonly heightMm?: number;
  /** In which the chart's 12-pixel text is set. */
  readonly textPt: number;
  /** Height of a chart that has none of its own, to its width. */
  readonly aspect: number;
  /** Pixels an inch of a bitmap. */
  readonly dpi: number;
}

const CHART_TEXT_PX = 12;
const MM_PER_INCH = 25.4;
const PT_PER_INCH = 72;
const CSS_PX_PER_INCH = 96;

/** Columns as IEEE and CVPR set them; text in 8 point as in their captions. */
export const FIGURE_SIZES: readonly FigureSize[] = [
  { id: 'single', title: 'Single column, 89 mm', widthMm: 89, textPt: 8, aspect: 0.62, dpi: 300 },
  { id: 'double', title: 'Double column, 183 mm', widthMm: 183, textPt: 8, aspect: 0.42, dpi: 300 },
  { id: 'slide', title: 'Slide, 16:9', widthMm: 338.67, heightMm: 190.5, textPt: 16, aspect: 0.5, dpi: 144 },
  { id: 'screen', title: 'As on screen', widthMm: null, textPt: 9, aspect: 0.5, dpi: 192 },
];

export const onScreen: FigureSize = FIGURE_SIZES[3] as FigureSize;

/** Points that one pixel of the chart takes: what makes its text as large as the size says. */
export const pointsPerPixel = ({ textPt }: FigureSize): number => textPt / CHART_TEXT_PX;

/** Pixels of the chart that fill a length on paper. */
export const pixelsOf = (mm: number, size: FigureSize): number =>
  Math.round(((mm / MM_PER_INCH) * PT_PER_INCH) / pointsPerPixel(size));

/** Pixels of the bitmap for one of the chart. */
export const bitmapScale = (size: FigureSize): number =>
  size.widthMm === null ? size.dpi / CSS_PX_PER_INCH : (pointsPerPixel(size) / PT_PER_INCH) * size.dpi;
