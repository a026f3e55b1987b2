import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareCommand } from '../../../app/cli/commands/compare.ts';
import { exportCommand } from '../../../app/cli/commands/export.ts';
import { solveCommand } from '../../../app/cli/commands/solve.ts';
import { allRows } from '../../../app/cli/commands/sweep.ts';
import { openNetwork } from '../../../app/cli/network.ts';
import { answerable } from '../../../app/cli/strategies.ts';
import { sweepPlan } from '../../../app/cli/sweep/plan.ts';
import { BadInputError, InfeasibleError } from '../../../engine/errors.ts';
import type { LinkedDevice } from '../../../engine/offload/link.ts';
import type { PlanFile } from '../../../engine/exchange/plan-file.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { json, recorder } from './recorder.ts';

interface Row {
  readonly strategy: string;
  readonly peakBytes: number;
  readonly recomputeBoundFraction: number | null;
  readonly sentBytes?: number;
  readonly hostPeakBytes?: number;
  readonly stepSeconds?: number;
  readonly stalledSeconds?: number;
}

interface Printed {
  readonly regularPeakBytes: number;
  readonly link?: unknown;
  readonly rows: readonly Row[];
}

const NETWORK = { batch: '16', budget: '120MiB' };
const solved = (flags: object): Promise<Printed> =>
  json((terminal) => solveCommand('tiny-unet', { ...flags, json: true }, terminal));

/** tiny-unet at 70 % of regular training's peak. */
async function budgetOfUnet(): Promise<string> {
  const { regularPeakBytes } = await solved({ batch: '16', strategy: 'regular' });
  return String(Math.floor(0.7 * regularPeakBytes));
}

describe('a link on the command line', () => {
  it('asks for offload with a budget, and says what is sent and how long the step takes', async () => {
    const budget = await budgetOfUnet();
    const { rows, link } = await solved({ batch: '16', budget, link: '12' });
    expect(link).toEqual({
      bytesPerSecond: 12e9,
      overlaps: true,
      flopsPerSecond: 0.4 * 13.4e12,
      secondsPerOperation: 2e-5,
    });
    const [row] = rows;
    expect(row).toMatchObject({ strategy: 'offload', recomputeBoundFraction: null });
    expect(row?.peakBytes).toBeLessThanOrEqual(Number(budget));
    expect(row?.sentBytes).toBeGreaterThan(0);
    expect(row?.hostPeakBytes).toBeLessThanOrEqual(row?.sentBytes ?? 0);
    expect(row?.stepSeconds).toBeGreaterThan(row?.stalledSeconds ?? 0);
    const terminal = recorder();
    await solveCommand('tiny-unet', { batch: '16', budget, device: 'a100-40' }, terminal);
    const text = terminal.lines.join('\n');
    expect(text).toMatch(/^sent to the host {4}.*, at most .* in host memory at once$/m);
    expect(text).toMatch(/^step \(predicted\) {4}.* ms, .* ms of it waiting for copies$/m);
    expect(text).toMatch(/^link {16}25 GB\/s each way, copies beside computing; computing at 7.8 TFLOP\/s/m);
  });

  it('changes nothing without a link', async () => {
    const { rows, link } = await solved({ batch: '16', budget: await budgetOfUnet() });
    expect(link).toBeUndefined();
    expect(rows[0]?.strategy).toBe('budget');
    for (const key of ['sentBytes', 'hostPeakBytes', 'stepSeconds', 'stalledSeconds']) {
      expect(rows[0]).not.toHaveProperty(key);
    }
  });

  it('makes compare time every strategy, offload included with a budget', async () => {
    const budget = await budgetOfUnet();
    const compare = (flags: object): Promise<Printed> =>
      json((terminal) => compareCommand(['tiny-unet'], { batch: '16', ...flags, json: true }, terminal));
    const { rows } = await compare({ budget, link: '12', overlap: false });
    const seconds = (name: string): number =>
      rows.find(({ strategy }) => strategy === name)?.stepSeconds ?? Number.NaN;
    expect(seconds('offload')).toBeLessThanOrEqual(seconds('budget'));
    expect(seconds('regular')).toBeGreaterThan(0);
    const link: LinkedDevice = {
      speed: { flopsPerSecond: 1, secondsPerOperation: 0 },
      link: { bytesPerSecond: 1, overlaps: true },
    };
    const { network, problem } = openNetwork('compare', 'tiny-unet', {});
    const budgetBytes = 1;
    expect(answerable({ network: { ...network, budgetBytes }, problem })).not.toContain('offload');
    expect(answerable({ network, link, problem })).not.toContain('offload');
    expect(answerable({ network: { ...network, budgetBytes }, link, problem })).toContain('offload');
    const terminal = recorder();
    await compareCommand(['tiny-unet'], { batch: '16', budget, link: '12' }, terminal);
    expect(terminal.lines.join('\n')).toMatch(/time \(predicted\).*step.*solved in/);
  });

  it('exports the plan as version 2, which solve reads and times again', async () => {
    const budget = await budgetOfUnet();
    const flags = { batch: '16', budget, link: '12', to: 'plan' };
    const plan = await json<PlanFile>((terminal) => exportCommand('tiny-unet', flags, terminal));
    expect(plan).toMatchObject({ version: 2, strategy: 'offload' });
    expect(plan.options['link']).toMatchObject({ link: { bytesPerSecond: 12e9 } });
    const file = join(freshFolder(), 'plan.json');
    writeFileSync(file, JSON.stringify(plan));
    const timed = await solved({ batch: '16', plan: file, link: '12' });
    const own = await solved({ batch: '16', budget, link: '12' });
    expect(timed.rows[0]?.stepSeconds).toBe(own.rows[0]?.stepSeconds);
    // Without a link there are bytes and no times.
    const [row] = (await solved({ batch: '16', plan: file })).rows;
    expect(row?.sentBytes).toBe(own.rows[0]?.sentBytes);
    expect(row).not.toHaveProperty('stepSeconds');
  });

  it('works in a sweep', async () => {
    const flags = { batches: '4', budgets: '70%', link: '12', device: 'v100-16' };
    const plan = sweepPlan(['tiny-unet'], { ...flags, strategies: 'budget,offload' });
    const rows = await allRows(plan, recorder(), {}, {});
    expect(rows.map(({ strategy }) => strategy)).toEqual(['budget', 'offload']);
    expect(rows[1]?.stepSeconds).toBeLessThanOrEqual(rows[0]?.stepSeconds ?? 0);
    expect(sweepPlan(['tiny-unet'], { batches: '4' }).strategies).not.toContain('offload');
    expect(sweepPlan(['tiny-unet'], flags).strategies).toContain('offload');
  });

  it('refuses invalid combinations in one sentence', async () => {
    const refusal = (flags: object): Promise<void> =>
      expect(solveCommand('tiny-unet', { ...NETWORK, ...flags }, recorder())).rejects.toThrow(BadInputError);
    for (const link of ['0', '-3', 'fast', '', 'Infinity', 'NaN']) {
      await refusal({ link });
      await expect(solveCommand('tiny-unet', { ...NETWORK, link }, recorder())).rejects.toThrow(
        `--link must be a number of GB/s from 0.001 to 100000, got "${link}"`,
      );
    }
    await expect(solveCommand('tiny-unet', { ...NETWORK, overlap: false }, recorder())).rejects.toThrow(
      '--no-overlap is an option of --link; give --link too',
    );
    const apple = solveCommand('tiny-unet', { ...NETWORK, device: 'apple-32' }, recorder());
    await expect(apple).rejects.toThrow(/Apple M2 Max 32 GB shares its memory with the host/);
    await expect(solveCommand('tiny-unet', { ...NETWORK, device: 'tpu' }, recorder())).rejects.toThrow(
      /--device must be rtx-2080-ti, .* or .*, got "tpu"/,
    );
    const unlinked = solveCommand('tiny-unet', { ...NETWORK, strategy: 'offload' }, recorder());
    await expect(unlinked).rejects.toThrow(/needs the speed of the link to host memory in GB\/s \(--link\)/);
    const tight = solveCommand('tiny-unet', { batch: '16', budget: '1MiB', link: '12' }, recorder());
    await expect(tight).rejects.toThrow(InfeasibleError);
  });
});
