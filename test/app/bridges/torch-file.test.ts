import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { torchFile } from '../../../app/bridges/torch/torch-file.ts';
import type { PlanFile } from '../../../engine/exchange/plan-file.ts';

const source = readFileSync(new URL('../../../app/bridges/torch/zigzag_torch.py', import.meta.url), 'utf8');
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
  it('is the file of the repository', () => expect(torchFile()).toBe(source));

  it.skipIf(!hasPython)('holds a plan as Python reads it, whatever its names', () => {
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
