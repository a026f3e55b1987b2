import { jsPDF } from 'jspdf';
import { svg2pdf } from 'svg2pdf.js';
import { standardText, unwritable } from './pdf-text.ts';

/** Every reader of PDF has its standard fonts, but they have no sign outside of Windows' Western code page. */
export class NoSuchSignError extends Error {}

/**
 * A vector PDF of one figure, its page as large as the figure. Text stays text, in Helvetica.
 *
 * @param size in points
 * @throws NoSuchSignError in one sentence, where a name has a sign that PDF's standard fonts do not have
 */
export async function figurePdf(
  svg: SVGSVGElement,
  { width, height }: { readonly width: number; readonly height: number },
  title: string,
): Promise<Blob> {
  for (const text of svg.querySelectorAll('text, tspan')) {
    for (const node of text.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) node.textContent = standardText(node.textContent ?? '');
    }
    // The standard fonts are regular or bold; for another weight a reader would take another font.
    text.setAttribute('font-family', 'helvetica');
    if (Number(text.getAttribute('font-weight')) >= 600) text.setAttribute('font-weight', 'bold');
    // A halo would be drawn over its letters: PDF fills before it strokes.
    text.setAttribute('stroke', 'none');
  }
  const missing = unwritable(svg.textContent ?? '');
  if (missing !== '') {
    throw new NoSuchSignError(
      `PDF’s standard fonts have no “${missing}”. Save the figure as SVG or PNG, or rename the network.`,
    );
  }
  const pdf = new jsPDF({
    unit: 'pt',
    format: [width, height],
    orientation: width > height ? 'landscape' : 'portrait',
    compress: true,
    putOnlyUsedFonts: true,
  });
  pdf.setProperties({ title: standardText(title), creator: 'Zigzag' });
  await svg2pdf(svg, pdf, { x: 0, y: 0, width, height });
  return pdf.output('blob');
}
