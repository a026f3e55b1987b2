import { BadInputError } from '../../engine/errors.ts';
import { MAX_JSON_CONTAINERS, ReadBudget } from '../../engine/exchange/read-limits.ts';
import type { ByteSource } from '../../engine/exchange/byte-source.ts';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];

/**
 * Text of a JSON file that may be parsed: no larger than its kind may be, and within the budget of every reader. One
 * pass over the bytes, before anything is parsed.
 *
 * @param tooLarge sentence for a file of more than `most` bytes
 * @throws BadInputError in one sentence
 */
export function jsonText(source: ByteSource, most: number, tooLarge: string): string {
  if (source.size > most) throw new BadInputError(tooLarge);
  const bytes = source.read(0, source.size);
  guardJson(bytes);
  return new TextDecoder().decode(bytes);
}

function guardJson(bytes: Uint8Array): void {
  const budget = new ReadBudget(undefined, MAX_JSON_CONTAINERS);
  /** Items so far of each list or object that is open. */
  const items = [1];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
    } else if (byte === COMMA) {
      budget.values(1);
      budget.items(++items[items.length - 1]!);
    } else if (byte === COLON) {
      budget.name();
    } else if (byte === 0x7b || byte === 0x5b) {
      budget.container();
      items.push(1);
      budget.depth(items.length - 1);
    } else if ((byte === 0x7d || byte === 0x5d) && items.length > 1) {
      items.pop();
    }
  }
}
