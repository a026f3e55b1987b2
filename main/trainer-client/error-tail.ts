import type { Readable } from 'node:stream';
import { lastErrorLine } from '../../app/bridges/last-words.ts';

const KEPT_CHARACTERS = 2000;

/**
 * Keeps the end of a process's standard error, to explain a crash with. Nothing of it is printed.
 *
 * @returns why the process ended, in a few words: `how`, and what it said last where it said something
 */
export function errorTail(stream: Readable | null): (how: string) => string {
  let tail = '';
  stream?.setEncoding('utf8');
  stream?.on('data', (text: string) => {
    tail = (tail + text).slice(-KEPT_CHARACTERS);
  });
  return (how) => {
    const why = lastErrorLine(tail);
    return why === '' ? how : `${how}: ${why}`;
  };
}
