import { formatBytes } from '../shared/format/bytes.ts';
import { formatShortCount } from '../shared/format/numbers.ts';
import type { Coloring } from './view-state.ts';

/** What a box costs at a batch size, in the unit that it is coloured by. */
export function figureText(perSample: number, coloring: Coloring, batch: number): string {
  return coloring === 'flops' ? `${formatShortCount(perSample * batch)}FLOP` : formatBytes(perSample * batch);
}
