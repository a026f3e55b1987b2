import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareCommand } from '../../../app/cli/commands/compare.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { recorder } from './recorder.ts';

const TWO = ['resnet18', 'resnet34'];

describe('compare of several networks', () => {
  it('prints one matrix of all strategies that apply somewhere', async () => {
    const terminal = recorder();
    await compareCommand(TWO, { batch: '2' }, terminal);
    const text = terminal.lines.join('\n');
    expect(text).toMatch(/strategy.*resnet18.*resnet34/);
    expect(text).toMatch(/optimal .*%\).*%\)/);
    expect(text).not.toContain('milp');
  });

  it('prints one JSON document and one CSV header for all', async () => {
    const json = recorder();
    await compareCommand(TWO, { json: true }, json);
    const { networks } = JSON.parse(json.lines.join('')) as { networks: { model: string }[] };
    expect(networks.map(({ model }) => model)).toEqual(TWO);
    const csv = recorder();
    await compareCommand(TWO, { csv: true }, csv);
    const lines = csv.lines.join('').split('\r\n');
    expect(lines.filter((line) => line.startsWith('model,'))).toHaveLength(1);
    expect(new Set(lines.slice(1).map((line) => line.split(',')[0]))).toEqual(new Set(TWO));
  });

  it('refuses a wrong name before anything is solved', async () => {
    const terminal = recorder();
    await expect(compareCommand(['resnet18', 'resnot50'], {}, terminal)).rejects.toThrow(/resnet50/);
    expect(terminal.lines).toEqual([]);
  });

  it('writes the report in addition to its output, and says if it cannot', async () => {
    const file = join(freshFolder(), 'report.html');
    await compareCommand(['resnet18'], { html: file, dtype: 'float16' }, recorder());
    const html = readFileSync(file, 'utf8');
    expect(html).toContain('zigzag compare resnet18 --batch 1 --dtype float16');
    expect(html).toMatch(/<path class="line blue"/);
    await expect(compareCommand(['resnet18'], { html: join(file, 'x.html') }, recorder())).rejects.toThrow(
      /--html: .* cannot be written/,
    );
  });

  it('reports a shared budget as the given share, not as the first network’s bytes', async () => {
    const file = join(freshFolder(), 'report.html');
    await compareCommand(['chain-4', 'chain-8'], { html: file, budget: '60%' }, recorder());
    const html = readFileSync(file, 'utf8');
    expect(html).toContain('zigzag compare chain-4 chain-8 --batch 1 --budget 60%');
    expect(html).toContain('60% of each network');
    expect(html).not.toMatch(/--budget \d+(?!\d*%)/);
  });

  it('halves the bytes of float32 networks by float16', async () => {
    const peakOf = async (dtype: string): Promise<number> => {
      const terminal = recorder();
      await compareCommand(['chain-8'], { json: true, dtype }, terminal);
      return (JSON.parse(terminal.lines.join('')) as { regularPeakBytes: number }).regularPeakBytes;
    };
    expect(await peakOf('float16')).toBe((await peakOf('float32')) / 2);
    await expect(peakOf('float64')).rejects.toThrow(/float32 or float16/);
  });
});
