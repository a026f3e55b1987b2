import { createProgram } from '../../../app/cli/program.ts';

/** Output of the command line. */
export async function printed(...args: string[]): Promise<string> {
  const lines: string[] = [];
  const terminal = {
    out: (text: string): void => void lines.push(`${text}\n`),
    err: () => undefined,
    progressVisible: false,
    columns: 100,
  };
  await createProgram(terminal).parseAsync(args, { from: 'user' });
  return lines.join('');
}

interface Extra {
  readonly solveMs?: number;
  readonly needsBytes?: number | null;
}

/** The same document but for how long it took, and for what Python adds up from the model itself (`total`). */
export function withoutTime(text: string): unknown {
  // Notices of a file are for the person who opens it.
  const { rows, notices: _notices, ...head } = JSON.parse(text);
  return { ...head, rows: rows.map(({ solveMs: _, needsBytes: _needs, ...row }: Extra) => row) };
}
