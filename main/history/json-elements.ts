/** Where a piece of a text lies, in bytes. */
interface Piece {
  readonly from: number;
  readonly to: number;
}

/** A JSON document with the elements of its lists cut out. */
export interface CutDocument {
  /** The document; in each list directly inside its object the elements are their places in `pieces`. */
  readonly skeleton: string;
  readonly pieces: readonly Piece[];
  /** Elements of the longest list; those beyond `most` are in neither. */
  readonly longest: number;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const isOpening = (byte: number): boolean => byte === 0x7b || byte === 0x5b;
const isClosing = (byte: number): boolean => byte === 0x7d || byte === 0x5d;
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * Cuts the elements out of every list that is a value of the document's object, so that they can be parsed one after
 * the other: parsed at once, a file of numbers takes fifty times its bytes. Judges nothing: what is no JSON leaves a
 * skeleton or a piece that is none.
 *
 * @param most elements of one list that are cut out
 */
export function cutElements(bytes: Uint8Array, most: number): CutDocument {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const pieces: Piece[] = [];
  const parts: string[] = [];
  let copied = 0;
  let depth = 0;
  let isInList = false;
  let count = 0;
  let longest = 0;
  let from = 0;
  const cut = (to: number): void => {
    let start = from;
    while (start < to && isSpace(bytes[start] ?? 0)) start++;
    if (start === to) return;
    count++;
    if (count > longest) longest = count;
    if (count <= most) {
      parts.push(decoder.decode(bytes.subarray(copied, start)), String(pieces.length));
      pieces.push({ from: start, to });
    }
    copied = to;
  };
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
    } else if (isOpening(byte)) {
      depth++;
      if (depth === 2 && byte === 0x5b) {
        isInList = true;
        count = 0;
        from = at + 1;
      }
    } else if (isInList && depth === 2 && (byte === COMMA || isClosing(byte))) {
      cut(at);
      from = at + 1;
      if (byte !== COMMA) {
        isInList = false;
        depth--;
      }
    } else if (isClosing(byte)) depth--;
  }
  parts.push(decoder.decode(bytes.subarray(Math.min(copied, bytes.length))));
  return { skeleton: parts.join(''), pieces, longest };
}
