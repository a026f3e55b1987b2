import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const MAX_BYTES = 1_000_000;

/**
 * The program's log, for finding the cause of a problem later. One file of older lines is kept. Nothing fails if the
 * log cannot be written.
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
      // A full disk, or a folder without write permission.
    }
  }
}
