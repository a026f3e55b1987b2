/**
 * Stands for what jsPDF would load to draw HTML and bitmaps of SVG: figures are vectors, and svg2pdf.js draws them.
 */
export const NOT_USED = null;
