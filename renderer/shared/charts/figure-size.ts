export interface FigureSize {
  readonly id: 'single' | 'double' | 'slide' | 'screen';
  readonly title: string;
  /** Width of the whole figure; null is as wide as the chart on screen. */
  readonly widthMm: number | null;
  /** Height of the whole figure where it is fixed. */
  readonly heightMm?: number;
  /** Size of the chart's 12-pixel text on paper. */
  readonly textPt: number;
  /** Height of a chart that has none of its own, to its width. */
  readonly aspect: number;
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

/** Points that one pixel of the chart takes: what makes its text as large as the size says. */
export const pointsPerPixel = ({ textPt }: FigureSize): number => textPt / CHART_TEXT_PX;

export const pixelsOf = (mm: number, size: FigureSize): number =>
  Math.round(((mm / MM_PER_INCH) * PT_PER_INCH) / pointsPerPixel(size));

export const bitmapScale = (size: FigureSize): number =>
  size.widthMm === null ? size.dpi / CSS_PX_PER_INCH : (pointsPerPixel(size) / PT_PER_INCH) * size.dpi;
