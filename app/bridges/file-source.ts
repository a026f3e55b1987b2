import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { BadInputError } from '../../engine/errors.ts';
import type { ByteSource } from '../../engine/exchange/byte-source.ts';

/** Opening a FIFO waits for its other end unless told not to; Windows has neither. */
export const OPEN_AT_ONCE = constants.O_NONBLOCK ?? 0;

/** @throws BadInputError when there is no such file, it cannot be read, or it is a folder, a pipe or a device */
export function fileSource(path: string): ByteSource {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | OPEN_AT_ONCE);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new BadInputError(
      code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read: ${message}`,
    );
  }
  const info = fstatSync(descriptor);
  if (!info.isFile()) {
    closeSync(descriptor);
    throw new BadInputError(
      info.isDirectory()
        ? `${path} is a folder; name a file`
        : `${path} is a pipe or a device; save its content in a file and name that`,
    );
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
