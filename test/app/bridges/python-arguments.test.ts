import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { answer } from '../../../app/bridges/torch/answer.ts';
import { graphFile } from '../../../engine/exchange/graph-file.ts';
import { type OptionName, optionOf } from '../../../engine/options/options.ts';
import { OPTIONS } from '../../../engine/options/table.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';

/** Arguments of `solve` in Python that are no options. */
const OWN = ['graph', 'strategy', 'stationary', 'forwards'];
const NAMES = Object.keys(OPTIONS) as OptionName[];

const SOURCE = readFileSync('app/bridges/torch/zigzag_lab/engine.py', 'utf8');
const [, text = ''] = /^def solve\(([\s\S]*?)\) -> Solved:$/m.exec(SOURCE) ?? [];
const ARGUMENTS = text
  .split(',')
  .map((argument) => argument.trim().split(/(?:: [^=]+)? ?= ?|: .*/))
  .filter(([name]) => name !== '*' && !OWN.includes(name ?? ''));

describe('the arguments of Python’s solve', () => {
  it('are the table’s options by flag, with the same defaults', () => {
    expect(ARGUMENTS.length).toBeGreaterThan(5);
    for (const [argument = '', usual] of ARGUMENTS) {
      const name = NAMES.find((one) => optionOf(one).flag.replaceAll('-', '_') === argument);
      expect(name, argument).toBeDefined();
      const option = optionOf(name!);
      const said = 'usual' in option ? option.usual : undefined;
      expect(usual, argument).toBe(
        said === undefined ? 'None' : typeof said === 'string' ? `'${said}'` : `${said}`,
      );
    }
  });

  it.each([
    ['batch', 65537, 'batch must be a whole number from 1 to 65536, got 65537'],
    ['seed', -1, 'seed must be a whole number from 0 to 4294967295, got -1'],
    ['slots', 0, 'slots must be a whole number from 1 to 100000, got 0'],
    ['segments', 1.5, 'segments must be a whole number from 1 to 1000000, got 1.5'],
    ['profile', 'numpy', 'profile must be pytorch, pytorch-1.5 or tfjs, got "numpy"'],
    ['checkpoints', [3], 'checkpoints must be ids of operations, got [3]'],
  ])('accept what the command line accepts: %s not %j', (name, value, sentence) => {
    const graph = graphFile(buildModel('tiny-residual', { batch: 1 }));
    expect(ARGUMENTS.map(([argument]) => argument)).toContain(name);
    expect(() => answer({ graph, [name]: value })).toThrow(sentence);
  });
});
