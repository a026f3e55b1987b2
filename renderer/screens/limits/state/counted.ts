import { formatCount } from '../../../shared/format/numbers.ts';
import type { LimitsState } from './limits-store.ts';

export interface Counted {
  readonly one: 'image' | 'sequence' | 'sample';
  /** `At 224 × 224 pixels`; null where the network says no size. */
  readonly size: string | null;
  /** `Images per second`. */
  readonly rate: string;
  /** Units in a sample: tokens of a sequence. */
  readonly perSample: number;
}

export function countedOf(head: LimitsState['head']): Counted {
  const input = head?.input ?? 0;
  if (head?.inputUnit === 'tokens') {
    const size = `At sequences of ${formatCount(input)} tokens`;
    return { one: 'sequence', size, rate: 'Tokens per second', perSample: input };
  }
  if (head !== null && input === 0)
    return { one: 'sample', size: null, rate: 'Samples per second', perSample: 1 };
  const size = head === null ? null : `At ${input} × ${input} pixels`;
  return { one: 'image', size, rate: 'Images per second', perSample: 1 };
}
