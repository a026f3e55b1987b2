import { crc32 } from 'node:zlib';

type Part = string | number | null | Uint8Array;

/**
 * CRC-32 over values with their types and lengths, so that nothing can move from one to the next unseen. Texts count as
 * the UTF-8 that the database keeps of them. It finds what a disk or a memory spoilt; it is no defence against people.
 */
export function checksum(parts: readonly Part[]): number {
  return parts.reduce<number>((sum, part) => {
    const isText = typeof part === 'string';
    const bytes = isText ? Buffer.from(part) : part instanceof Uint8Array ? part : Buffer.from(`${part}`);
    const next = crc32(`${isText ? 't' : 'v'}${bytes.length}:`, sum);
    // Zlib forgets the sum so far at an empty array without memory, which is how the database hands out an empty text.
    return bytes.length === 0 ? next : crc32(bytes, next);
  }, 0);
}

/** What a list shows of a run, in the form that its sum is made of. */
export interface SummedLine {
  readonly id: string | Uint8Array;
  readonly source: string | Uint8Array;
  readonly begunMs: number;
  readonly endedMs: number | null;
  readonly outcome: string | Uint8Array;
  readonly failure: string | Uint8Array | null;
  readonly name: string | Uint8Array;
  readonly note: string | Uint8Array;
  readonly summary: string | Uint8Array;
}

const asBytes = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? Buffer.from(text) : text;

export function lineSum(line: SummedLine): number {
  const { id, source, begunMs, endedMs, outcome, failure, name, note, summary } = line;
  return checksum([
    ...[id, source, outcome, name, note, summary].map(asBytes),
    failure === null ? null : asBytes(failure),
    begunMs,
    endedMs,
  ]);
}

/** What a whole run adds to its line; the start has a sum of its own, because it is packed once. */
export function contentSum(
  request: string | Uint8Array,
  facts: string | Uint8Array,
  measured: Uint8Array | null,
  iterations: Float64Array,
): number {
  const { buffer, byteOffset, byteLength } = iterations;
  return checksum([
    asBytes(request),
    asBytes(facts),
    measured,
    new Uint8Array(buffer, byteOffset, byteLength),
  ]);
}

/** Three doubles an iteration: time, loss, drift. What is null in the database is infinite here, as no value of it is. */
export function iterationRow(
  ms: number,
  loss: number | null,
  drift: number | null,
): [number, number, number] {
  return [ms, loss ?? Number.POSITIVE_INFINITY, drift ?? Number.POSITIVE_INFINITY];
}
