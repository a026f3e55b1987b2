import { useEffect } from 'react';

/** Fields that take typed text; keys pressed on a choice or a slider still reach the lab. */
export const TEXT_FIELDS =
  'input:not([type="radio"], [type="checkbox"], [type="range"]), textarea, select, [contenteditable="true"]';
const LAYERS = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Escape cancels what a screen has running, unless something in front of it takes the key. */
export function useEscape(cancel: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest(TEXT_FIELDS) != null) return;
      // Without motion a layer that took the key is gone by now; the key's path still leads through it.
      if (event.composedPath().some((node) => node instanceof Element && node.matches(LAYERS))) return;
      if ([...document.querySelectorAll(LAYERS)].some((layer) => layer.getClientRects().length > 0)) return;
      cancel();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [cancel]);
}
