import { causeWords, type CauseWords } from '../../../app/report/causes.ts';
import type { Cell } from '../../../engine/tables/table.ts';

/** The causes of a row as sentences, one a line: the cause without its full stop, the sizes with one. */
export function causesOf(cell: Cell | undefined): CauseWords[] {
  if (typeof cell !== 'object' || cell === null) return [];
  return cell.map(causeWords).map(({ cause, sizes }) => ({
    cause: capital(cause),
    sizes: sizes === '' ? '' : `${capital(sizes)}.`,
  }));
}

/** A capital at the start, unless the word is a name with capitals of its own (cuDNN). */
const capital = (text: string): string =>
  /^[a-z]+[A-Z]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
