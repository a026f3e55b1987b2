import type { Cell } from '../../../engine/tables/table.ts';

export interface CauseLine {
  /** A sentence without its full stop. */
  readonly cause: string;
  /** Which columns it explains and by how much. */
  readonly sizes: string;
}

/** The engine's text of causes, `cause (sizes). cause (sizes)`, as lines. */
export function causesOf(cell: Cell | undefined): CauseLine[] {
  if (typeof cell !== 'string' || cell.trim() === '') return [];
  return cell.split(/(?<=\))\. /).map((part) => {
    const match = /^(.*?) \(([^()]*)\)$/s.exec(part.trim());
    const sizes = match?.[2] ?? '';
    return {
      cause: capital(match?.[1] ?? part).replace(/\.$/, ''),
      sizes: sizes === '' ? '' : `${capital(sizes)}.`,
    };
  });
}

/** A capital at the start, unless the word is a name with capitals of its own (cuDNN). */
const capital = (text: string): string =>
  /^[a-z]+[A-Z]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
