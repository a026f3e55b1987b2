/** Bytes that are read in parts, because a file of 2 GB is mostly weights that nobody asks for. */
export interface ByteSource {
  readonly size: number;
  /** Up to `length` bytes from `offset`; valid until the next read. */
  read(offset: number, length: number): Uint8Array;
  close(): void;
}

export function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
    close: () => undefined,
  };
}
