const MOST_MS = 2000;
const LOOK_MS = 40;

/**
 * Lets a chart draw itself at another size and in the light colours, takes what is wanted of it, and puts it back. A
 * copy stands in its place meanwhile. The chart is where it was when the promise settles, also when `take` throws.
 *
 * @param width CSS pixels
 * @param height CSS pixels
 */
export async function borrowFigure<T>(
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
  const end = performance.now() + MOST_MS;
  let before = '';
  while (performance.now() < end) {
    await new Promise((done) => setTimeout(done, LOOK_MS));
    const svg = figure.querySelector('svg');
    const now = figure.innerHTML;
    if (svg !== null && Math.abs(svg.clientWidth - width) <= 1 && now === before) return;
    before = now;
  }
}
