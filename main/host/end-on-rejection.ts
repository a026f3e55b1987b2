import { writeSync } from 'node:fs';

const STANDARD_ERROR = 2;

/**
 * Ends this process at once, its reason as its last words, where it rejects a promise that nobody awaits. Node does so
 * by itself; a utility process of Electron warns and goes on, so that its host would wait for an answer until it counts
 * as hung.
 */
export function endOnRejection(): void {
  process.on('unhandledRejection', (reason) => {
    const told = reason instanceof Error ? (reason.stack ?? reason.message) : `Error: ${String(reason)}`;
    try {
      // Waits until it is written: the exit would be faster than a stream.
      writeSync(STANDARD_ERROR, `${told}\n`);
    } catch {
      // Nobody reads it.
    }
    process.exit(1);
  });
}
