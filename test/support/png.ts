import { inflateSync } from 'node:zlib';

/** Pixels of a picture, row by row, four bytes each: red, green, blue, opacity. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

const HEADER = 8;
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/** Reads a PNG as Chromium writes them: 8 bits a channel, colours with or without opacity, not interlaced. */
export function readPng(file: Uint8Array): Pixels {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let [width, height, channels] = [0, 0, 0];
  const packed: Uint8Array[] = [];
  for (let at = HEADER; at < file.length; ) {
    const size = view.getUint32(at);
    const name = String.fromCharCode(...file.subarray(at + 4, at + 8));
    const body = at + 8;
    if (name === 'IHDR') {
      [width, height] = [view.getUint32(body), view.getUint32(body + 4)];
      channels = CHANNELS[view.getUint8(body + 9)] ?? 0;
      if (view.getUint8(body + 8) !== 8 || channels === 0 || view.getUint8(body + 12) !== 0) {
        throw new Error('not a picture as Chromium writes them');
      }
    } else if (name === 'IDAT') packed.push(file.subarray(body, body + size));
    at = body + size + 4;
  }
  return { width, height, rgba: unfilter(inflateSync(Buffer.concat(packed)), width, height, channels) };
}

/** Each row begins with how its bytes are told from those to the left (a) and above (b, c): PNG, section 9. */
function unfilter(data: Uint8Array, width: number, height: number, channels: number): Uint8Array {
  const rowBytes = width * channels;
  const rgba = new Uint8Array(width * height * 4).fill(255);
  let above: Uint8Array = new Uint8Array(rowBytes);
  for (let y = 0; y < height; y++) {
    const start = y * (rowBytes + 1);
    const kind = data[start] ?? 0;
    const row = data.slice(start + 1, start + 1 + rowBytes);
    for (let x = 0; x < rowBytes; x++) {
      const a = x < channels ? 0 : (row[x - channels] ?? 0);
      const b = above[x] ?? 0;
      const c = x < channels ? 0 : (above[x - channels] ?? 0);
      row[x] = (row[x] ?? 0) + predicted(kind, a, b, c);
    }
    for (let x = 0; x < width; x++) {
      rgba.set(row.subarray(x * channels, (x + 1) * channels), (y * width + x) * 4);
    }
    above = row;
  }
  return rgba;
}

function predicted(kind: number, a: number, b: number, c: number): number {
  if (kind === 1) return a;
  if (kind === 2) return b;
  if (kind === 3) return (a + b) >> 1;
  if (kind !== 4) return 0;
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** How many different colours there are, opacity aside. */
export function coloursOf({ rgba }: Pixels): number {
  const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4);
  return new Set(pixels).size;
}
