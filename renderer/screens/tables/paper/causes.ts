import { causeWords, type CauseWords } from '../../../../app/report/causes.ts';
import type { Cell } from '../../../../engine/tables/table.ts';

/** The causes of a row as sentences, one a line: the cause without its full stop, the sizes with one. */
export function causesOf(cell: Cell | undefined): CauseWords[] {
  if (typeof cell !== 'object' || cell === null) return [];
  return causeWords(cell).map(({ cause, sizes }) => ({
    cause: capital(cause),
    sizes: sizes === '' ? '' : `${capital(sizes)}.`,
  }));
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
