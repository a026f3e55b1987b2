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
  return cell
    .split(/(?<=\))\. /)
    .map((part) => {
      const match = /^(.*?) \(([^()]*)\)$/s.exec(part.trim());
      const cause = asSentence(match?.[1] ?? part).replace(/\.$/, '');
      return { cause, sizes: asSentence(match?.[2] ?? '') };
    })
    .map(({ cause, sizes }) => ({ cause, sizes: sizes.startsWith('Something went wrong') ? '' : sizes }));
}
