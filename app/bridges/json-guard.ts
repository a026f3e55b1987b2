import { BadInputError } from '../../engine/errors.ts';

const MAX_DEPTH = 200;
const MAX_OBJECTS = 3_000_000;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * JSON that no reader should meet: nested without end, or with so many objects that parsing them would
 * take all memory. One pass over the bytes, before anything is parsed.
 *
 * @throws BadInputError in one sentence
 */
export function guardJson(bytes: Uint8Array): void {
  let depth = 0;
  let objects = 0;
  let inText = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (inText) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) {
      inText = true;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > MAX_DEPTH)
        throw new BadInputError(`the file nests lists and objects more than ${MAX_DEPTH} deep`);
      if (++objects > MAX_OBJECTS)
        throw new BadInputError(`the file holds more than ${MAX_OBJECTS} lists and objects`);
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    }
  }
}
