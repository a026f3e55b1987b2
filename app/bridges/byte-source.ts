import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { BadInputError } from '../../engine/errors.ts';

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

/** @throws BadInputError when there is no such file or it cannot be read */
export function fileSource(path: string): ByteSource {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new BadInputError(
      code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read: ${message}`,
    );
  }
  const info = fstatSync(descriptor);
  if (!info.isFile()) {
    closeSync(descriptor);
    throw new BadInputError(`${path} is not a file`);
  }
  let page = new Uint8Array(0);
  return {
    size: info.size,
    read(offset, length) {
      if (page.length < length) page = new Uint8Array(length);
      const count = readSync(descriptor, page, 0, length, offset);
      return page.subarray(0, count);
    },
    close: () => closeSync(descriptor),
  };
}
