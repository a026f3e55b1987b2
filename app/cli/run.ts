import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { BadInputError } from '../../engine/errors.ts';
import {
  AnsweredInfeasibleError,
  documentOf,
  EXIT_BAD_INPUT,
  EXIT_INTERNAL,
  exitCodeOf,
  jsonErrorOf,
  sentenceOf,
} from './failures.ts';
import { createProgram } from './program.ts';
import type { Terminal } from './terminal.ts';

/**
 * Runs one command line. A failure is one sentence on standard error, and where something can be done, a list of it on
 * standard output. With `--json` a document is there: `{"error": {"kind", "message", "exitCode"}}`, beside the answer where
 * one exists; one line of `train`, which has printed others.
 *
 * @param args without the program's name
 * @returns the exit code
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0;
    // `zigzag` alone prints its help, which is no error's text.
    if (thrown instanceof CommanderError && thrown.code === 'commander.help') return EXIT_BAD_INPUT;
    const error = thrown instanceof CommanderError ? badUsage(thrown) : thrown;
    terminal.err(sentenceOf(error));
    const exitCode = exitCodeOf(error);
    if (process.env['ZIGZAG_DEBUG'] === '1' && exitCode === EXIT_INTERNAL) terminal.err(inspect(error));
    if (wantsJson(args)) {
      const answer = documentOf(error);
      const isLine = args[0] === 'train';
      terminal.out(JSON.stringify({ ...answer, error: jsonErrorOf(error) }, null, isLine ? 0 : 2));
    } else if (error instanceof AnsweredInfeasibleError) terminal.out(error.advice);
    return exitCode;
  }
}

/** commander's own refusals, as one line: bad usage is bad input. */
function badUsage(error: CommanderError): BadInputError {
  const [sentence, suggestion = ''] = error.message.replace(/^error: /, '').split('\n');
  const near = /^\(Did you mean (?:one of )?(.*)\?\)$/.exec(suggestion)?.[1];
  return new BadInputError(
    `${sentence}; ${near === undefined ? 'see zigzag --help' : `did you mean ${near}?`}`,
  );
}

function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).includes('--json');
}
