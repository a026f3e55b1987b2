/** A straight line below a trade-off: work + price x (bytes - fixedBytes) is at least `sum` for every schedule. */
export interface Line {
  readonly sum: number;
  /** Work that a byte is worth. */
  readonly price: number;
  readonly fixedBytes: number;
}

/** More than the rounding of a product and of a difference takes away, as a share. */
const SLACK = 2 ** -50;

/** At most what the rounded product of two positive numbers stands for. */
export const below = (product: number): number => product * (1 - SLACK);

/** The least work that the line proves for so many bytes; infinite where they do not even hold what is fixed. */
export function leastWorkOn(line: Line, bytes: number): number {
  const room = bytes - line.fixedBytes;
  if (room < 0) return Number.POSITIVE_INFINITY;
  const paid = line.price * room * (1 + SLACK);
  return Math.max(0, below(line.sum - paid));
}

/** The least bytes that the line proves for so much work. */
export function leastBytesOn(line: Line, work: number): number {
  if (line.price <= 0) return line.fixedBytes;
  return line.fixedBytes + Math.max(0, below(below(line.sum - work) / line.price));
}

/** Lines that are above all others somewhere, by falling price. A line too many or too few changes no proof. */
export function upperEnvelope(lines: readonly Line[]): Line[] {
  const start = ({ sum, price, fixedBytes }: Line): number => sum + price * fixedBytes;
  const sorted = [...lines].sort((a, b) => b.price - a.price || start(b) - start(a));
  const envelope: Line[] = [];
  /** The bytes at which the second falls below the first, which is steeper. */
  const meet = (a: Line, b: Line): number => (start(a) - start(b)) / (a.price - b.price);
  for (const line of sorted) {
    if (envelope.at(-1)?.price === line.price) continue;
    while (envelope.length > 1 && meet(envelope.at(-2)!, envelope.at(-1)!) >= meet(envelope.at(-1)!, line))
      envelope.pop();
    envelope.push(line);
  }
  return envelope;
}
