import { useEffect } from 'react';

const SCHEME = 'data-mantine-color-scheme';
/** Pixels across the smaller of A4 and Letter between the usual margins. */
const PAPER_PX = 700;

/** Prints in the light theme, and a screen as it stands, as small as the paper asks: its charts are drawn for its width. */
export function usePaper(): void {
  useEffect(() => {
    const root = document.documentElement;
    let scheme: string | null = null;
    let release = (): void => undefined;
    const begin = (): void => {
      scheme = root.getAttribute(SCHEME);
      root.setAttribute(SCHEME, 'light');
      release = holdGrids();
      const width = document.getElementById('content')?.clientWidth ?? PAPER_PX;
      root.style.setProperty('--print-width', `${width}px`);
      root.style.setProperty('--print-zoom', String(Math.min(1, PAPER_PX / width)));
    };
    const end = (): void => {
      if (scheme !== null) root.setAttribute(SCHEME, scheme);
      release();
    };
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
}

/** Holds the columns of a screen as they are: style sheets would stack them on paper, where no chart is drawn again. */
function holdGrids(): () => void {
  const screen = document.querySelectorAll<HTMLElement>('main[data-screen]:not([data-screen="learn"]) *');
  const held = [...screen].flatMap((box) => {
    const { display, gridTemplateColumns, gridColumn } = getComputedStyle(box);
    return display === 'grid' || gridColumn !== 'auto'
      ? [{ box, style: box.getAttribute('style'), columns: { gridTemplateColumns, gridColumn } }]
      : [];
  });
  for (const { box, columns } of held) Object.assign(box.style, columns);
  return () => {
    for (const { box, style } of held) {
      if (style === null) box.removeAttribute('style');
      else box.setAttribute('style', style);
    }
  };
}
