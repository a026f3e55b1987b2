import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Bytes of a frame's header that its checksum covers. */
const FRAME_SUMMED_BYTES = 8;
const MAGIC = 0x377f0682;
const MIN_PAGE = 512;
const MAX_PAGE = 65536;

type Sum = readonly [number, number];

/** Longer than a file system's clock stands still, so that a second write shows. */
const PAUSE_MS = 20;
const MAX_LOOKS = 50;

/**
 * Whether a write-ahead log (SQLite, "WAL-mode file format") holds transactions that SQLite will not read. It reads up to
 * the first frame whose checksum is wrong and says nothing of those behind it, which were acknowledged when they are
 * ended transactions of the same log. Time O(bytes), space O(page).
 */
export function hasLostTransactions(file: string, pause: () => void = shortPause): boolean {
  // Another lab may be in the middle of a write, of which half is there: damage is what stays.
  for (let look = 0; look < MAX_LOOKS; look++) {
    const seen = writeOf(file);
    if (!looksLost(file)) return false;
    pause();
    if (looksLost(file) && writeOf(file) === seen) return true;
  }
  return false;
}

const shortPause = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
};

/** Size and time of the last write, which tell it from others. */
function writeOf(file: string): string {
  const { size, mtimeNs } = statSync(file, { bigint: true, throwIfNoEntry: false }) ?? {
    size: 0,
    mtimeNs: 0,
  };
  return `${size} ${mtimeNs}`;
}

function looksLost(file: string): boolean {
  if (!existsSync(file)) return false;
  const handle = openSync(file, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    if (readSync(handle, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return false;
    const magic = header.readUInt32BE(0);
    const pageBytes = header.readUInt32BE(8);
    const isBigEndian = magic === MAGIC + 1;
    const headerSum = sumOf(header.subarray(0, 24), [0, 0], isBigEndian);
    const isHeader = (magic === MAGIC || isBigEndian) && isStated(headerSum, header, 24);
    if (!isHeader || pageBytes < MIN_PAGE || pageBytes > MAX_PAGE) return true;
    const salts = header.subarray(16, 24);
    const frame = Buffer.alloc(FRAME_HEADER_BYTES + pageBytes);
    let sum = headerSum;
    let isRead = true;
    for (
      let at = HEADER_BYTES;
      readSync(handle, frame, 0, frame.length, at) === frame.length;
      at += frame.length
    ) {
      // Frames of an earlier log, which this one overwrites from its beginning.
      if (!frame.subarray(8, 16).equals(salts)) {
        isRead = false;
        continue;
      }
      sum = sumOf(frame.subarray(0, FRAME_SUMMED_BYTES), sum, isBigEndian);
      sum = sumOf(frame.subarray(FRAME_HEADER_BYTES), sum, isBigEndian);
      isRead &&= isStated(sum, frame, 16);
      const isEndOfTransaction = frame.readUInt32BE(4) !== 0;
      if (!isRead && isEndOfTransaction) return true;
    }
    return false;
  } finally {
    closeSync(handle);
  }
}

const isStated = ([first, second]: Sum, bytes: Buffer, at: number): boolean =>
  bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second;

function sumOf(bytes: Buffer, [first, second]: Sum, isBigEndian: boolean): Sum {
  const word = (at: number): number => (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
  let [a, b] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + word(at) + b) >>> 0;
    b = (b + word(at + 4) + a) >>> 0;
  }
  return [a, b];
}
