import { formatCount } from '../format/numbers.ts';

export interface NumberRule {
  /** As in "Batch must be …". */
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

export type ParsedNumber = { readonly value: number } | { readonly error: string };

/** Reads what a person typed; spaces between thousands are fine, anything else gets one clear sentence. */
export function parseNumber(text: string, rule: NumberRule): ParsedNumber {
  const plain = text.replace(/[\s\u202f\u00a0]/g, '');
  const value = Number(plain);
  const kind = rule.whole ? 'a whole number' : 'a number';
  const fits =
    plain !== '' && value >= rule.min && value <= rule.max && (!rule.whole || Number.isInteger(value));
  if (fits) return { value };
  const limit = (bound: number): string => (rule.whole ? formatCount(bound) : String(bound));
  return { error: `${rule.label} must be ${kind} from ${limit(rule.min)} to ${limit(rule.max)}.` };
}
