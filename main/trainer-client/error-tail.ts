import type { Readable } from 'node:stream';

const KEPT_CHARACTERS = 2000;
const SHOWN_CHARACTERS = 200;

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
    const why = tellingLine(tail);
    return why === '' ? how : `${how}: ${why}`;
  };
}

/** The line of a crash report that says what happened, else the last line. */
function tellingLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const telling = lines.filter((line) => /error|out of memory|fatal/i.test(line) && !line.startsWith('at '));
  return (telling.at(-1) ?? lines.at(-1) ?? '').slice(0, SHOWN_CHARACTERS);
}
