import { MAX_BATCH } from '../../../../engine/options/sizes.ts';
import { formatCount, threeDigits, THIN } from '../../../shared/format/numbers.ts';
import { widestRow, type LimitRow } from '../state/rows.ts';

export const GPUS = 4;

export interface FourGpuLine {
  readonly what: string;
  readonly regular: string;
  readonly checkpointed: string;
  readonly gain: string;
}

export interface FourGpus {
  /** Title of the checkpointing strategy: the widest of the experiment. */
  readonly strategy: LimitRow;
  readonly lines: readonly FourGpuLine[];
}

/**
 * Figure 1 of paper 000 for this network and device: data-parallel training splits the batch evenly, so
 * four devices hold four times the batch of one, and the same input. Null until there is something to say.
 */
export function fourGpus(rows: readonly LimitRow[], batch: number): FourGpus | null {
  const regular = rows.find(({ identity }) => identity.name === 'regular');
  const best = widestRow(rows.filter(({ identity }) => identity.name !== 'regular'));
  if (regular?.batch == null || best?.batch == null) return null;
  const count = (one: number): string =>
    one === 0 ? 'does not fit' : `${one >= MAX_BATCH ? 'at least ' : ''}${formatCount(GPUS * one)}`;
  const side = ({ input, limit }: LimitRow): string =>
    input === null || input === 0
      ? 'does not fit'
      : `${formatCount(input)}${THIN}${limit?.input?.unit ?? 'px'}`;
  const times = (more: number | null, less: number | null): string =>
    more === null || !less ? '–' : `${threeDigits(more / less)}${THIN}×`;
  const batches: FourGpuLine = {
    what: `Largest batch on ${GPUS}`,
    regular: count(regular.batch),
    checkpointed: count(best.batch),
    gain: times(best.batch, regular.batch),
  };
  const inputs: FourGpuLine = {
    what: `Largest input at batch ${formatCount(GPUS * batch)}`,
    regular: side(regular),
    checkpointed: side(best),
    gain: times(best.input, regular.input),
  };
  // A file has one fixed input size.
  return { strategy: best, lines: best.limit?.input === null ? [batches] : [batches, inputs] };
}
