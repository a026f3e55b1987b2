import { describe, expect, it } from 'vitest';
import { compareCommand } from '../../../app/cli/commands/compare.ts';
import { solveCommand } from '../../../app/cli/commands/solve.ts';
import type { Terminal } from '../../../app/cli/terminal.ts';
import { recorder } from './recorder.ts';

interface Proved {
  readonly rows: readonly {
    readonly strategy: string;
    readonly peakBytes: number | null;
    readonly recomputeFraction: number | null;
    readonly recomputeBoundFraction: number | null;
  }[];
}

/** Output of a command, one line each. */
async function printed(run: (terminal: Terminal) => Promise<void>): Promise<string[]> {
  const terminal = recorder();
  await run(terminal);
  return terminal.lines;
}

const documentOf = (lines: readonly string[]): Proved => JSON.parse(lines[0] ?? '') as Proved;

describe('the proof of a row', () => {
  it('is in every row with a plan, never above the plan’s recompute, and absent without a plan', async () => {
    const { rows } = documentOf(
      await printed((terminal) => compareCommand(['resnet18'], { batch: '2', json: true }, terminal)),
    );
    for (const { strategy, peakBytes, recomputeFraction, recomputeBoundFraction } of rows) {
      if (peakBytes === null) expect(recomputeBoundFraction, strategy).toBeNull();
      else expect(recomputeBoundFraction, strategy).toBeLessThanOrEqual(recomputeFraction!);
    }
    const regular = rows.find(({ strategy }) => strategy === 'regular');
    expect(regular?.recomputeBoundFraction).toBe(0);
    expect(rows.find(({ strategy }) => strategy === 'live')?.recomputeBoundFraction).toBeGreaterThan(0.01);
  });

  it('is for the given budget, not for the lower peak of the plan within it', async () => {
    const bound = async (flags: { budget?: string; strategy?: string }) =>
      documentOf(await printed((terminal) => solveCommand('resnet18', { ...flags, json: true }, terminal)))
        .rows[0]!;
    const regular = await bound({ strategy: 'regular' });
    const enough = await bound({ budget: `${regular.peakBytes!}` });
    expect(enough.recomputeBoundFraction).toBe(0);
    const half = await bound({ budget: `${Math.ceil(regular.peakBytes! / 2)}` });
    expect(half.recomputeBoundFraction).toBeGreaterThan(0);
    expect(half.recomputeBoundFraction).toBeLessThanOrEqual(half.recomputeFraction!);
  });

  it('is a sentence for people', async () => {
    const lines = await printed((terminal) => solveCommand('resnet18', { strategy: 'regular' }, terminal));
    expect(lines.find((line) => line.startsWith('recompute'))).toMatch(
      /^recompute +[\d.]+ *% of one forward, proved optimal$/,
    );
    const live = await printed((terminal) => solveCommand('resnet18', { strategy: 'live' }, terminal));
    expect(live.find((line) => line.startsWith('recompute'))).toMatch(
      /% of one forward, at most [\d.]+ points above the lower bound$/,
    );
  });

  it('names what works and what is proved necessary if nothing fits', async () => {
    await expect(
      printed((terminal) => solveCommand('resnet18', { budget: '1MiB' }, terminal)),
    ).rejects.toThrow(/the least reachable is .* bytes\), with live; every schedule needs .* or more$/);
  });

  it('is, on request, the least peak of schedules of the plan’s kind', async () => {
    const solved = async (flags: { strategy: string; json?: boolean; slots?: string }) =>
      printed((terminal) => solveCommand('tiny-residual', { ...flags, prove: true }, terminal));
    const [row] = (
      JSON.parse((await solved({ strategy: 'live', json: true }))[0] ?? '') as {
        rows: { peakBytes: number; lowerBoundBytes: number; oncePeakBoundBytes: number }[];
      }
    ).rows;
    expect(row!.oncePeakBoundBytes).toBeGreaterThanOrEqual(row!.lowerBoundBytes);
    expect(row!.oncePeakBoundBytes).toBeLessThanOrEqual(row!.peakBytes);
    const peak = (lines: readonly string[]) => lines.find((line) => line.startsWith('peak '));
    expect(peak(await solved({ strategy: 'regular' }))).toMatch(
      /^peak +at most [\d.]+ % above the minimum of all schedules that run no operation more than twice, which need .* or more$/,
    );
    expect(peak(await solved({ strategy: 'memory-poor' }))).toMatch(
      /^peak +(the least|at most [\d.]+ % above the minimum) of all schedules(, which need .* or more)?$/,
    );
  });
});
