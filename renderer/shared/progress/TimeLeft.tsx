import { msLeft, type Progress, sayLeft } from './time-left.ts';
import { useNow } from './use-now.ts';

/** `, about 3 s left` once anybody can tell; not for a screen reader, which would read every second of it. */
export function TimeLeft(progress: Progress) {
  const now = useNow(true);
  const left = msLeft(progress, now);
  return left === null ? null : <span aria-hidden="true">, {sayLeft(left)}</span>;
}
