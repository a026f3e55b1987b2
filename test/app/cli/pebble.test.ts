import { describe, expect, it } from 'vitest';
import { type PebbleFlags, pebbleCommand } from '../../../app/cli/commands/pebble.ts';
import { recorder } from './recorder.ts';

function printed(target: string, flags: PebbleFlags): string {
  const terminal = recorder();
  pebbleCommand(target, flags, terminal);
  return terminal.lines.join('\n');
}

describe('pebble', () => {
  it('002: prints 4 pebbles as soon as possible and 3 as late as possible', () => {
    const { rows, sourceBytes } = JSON.parse(printed('expression', { json: true, batch: '1' }));
    const [given, asap, alap, liu, recompute] = rows;
    const all = [given, asap, alap, liu, recompute];
    expect(all.map(({ pebbles }) => pebbles)).toEqual([4, 4, 3, 3, 3]);
    expect(alap).toMatchObject({ order: 'alap', peakBytes: 4 * sourceBytes, peakAt: 'x3' });
    expect(alap.sequence).toEqual(['x1', 'x2', 'x3', 'x4', 'x5']);
    expect(printed('expression', {})).toMatch(/alap +│ As late as possible +│ +3 /);
  });

  it('plays one order move by move', () => {
    const lines = printed('expression', { order: 'asap', batch: '1' }).split('\n');
    expect(lines.filter((line) => line.includes('peak')).at(-1)).toMatch(/4 │ x3 +│ +4 │.*peak/);
  });

  it('refuses unsuitable networks in one sentence', () => {
    expect(() => printed('resnet18', { order: 'liu' })).toThrow(
      /^--order liu does not apply here: the network is not a tree: \S+ feeds 2 operations$/,
    );
    expect(() => printed('resnet18', { order: 'random' })).toThrow(
      '--order must be given, asap, alap, liu or recompute, got "random"',
    );
    expect(printed('resnet18', { batch: '1' })).toContain('not applicable: the network is not a tree');
  });

  it('holds less for inference than for training', () => {
    const { rows, trainingPeakBytes } = JSON.parse(printed('resnet50', { json: true, batch: '1' }));
    expect(rows[0].peakBytes).toBeLessThan(trainingPeakBytes / 5);
  });
});
