import { worded } from '../../../../app/report/table-forms.ts';
import type { Cell } from '../../../../engine/tables/table.ts';
import {
  formatChange,
  formatCount,
  formatMs,
  formatPercent,
  THIN,
  threeDigits,
} from '../../../shared/format/numbers.ts';
import type { Kind } from '../state/layout.ts';

const NONE = '–';

export function cellText(value: Cell | undefined, kind: Kind): string {
  if (value === null || value === undefined) return NONE;
  if (typeof value !== 'number') return String(worded(value));
  switch (kind) {
    case 'count':
      return formatCount(value);
    case 'percent':
    case 'measured':
      return formatPercent(value / 100);
    case 'change':
      return formatChange(value / 100);
    case 'points':
      return `${value > 0 ? '+' : ''}${formatPercent(value / 100).replace('%', 'pt')}`;
    case 'seconds':
      return value < 1
        ? formatMs(value * 1000)
        : `${value < 1000 ? threeDigits(value) : formatCount(value)}${THIN}s`;
    case 'ms':
      return formatMs(value);
    case 'milliseconds':
      return value < 0.001 ? `${threeDigits(value * 1e6)}${THIN}µs` : formatMs(value * 1000);
    case 'times':
      return `${formatCount(value)}${THIN}×`;
  }
}

export function missingNote(key: string): string {
  if (key.startsWith('device')) return 'Not measured, or not at the paper’s own size';
  if (key.startsWith('paper')) return 'The paper gives no number';
  if (key.startsWith('random')) return 'No draw gave valid checkpoints';
  if (key === 'chenMB' || key === 'chenMemongerMB')
    return 'Chen’s algorithm needs splitting vertices, and this network has none';
  return 'One of the two numbers is missing';
}
