import type { StepFrame } from '../../../shared/charts/step-curves.ts';

/** Of one curve: the whole and the part in view, before and after a change of either. */
const MOST = 4;

/**
 * Remembers what was drawn of an object in a frame. While a run sends its steps, twelve pictures a second
 * differ in one curve only; the others keep their identity, and React draws them no more.
 *
 * @returns what `make` made for the same object, frame and look
 */
export function drawnBefore<T>(): (owner: object, frame: StepFrame, look: string, make: () => T) => T {
  const known = new WeakMap<object, Map<string, T>>();
  return (owner, { scale, window, columns }, look, make) => {
    const drawings = known.get(owner) ?? new Map<string, T>();
    known.set(owner, drawings);
    const key = [scale, window.from, window.to, columns, look].join(' ');
    const previous = drawings.get(key);
    if (previous !== undefined) return previous;
    const next = make();
    drawings.set(key, next);
    const [oldest] = drawings.keys();
    if (drawings.size > MOST && oldest !== undefined) drawings.delete(oldest);
    return next;
  };
}
