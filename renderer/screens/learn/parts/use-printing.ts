import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** True just before printing, so that what only paper shows is there in time, and gone afterwards. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const print = window.matchMedia('print');
    // The browser takes the page as it is when this ends.
    const follow = (isOn: boolean) => (): void => flushSync(() => setPrinting(isOn));
    const before = follow(true);
    const after = follow(false);
    const change = (): void => setPrinting(print.matches);
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    print.addEventListener('change', change);
    return () => {
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
      print.removeEventListener('change', change);
    };
  }, []);
  return isPrinting;
}
