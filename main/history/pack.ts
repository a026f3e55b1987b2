import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** A prediction of thousands of steps as JSON is a megabyte, and a tenth of that deflated. */
export const packJson = (value: unknown): Uint8Array => deflateRawSync(JSON.stringify(value));

export function unpackJson(packed: ArrayBuffer): unknown {
  return JSON.parse(inflateRawSync(Buffer.from(packed)).toString('utf8'));
}

export const packDoubles = (values: readonly number[]): Uint8Array =>
  deflateRawSync(new Uint8Array(Float64Array.from(values).buffer));

export function unpackDoubles(packed: ArrayBuffer): number[] {
  const bytes = inflateRawSync(Buffer.from(packed));
  // A copy, because the bytes need not lie where doubles may.
  return Array.from(new Float64Array(new Uint8Array(bytes).buffer));
}
