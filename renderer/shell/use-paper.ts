import { useEffect } from 'react';

const SCHEME = 'data-mantine-color-scheme';
/** Pixels across the smaller of A4 and Letter between the usual margins. */
const PAPER_PX = 700;

/** Prints in the light theme, and a screen as it stands, as small as the paper asks: its charts are drawn for its width. */
export function usePaper(): void {
  useEffect(() => {
    const root = document.documentElement;
    let scheme: string | null = null;
    const begin = (): void => {
      scheme = root.getAttribute(SCHEME);
      root.setAttribute(SCHEME, 'light');
      const width = document.getElementById('content')?.clientWidth ?? PAPER_PX;
      root.style.setProperty('--print-width', `${width}px`);
      root.style.setProperty('--print-zoom', String(Math.min(1, PAPER_PX / width)));
    };
    const end = (): void => {
      if (scheme !== null) root.setAttribute(SCHEME, scheme);
    };
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
}
