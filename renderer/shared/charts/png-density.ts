const SIGNATURE_BYTES = 8;
/** Length, type, 13 bytes and checksum. */
const HEADER_BYTES = 25;
const INCHES_PER_METRE = 1 / 0.0254;

/** The PNG with its pixels an inch (pHYs, PNG 1.2 section 4.2.4.2), by which a page knows how large it is. */
export function withDensity(png: Uint8Array<ArrayBuffer>, dpi: number): Uint8Array<ArrayBuffer> {
  const chunk = new Uint8Array(21);
  const view = new DataView(chunk.buffer);
  const perMetre = Math.round(dpi * INCHES_PER_METRE);
  view.setUint32(0, 9);
  chunk.set(new TextEncoder().encode('pHYs'), 4);
  view.setUint32(8, perMetre);
  view.setUint32(12, perMetre);
  view.setUint8(16, 1);
  view.setUint32(17, crc32(chunk.subarray(4, 17)));
  const at = SIGNATURE_BYTES + HEADER_BYTES;
  const whole = new Uint8Array(png.length + chunk.length);
  whole.set(png.subarray(0, at));
  whole.set(chunk, at);
  whole.set(png.subarray(at), at + chunk.length);
  return whole;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
