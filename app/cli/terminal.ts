import { plainText } from './plain-text.ts';

/** Output of the program: results to standard output, progress to standard error and only to a terminal. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  readonly progressVisible: boolean;
  readonly columns: number;
}

/** Writes nothing that a terminal would obey, whatever it is given. */
export function processTerminal(): Terminal {
  return {
    out: (text) => void process.stdout.write(`${plainText(text)}\n`),
    err: (text) => void process.stderr.write(`${plainText(text)}\n`),
    progressVisible: process.stderr.isTTY === true,
    columns: process.stdout.columns ?? 100,
  };
}

/** One JSON document, and nothing else, on standard output. */
export function printJson(terminal: Terminal, value: unknown): void {
  terminal.out(JSON.stringify(value, null, 2));
}
