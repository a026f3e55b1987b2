#!/usr/bin/env node
import { EXIT_BAD_INPUT } from './failures.ts';
import { plainName } from './plain-text.ts';
import { runCommandLine } from './run.ts';
import { processTerminal } from './terminal.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough (`zigzag models | head`) is no fault of ours.
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(
    `standard output cannot be written: ${plainName(error.message)}; write it elsewhere\n`,
  );
  process.exit(EXIT_BAD_INPUT);
});
// There is nobody left to tell.
process.stderr.on('error', () => undefined);

process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal());
