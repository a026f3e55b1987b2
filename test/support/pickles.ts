/** Plain values as a pickle of protocol 4: objects are dicts, arrays lists. */
export function pickled(value: unknown): Uint8Array {
  const bytes: number[] = [0x80, 4];
  write(value, bytes);
  bytes.push(0x2e);
  return Uint8Array.from(bytes);
}

function write(value: unknown, out: number[]): void {
  if (value === null) out.push(0x4e);
  else if (typeof value === 'boolean') out.push(value ? 0x88 : 0x89);
  else if (typeof value === 'number') writeNumber(value, out);
  else if (typeof value === 'string') {
    const text = new TextEncoder().encode(value);
    out.push(0x58, ...fourBytes(text.length), ...text);
  } else if (Array.isArray(value)) {
    out.push(0x5d, 0x28);
    for (const one of value) write(one, out);
    out.push(0x65);
  } else {
    out.push(0x7d, 0x28);
    for (const [key, one] of Object.entries(value as object)) {
      write(key, out);
      write(one, out);
    }
    out.push(0x75);
  }
}

/** Whole numbers as LONG1 of 8 bytes, as C++ writes them. */
function writeNumber(value: number, out: number[]): void {
  const view = new DataView(new ArrayBuffer(8));
  if (Number.isInteger(value)) {
    view.setBigInt64(0, BigInt(value), true);
    out.push(0x8a, 8);
  } else {
    view.setFloat64(0, value, false);
    out.push(0x47);
  }
  out.push(...new Uint8Array(view.buffer));
}

function fourBytes(value: number): number[] {
  return [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, (value >> 24) & 0xff];
}
