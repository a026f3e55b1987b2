import type { Cell } from '../../engine/tables/table.ts';
import { asSentence } from '../lab/sentence.ts';

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
      cause: asSentence(match?.[1] ?? part).replace(/\.$/, ''),
      sizes: sizes === '' ? '' : `${sizes.charAt(0).toUpperCase()}${sizes.slice(1)}.`,
    };
  });
}
