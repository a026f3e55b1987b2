import { expect, it } from 'vitest';
import { compareCommand } from '../../../app/cli/commands/compare.ts';
import { COMPARISON_COLUMNS } from '../../../app/report/comparison-csv.ts';
import { recorder } from './recorder.ts';

it('compare --csv prints one line a strategy with all columns, and the reason of those that do not apply', async () => {
  const terminal = recorder();
  await compareCommand(['resnet18'], { csv: true }, terminal);
  const [header, ...lines] = terminal.lines.join('\n').split('\r\n');
  expect(header).toBe(COMPARISON_COLUMNS.join(','));
  const regular = lines.find((line) => line.split(',')[4] === 'regular');
  expect(regular?.split(',')[6]).toBe('0');
  expect(header).toMatch(/,recompute_bound_fraction,recompute_gap,stopped_early$/);
  const live = lines.find((line) => line.split(',')[4] === 'live')!;
  const [gap, bound] = [live.split(',').at(-2), live.split(',').at(-3)].map(Number);
  expect(bound).toBeGreaterThan(0);
  expect(gap).toBeGreaterThanOrEqual(0);
  expect(lines.some((line) => /not linear/.test(line))).toBe(true);
  for (const line of lines) {
    expect(line.replaceAll(/"([^"]|"")*"/g, '').split(',')).toHaveLength(COMPARISON_COLUMNS.length);
  }
  await expect(compareCommand(['resnet18'], { csv: true, json: true }, terminal)).rejects.toThrow(/one of/);
});
