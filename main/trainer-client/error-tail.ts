import type { Readable } from 'node:stream';
import { lastErrorLine } from '../../app/bridges/stderr-summary.ts';

const KEPT_CHARACTERS = 2000;

/** Keeps the end of a process's standard error, to explain a crash. Nothing of it is printed. */
export class ErrorTail {
  #tail = '';

  constructor(stream: Readable | null) {
    stream?.setEncoding('utf8');
    this.listen(stream);
  }

  /** Listens again after a stream has lost its listeners. */
  listen(stream: Readable | null): void {
    stream?.on('data', (text: string) => {
      this.#tail = (this.#tail + text).slice(-KEPT_CHARACTERS);
    });
  }

  /** @returns why the process ended, in a few words: `how`, and its last output if any */
  readonly explain = (how: string): string => {
    const why = lastErrorLine(this.#tail);
    return why === '' ? how : `${how}: ${why}`;
  };
}
