import { expect } from 'vitest';
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
