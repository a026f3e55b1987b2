import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import type { Measured } from './score-of.ts';

const MAX_NAMED = 3;

const named = (ids: readonly string[]): string =>
  ids.length > MAX_NAMED ? `${formatCount(ids.length)} tensors` : ids.join(', ');

/** `Kept f3`, `Dropped f3`, `Kept f3, dropped f4`. */
export function moveText({
  kept,
  dropped,
}: {
  readonly kept: readonly string[];
  readonly dropped: readonly string[];
}): string {
  const parts = [
    ...(kept.length === 0 ? [] : [`kept ${named(kept)}`]),
    ...(dropped.length === 0 ? [] : [`dropped ${named(dropped)}`]),
  ].join(', ');
  return parts === '' ? 'Began' : parts.charAt(0).toUpperCase() + parts.slice(1);
}

/** `Eq. 2 16.0 MiB, 2.00 MiB less`; what is not known yet is left out. */
export function effectText(before: Measured | null, after: Measured): string {
  const parts = [
    after.cost === null
      ? 'Eq. 2 does not apply'
      : `Eq. 2 ${formatBytes(after.cost)}${changeText(before?.cost, after.cost)}`,
    ...(after.peak === null
      ? []
      : [`peak ${formatBytes(after.peak)}${changeText(before?.peak, after.peak)}`]),
  ];
  return parts.join('; ');
}

function changeText(before: number | null | undefined, after: number): string {
  if (before === null || before === undefined) return '';
  if (before === after) return ', as before';
  return `, ${formatBytes(Math.abs(after - before))} ${after < before ? 'less' : 'more'}`;
}
