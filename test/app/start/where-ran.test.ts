import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Entry,
  entriesOf,
  PAGE,
  pageOf,
  PARTS,
  recordRuns,
  runsIn,
} from '../../../app/start/where-ran.mjs';
import { freshFolder } from '../../support/fresh-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');
const root = freshFolder();

const RUN: Entry = {
  part: 'packed',
  date: '2026-12-01',
  system: 'linux x64',
  device: 'a laptop',
  evidence: 'its self-test ended with 0',
};

describe('what has run where', () => {
  it('is a page of the stored runs, each with existing figures', () => {
    const page = readFileSync(join(ROOT, PAGE), 'utf8');
    expect(page).toBe(pageOf(entriesOf()));
    for (const { part } of entriesOf()) expect(PARTS).toHaveProperty([part]);
  });

  it('says “never” for a part without a stored run, and keeps a device’s latest run', () => {
    mkdirSync(join(root, 'docs'));
    const data = 'test/bench/results/where-ran.json';
    mkdirSync(dirname(join(root, data)), { recursive: true });
    cpSync(join(ROOT, data), join(root, data));
    const before = entriesOf(root).filter(({ part }) => part !== 'packed').length;
    recordRuns([RUN], root);
    recordRuns([{ ...RUN, date: '2026-12-02' }], root);
    expect(entriesOf(root).filter(({ part }) => part === 'packed')).toContainEqual({
      ...RUN,
      date: '2026-12-02',
    });
    expect(entriesOf(root)).toHaveLength(before + 1);
    expect(pageOf([])).toMatch(/Packed desktop program \| never/);
    expect(pageOf([RUN])).toContain('| Packed desktop program | 2026-12-01 | linux x64 | a laptop |');
    expect(() => recordRuns([{ ...RUN, device: 'a | b' }], root)).toThrow(/^not a run/);
    expect(() => recordRuns([{ ...RUN, part: 'toaster' as 'packed' }], root)).toThrow(/^not a run/);
  });

  it('accepts only a passed self-test of the Python package, by kind of device', () => {
    const file = {
      format: 'zigzag-selftest',
      passed: true,
      kind: 'cuda',
      torch: '2.15.0',
      cases: [{ name: 'dense' }],
    };
    const told = JSON.stringify(
      { ...file, date: '2026-12-01', system: 'linux x86_64', device: 'a GPU' },
      null,
      2,
    );
    expect(runsIn(told)).toMatchObject([
      { part: 'pytorch-cuda', device: 'PyTorch 2.15.0, a GPU', date: '2026-12-01' },
    ]);
    expect(() => recordRuns(runsIn(told), root)).not.toThrow();
    expect(() => runsIn(JSON.stringify({ ...file, passed: false }))).toThrow(/did not pass/);
  });

  it('accepts only a training that ended as predicted', () => {
    const start = { event: 'start', backend: 'tensorflow', device: 'TensorFlow on a CUDA GPU', model: 'm' };
    const done = { event: 'done', predictedPeakBytes: 5, measuredPeakBytes: 5 };
    const lines = (...events: object[]): string => events.map((event) => JSON.stringify(event)).join('\n');
    expect(runsIn(lines(start, done))).toMatchObject([
      { part: 'tensorflow-cuda', device: 'TensorFlow on a CUDA GPU' },
    ]);
    const processor = { ...start, device: 'TensorFlow on the processor' };
    expect(runsIn(lines(processor, done))).toMatchObject([{ part: 'tensorflow-processor' }]);
    expect(() => runsIn(lines(start))).toThrow(/did not come to its end/);
    expect(() => runsIn(lines(start, { ...done, measuredPeakBytes: 6 }))).toThrow(/not as predicted/);
    expect(runsIn(JSON.stringify(RUN))).toEqual([RUN]);
  });
});
