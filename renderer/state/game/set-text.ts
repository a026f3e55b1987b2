/**
 * A set of tensors as text: a bit each, six bits a letter (the alphabet of RFC 4648, 5), the first tensor the lowest bit
 * of the first letter. Short enough for a link and for storage; nobody reads a solution off it in passing.
 */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const BITS = 6;

export function writeSet(vertices: readonly number[], size: number): string {
  const sums = new Array<number>(Math.ceil(size / BITS)).fill(0);
  for (const v of vertices) sums[Math.floor(v / BITS)]! += 2 ** (v % BITS);
  return sums.map((sum) => LETTERS[sum]).join('');
}

/**
 * The vertices of a text, ascending; null for one that was written for a network of another size, that keeps its source
 * or target, or that is damaged.
 *
 * @param size vertices of the network
 */
export function readSet(text: string, size: number): number[] | null {
  if (text.length !== Math.ceil(size / BITS)) return null;
  const vertices: number[] = [];
  for (const [i, letter] of [...text].entries()) {
    const sum = LETTERS.indexOf(letter);
    if (sum < 0) return null;
    for (let bit = 0; bit < BITS; bit++) if ((sum >> bit) & 1) vertices.push(i * BITS + bit);
  }
  const isInner = (v: number): boolean => v > 0 && v < size - 1;
  return vertices.every(isInner) ? vertices : null;
}
