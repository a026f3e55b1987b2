#!/usr/bin/env node
import { CommanderError } from 'commander';
import { EXIT_BAD_INPUT, EXIT_INTERNAL, exitCodeOf, sentenceOf } from './failures.ts';
import { createProgram } from './program.ts';
import { processTerminal } from './terminal.ts';

/** commander's own refusals, as one line: bad usage is bad input. */
function usageExit(error: CommanderError): number {
  if (error.exitCode === 0) return 0;
  const sentence = error.message.replace(/^error: /, '').split('\n', 1)[0];
  // `zigzag` alone prints its help, which is not an error's text.
  if (error.code !== 'commander.help') process.stderr.write(`${sentence}; see zigzag --help\n`);
  return EXIT_BAD_INPUT;
}

async function run(): Promise<number> {
  try {
    await createProgram(processTerminal()).parseAsync(process.argv);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return usageExit(error);
    process.stderr.write(`${sentenceOf(error)}\n`);
    if (process.env['ZIGZAG_DEBUG'] === '1' && exitCodeOf(error) === EXIT_INTERNAL) console.error(error);
    return exitCodeOf(error);
  }
}

// A reader that has seen enough (`zigzag models | head`) is no fault of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await run();
