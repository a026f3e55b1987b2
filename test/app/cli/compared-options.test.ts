import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COMMAND_OPTIONS } from '../../../app/cli/command-options.ts';
import { LANGUAGE_OPTIONS, type OptionName, optionOf } from '../../../engine/options/options.ts';
import { runProgram } from './recorder.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

const folder = freshFolder();

async function run(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await runProgram(...args);
  expect(code, `${args.join(' ')}: ${err}`).toBe(0);
  return out;
}

const REPEATED =
  'batch input profile dtype precision optimizer optimizerState accumulate gradients gpus shard options budget seed checkpointing link next';

/** Figures of an answer alone: without times of solving and what it repeats of the question. */
function figuresOf(out: string): unknown {
  const others = [...REPEATED.split(' '), 'solveMs', 'processorMs'];
  return JSON.parse(out, (key, value) => (others.includes(key) ? undefined : value));
}

const CHAIN = 'chain-16';
const LINK = ['--link', '1000'];
/** Words of each option, and others without which it would mean nothing. */
const WORDS: Readonly<
  Partial<Record<OptionName, readonly [own: readonly string[], others?: readonly string[]]>>
> = {
  batch: [['--batch', '3']],
  input: [['--input', '48']],
  dropout: [['--dropout', '0']],
  profile: [['--profile', 'tfjs']],
  dtype: [['--dtype', 'float16']],
  precision: [['--precision', 'bf16']],
  optimizer: [['--optimizer', 'adam']],
  optimizerState: [
    ['--optimizer-state', 'float32'],
    ['--precision', 'bf16'],
  ],
  accumulate: [['--accumulate', '4']],
  gradients: [['--gradients', 'kept']],
  gpus: [['--gpus', '8']],
  shard: [
    ['--shard', 'zero2'],
    ['--gpus', '8'],
  ],
  seed: [['--seed', '5']],
  budgetBytes: [['--budget', '60%']],
  checkpoints: [['--checkpoints', 'v8']],
  slots: [['--slots', '1']],
  segments: [['--segments', '2']],
  timeLimitSeconds: [['--time-limit', '0.001']],
  checkpointing: [['--checkpointing', 'reentrant']],
  plan: [['--plan', join(folder, 'plan.json')]],
  device: [['--device', 'a100-80'], LINK],
  linkGBps: [['--link', '12']],
  linkCopies: [['--no-overlap'], LINK],
};

/** A network that is solved fast, and budgets and batches at which a link has something to send. */
it.each([
  ['compare', 'tiny-transformer', [], ['--budget', '60%']],
  ['fit', 'tiny-dropout', ['--memory', '128MiB', '--context', '0'], ['--batch', '1000']],
] as const)('every option changes what %s says', async (command, fast, always, sending) => {
  /** A chain has no parameters, and the same tensors under every profile. */
  const networkFor = (name: OptionName): string => {
    if (['plan', 'link'].includes(optionOf(name).changes)) return CHAIN;
    return name === 'dropout' ? 'tiny-dropout' : fast;
  };
  writeFileSync(
    join(folder, 'plan.json'),
    await run('export', CHAIN, '--strategy', 'chen-sqrt', '--to', 'plan'),
  );
  const known = new Map<string, Promise<string>>();
  const answered = (...words: readonly string[]): Promise<string> => {
    const line = words.join(' ');
    known.set(line, known.get(line) ?? run(...words));
    return known.get(line)!;
  };
  for (const name of COMMAND_OPTIONS[command]) {
    if (LANGUAGE_OPTIONS.includes(name)) continue;
    const [own, others = []] = WORDS[name]!;
    const withLink = others === LINK ? [...LINK, ...sending] : others;
    const start = [command, networkFor(name), ...always, ...withLink, '--json'];
    const [plain, changed] = [await answered(...start), await answered(...start, ...own)];
    expect(figuresOf(changed), `${command} --${optionOf(name).flag}`).not.toEqual(figuresOf(plain));
  }
});
