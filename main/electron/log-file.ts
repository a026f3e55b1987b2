import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const MAX_BYTES = 1_000_000;

/**
 * Log of the program, line by line, for a later search for reasons. Beside the last lines, one file of
 * older ones is kept. A log that cannot be written is no reason to fail.
 */
export class LogFile {
  readonly path: string;
  readonly #mostBytes: number;

  constructor(path: string, mostBytes = MAX_BYTES) {
    this.path = path;
    this.#mostBytes = mostBytes;
  }

  write(happened: string): void {
    try {
      mkdirSync(dirname(this.path), { recursive: true });
      const { size } = statSync(this.path, { throwIfNoEntry: false }) ?? { size: 0 };
      if (size > this.#mostBytes) renameSync(this.path, `${this.path}.old`);
      appendFileSync(this.path, `${new Date().toISOString()} ${happened}\n`);
    } catch {
      // A full disk, a folder that may not be written.
    }
  }
}
