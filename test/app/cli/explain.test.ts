import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExplainedBar } from '../../../engine/explain/explanation.ts';
import { snapshotFile, snapshotPath } from '../../support/snapshots.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { runProgram as run } from './recorder.ts';

const folder = freshFolder();

const fileOf = (name: string, content: Uint8Array | string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const RESNET = ['resnet18', '--batch', '8', '--input', '64'];

describe('zigzag explain', () => {
  it('prints phases and bars, and the same as JSON from a packed file as from a plain one', async () => {
    const { code, out } = await run('explain', snapshotPath('resnet18-stacks'), ...RESNET);
    expect(code).toBe(0);
    expect(out).toContain('resnet18, batch 8, regular: predicted 152 MiB, measured 148 MiB.');
    expect(out).toMatch(/Unexplained .*MiB/);
    const plain = fileOf('snapshot.pickle', snapshotFile('resnet18-stacks'));
    const packed = await run('explain', snapshotPath('resnet18-stacks'), ...RESNET, '--json');
    expect((await run('explain', plain, ...RESNET, '--json')).out).toBe(packed.out);
    const document = JSON.parse(packed.out);
    expect(document).toMatchObject({
      model: 'resnet18',
      batch: 8,
      strategy: 'regular',
      measured: { kind: 'snapshot', devices: [0], steps: 2, evidence: 'stacks', step: { number: 2 } },
      peaks: { measured: { bytes: 154_797_568, phase: 'backward' } },
      measuredBytes: 167_772_160,
    });
    const bars: ExplainedBar[] = document.bars;
    expect(bars.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(document.measuredBytes);
  });

  it('takes the plan that was trained under', async () => {
    const live = await run(
      'explain',
      snapshotPath('resnet18-stacks'),
      ...RESNET,
      '--strategy',
      'live',
      '--json',
    );
    const { strategy, bars } = JSON.parse(live.out);
    expect(strategy).toBe('live');
    expect(bars[0]).toMatchObject({ name: 'theory', bytes: 0 });
  });

  it.each([
    ['code', Uint8Array.from([0x80, 4, 0x63, 0x6f, 0x73, 0x0a, 0x61, 0x0a]), 'would make Python run code'],
    ['a cut file', snapshotFile('tiny-gpt-none').slice(0, 5000), 'the file is incomplete'],
    ['another pickle', Uint8Array.from([0x80, 2, 0x7d, 0x2e]), 'not a memory snapshot'],
    ['damaged packing', Uint8Array.from([0x1f, 0x8b, 1, 2]), 'cannot be gunzipped'],
    [
      'another network',
      '{"device":"cpu","peakBytes":1000,"parameters":5,"batch":8}',
      'the measured network has 5 parameters',
    ],
  ])('%s ends with 2 and one sentence', async (name, content, says) => {
    const { code, out, err } = await run('explain', fileOf(name, content), ...RESNET);
    expect([code, out]).toEqual([2, '']);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).toContain(says);
  });

  it('names the available devices', async () => {
    const { code, err } = await run('explain', snapshotPath('resnet18-stacks'), ...RESNET, '--cuda', '2');
    expect(code).toBe(2);
    expect(err).toContain('it has 0');
  });
});
