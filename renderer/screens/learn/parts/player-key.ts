/** Frames to move by, or a name; null for keys without a meaning there. */
export function playerKey(key: string, big: boolean): 'toggle' | 'first' | 'last' | number | null {
  if (key === ' ') return 'toggle';
  if (key === 'Home') return 'first';
  if (key === 'End') return 'last';
  if (key === 'ArrowRight') return big ? 10 : 1;
  return key === 'ArrowLeft' ? (big ? -10 : -1) : null;
}
