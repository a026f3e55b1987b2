import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { engineFactsModule } from '../../../app/bridges/torch/engine-facts.ts';
import { stitched } from '../../../app/bridges/torch/stitch.ts';
import { torchFile } from '../../../app/bridges/torch/torch-file.ts';
import type { PlanFile } from '../../../engine/exchange/plan-file.ts';

const FOLDER = 'app/bridges/torch/zigzag_torch';
const names = readdirSync(FOLDER).filter((name) => name.endsWith('.py'));
const sources = [
  ['./engine_facts.py', engineFactsModule()] as const,
  ...names.map((name) => [`./${name}`, readFileSync(`${FOLDER}/${name}`, 'utf8')] as const),
];
const hasPython = spawnSync('python3', ['--version']).status === 0;

const plan: PlanFile = {
  format: 'zigzag-plan',
  version: 1,
  model: "a \"quoted\" \\ name\nover ''' lines, π and 😀 $& \u2028",
  graphHash: '0',
  strategy: 'live',
  options: {},
  checkpoints: ['x'],
  steps: [['forward', 'x']],
  peakBytes: 4,
  recomputeFraction: 0,
};

describe('the Python file', () => {
  it('holds every definition of every module, regardless of their order', () => {
    const text = stitched(Object.fromEntries(sources));
    expect(stitched(Object.fromEntries(sources.toReversed()))).toBe(text);
    for (const [, source] of sources)
      for (const line of source.split('\n').filter((own) => /^(def|class| {4}\S)/.test(own)))
        expect(text).toContain(line.startsWith('from .') ? '' : line);
    expect(text).not.toMatch(/^(from|import) \./m);
  });

  it('defines no name twice, because its modules share one file', () => {
    const defined = sources.flatMap(([, source]) =>
      [...source.matchAll(/^(?:def|class) (\w+)|^(\w+) = /gm)].map(([, name, value]) => name ?? value),
    );
    expect(defined.filter((name, i) => defined.indexOf(name) !== i)).toEqual([]);
  });

  it('refuses circular modules', () => {
    const module = (other: string): string => `"""Text."""\nfrom .${other} import x\n\ny = 1\n`;
    const around = { './__init__.py': module('a'), './a.py': module('b'), './b.py': module('a') };
    expect(() => stitched(around)).toThrow('a cycle of imports: __init__, a, b');
  });

  it('has modules of at most 400 lines', () => {
    expect(sources.filter(([, source]) => source.split('\n').length > 400)).toEqual([]);
  });

  it.skipIf(!hasPython)('holds a plan that Python can read, with any names', () => {
    const line = torchFile(plan)
      .split('\n')
      .find((text) => text.startsWith('PLAN = '));
    const program = `import json, sys\n${line}\nsys.stdout.buffer.write(json.dumps(PLAN).encode())`;
    const run = spawnSync('python3', ['-'], { input: program, encoding: 'utf8' });
    expect(run.stderr).toBe('');
    expect(JSON.parse(run.stdout)).toEqual(plan);
  });

  it.skipIf(!hasPython)('compiles', () => {
    const run = spawnSync('python3', ['-c', 'import sys; compile(sys.stdin.read(), "x", "exec")'], {
      input: torchFile(plan),
      encoding: 'utf8',
    });
    expect(run.stderr).toBe('');
  });
});
