import { writeSync } from 'node:fs';

const STANDARD_ERROR = 2;

/**
 * Ends this process at an unhandled rejection, after printing the reason. Node does so by default; a utility process of
 * Electron only warns, and its host would wait until the process counts as hung.
 */
export function endOnRejection(): void {
  process.on('unhandledRejection', (reason) => {
    const told = reason instanceof Error ? (reason.stack ?? reason.message) : `Error: ${String(reason)}`;
    try {
      // Writes synchronously: the exit would be faster than a stream.
      writeSync(STANDARD_ERROR, `${told}\n`);
    } catch {
      // The output is closed.
    }
    process.exit(1);
  });
}
