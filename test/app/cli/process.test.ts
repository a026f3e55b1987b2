import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

/** The command line as scripts call it: `npm run -s zigzag -- ARGS` runs exactly this. */
function zigzag(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const result = spawnSync(process.execPath, ['app/start/zigzag.mjs', ...args], { encoding: 'utf8' });
  return { status: result.status, stdout: result.stdout, stderr: result.stderr };
}

describe('zigzag', () => {
  it('prints one JSON document on standard output and nothing on standard error', () => {
    zigzag('models');
    const { status, stdout, stderr } = zigzag('solve', 'resnet18', '--json');
    expect(status).toBe(0);
    expect(stderr).toBe('');
    expect(() => JSON.parse(stdout)).not.toThrow();
  });

  const failures: [string, string[], number, RegExp][] = [
    ['bad input', ['solve', 'resnt50'], 2, /did you mean resnet50/],
    ['bad usage', ['solve'], 2, /missing required argument/],
    ['an unknown command', ['frobnicate'], 2, /unknown command/],
    ['an infeasible budget', ['solve', 'resnet50', '--strategy', 'regular', '--budget', '1MiB'], 3, /budget/],
  ];
  it.each(failures)('ends %s with its exit code and one line', (_what, args, status, sentence) => {
    const result = zigzag(...args);
    expect(result.status).toBe(status);
    expect(result.stdout).toBe('');
    expect(result.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(result.stderr).toMatch(sentence);
  });
});
