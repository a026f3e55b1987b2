import { expect } from 'vitest';
import { runCommandLine } from '../../../app/cli/run.ts';
import type { Terminal } from '../../../app/cli/terminal.ts';

export interface Recorded extends Terminal {
  readonly lines: string[];
}

export function recorder(): Recorded {
  const lines: string[] = [];
  return {
    lines,
    out: (text) => lines.push(text),
    err: () => undefined,
    progressVisible: false,
    columns: 100,
  };
}

/** Runs a command and parses the one JSON document that it prints. */
export async function json<T>(run: (terminal: Terminal) => void | Promise<void>): Promise<T> {
  const terminal = recorder();
  await run(terminal);
  expect(terminal.lines).toHaveLength(1);
  return JSON.parse(terminal.lines[0] ?? '') as T;
}

/** Runs the program; its exit code and what it writes. */
export async function runProgram(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCommandLine(args, {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    progressVisible: false,
    columns: 100,
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}
