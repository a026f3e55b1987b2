import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { factsOf } from '../support/processes.ts';
import { createRng } from '../support/rng.ts';
import { type Bound, judge, type Sample, WARM_UP } from './bounds.ts';
import { report } from './report.ts';

const MIB = 2 ** 20;
const MEMORY: Bound = { name: 'memory', unit: 'bytes', level: { share: 0.15, slack: 32 * MIB } };
const FILES: Bound = { name: 'files', unit: 'count', level: { share: 0, slack: 6 } };
const SECONDS = 600;

/** One sample a second. */
const series = (name: string, at: (second: number) => number): Sample[] =>
  Array.from({ length: SECONDS }, (_, second) => ({ ms: 1000 * second, values: { [name]: at(second) } }));

const rng = createRng(14);
/** Memory as it is: grown in the warm-up, then a saw with noise. */
const saw = (second: number): number => {
  const warm = Math.min(1, second / (SECONDS * WARM_UP));
  return MIB * (120 + 80 * warm + 3 * (second % 20) + 10 * rng.next());
};

describe('the bounds of a soak', () => {
  it('are kept by a saw that grew in the warm-up, and by single peaks', () => {
    expect(judge(MEMORY, series('memory', saw)).isKept).toBe(true);
    const peaks = series('memory', (second) => (second % 50 === 0 ? 900 * MIB : saw(second)));
    expect(judge(MEMORY, peaks).isKept).toBe(true);
  });

  it('are broken by a leak below the saw: a quarter of a MiB a second', () => {
    const leak = series('memory', (second) => saw(second) + (second * MIB) / 4);
    const { isKept, first, last } = judge(MEMORY, leak);
    expect(isKept).toBe(false);
    // The middles of the two quarters are three quarters of the 480 s after the warm-up apart.
    expect((last - first) / MIB).toBeGreaterThan(80);
    expect((last - first) / MIB).toBeLessThan(100);
  });

  it('are broken by a descriptor that is lost every half minute', () => {
    expect(
      judge(
        FILES,
        series('files', (second) => 40 + (second % 9)),
      ).isKept,
    ).toBe(true);
    expect(
      judge(
        FILES,
        series('files', (second) => 40 + Math.floor(second / 30)),
      ).isKept,
    ).toBe(false);
  });

  it('are broken by one sample above the most, in the warm-up too', () => {
    const most: Bound = { name: 'processes', unit: 'count', most: 4 };
    const at = (when: number) => series('processes', (second) => (second === when ? 5 : 3));
    expect(
      [judge(most, at(-1)), judge(most, at(3)), judge(most, at(599))].map(({ isKept }) => isKept),
    ).toEqual([true, false, false]);
  });

  it('are not kept by what was not measured', () => {
    expect(judge(MEMORY, series('other', saw)).isKept).toBe(false);
    expect(judge(MEMORY, []).isKept).toBe(false);
    expect(judge({ name: 'memory', unit: 'count', most: 4 }, series('other', saw)).isKept).toBe(false);
    const early = series('memory', saw).map((sample, second) =>
      second < 400 ? sample : { ms: sample.ms, values: {} },
    );
    expect(judge(MEMORY, early).isKept).toBe(false);
  });

  it('say what was measured and what is broken', () => {
    const verdicts = [
      judge(
        FILES,
        series('files', (second) => second),
      ),
      judge(MEMORY, []),
    ];
    const text = report(
      verdicts,
      { done: new Map([['compare', 7]]), faults: ['train: INTERNAL: x'] },
      '10 min',
    );
    expect(text).toMatch(/files\s.*180.*540.*599.*186.*BROKEN/);
    expect(text).toMatch(/memory\s.*unknown.*BROKEN/);
    expect(text).toContain('Done: compare 7.');
    expect(text).toContain('Fault: train: INTERNAL: x');
    expect(text.trimEnd().split('\n').at(-1)).toBe('2 bounds, 2 broken, 1 faults (10 min)');
  });
});

/** A process that keeps 2 MiB and a descriptor at each line, or gives them back; sampled after each line. */
async function sampled(keeps: boolean): Promise<Sample[]> {
  const script = `
    const { openSync, closeSync } = require('node:fs');
    let kept = [];
    require('node:readline').createInterface({ input: process.stdin }).on('line', () => {
      const file = openSync(process.execPath);
      kept.push([Buffer.alloc(${2 * MIB}, 1), file]);
      if (!${keeps}) { closeSync(file); kept = []; }
      console.log();
    });`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const samples: Sample[] = [];
  for (let line = 0; line < 100; line++) {
    child.stdin.write('\n');
    await answers.next();
    const facts = factsOf(child.pid ?? 0);
    if (facts === null) throw new Error('the process ended');
    samples.push({ ms: line, values: { memory: facts.rssBytes, files: facts.descriptors } });
  }
  child.kill('SIGKILL');
  return samples;
}

describe.runIf(process.platform === 'linux')('a real process', () => {
  it('that leaks memory and descriptors breaks both bounds', async () => {
    const samples = await sampled(true);
    expect([MEMORY, FILES].map((bound) => judge(bound, samples).isKept)).toEqual([false, false]);
  });

  it('that gives back what it took keeps them', async () => {
    const samples = await sampled(false);
    expect([MEMORY, FILES].map((bound) => judge(bound, samples).isKept)).toEqual([true, true]);
  });
});
