import { formatCount } from '../../shared/format/numbers.ts';
import { MAX_BATCH } from '../../../engine/options/sizes.ts';

/** `612`, or `at least 65,536` where a search ended at its cap. */
export const sayBatch = (batch: number): string =>
  `${batch >= MAX_BATCH ? 'at least ' : ''}${formatCount(batch)}`;
