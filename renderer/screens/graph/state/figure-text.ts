import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatShortCount, THIN } from '../../../shared/format/numbers.ts';
import type { Coloring } from './view-state.ts';

export function figureText(perSample: number, coloring: Coloring, batch: number): string {
  return coloring === 'flops' ? formatFlops(perSample * batch) : formatBytes(perSample * batch);
}

/** `116 MFLOP`. */
export function formatFlops(value: number): string {
  return `${formatShortCount(value)}${value < 1000 ? THIN : ''}FLOP`;
}
