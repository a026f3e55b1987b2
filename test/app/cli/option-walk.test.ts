import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { COMMAND_OPTIONS, type OptionCommand, requireReadOptions } from '../../../app/cli/command-options.ts';
import { trainRequest } from '../../../app/cli/commands/train-request.ts';
import { type OptionName, optionOf, optionsThatChange } from '../../../engine/options/options.ts';
import { defaultStrategy } from '../../../engine/strategies/default-strategy.ts';
import { STRATEGIES, strategyOf } from '../../../engine/strategies/registry.ts';
import type { StrategyOption } from '../../../engine/strategies/strategy/strategy.ts';
import { snapshotPath } from '../../support/snapshots.ts';
import { runProgram } from './recorder.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

/** The seeds of all that was drawn at random. */
const drawn = vi.hoisted((): number[] => []);
vi.mock('../../../engine/rng.ts', async (original) => {
  const rng = await original<typeof import('../../../engine/rng.ts')>();
  const createRng = (seed: number) => {
    drawn.push(seed);
    return rng.createRng(seed);
  };
  return { ...rng, createRng };
});

const folder = freshFolder();

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const ran = await runProgram(...args);
  // Times differ from run to run.
  return { ...ran, out: ran.out.replace(/"(solveMs|processorMs)": [\d.]+/g, '"time": 0') };
}

/** A value of each option that is not the usual one, and what else the option needs to mean anything. */
const EXAMPLES: Readonly<Record<OptionName, readonly string[]>> = {
  batch: ['3'],
  input: ['48'],
  // The rate itself changes nothing that is computed here, only that there is one.
  dropout: ['0'],
  profile: ['tfjs'],
  dtype: ['float16'],
  precision: ['bf16'],
  lora: ['16'],
  loraTargets: ['all-linear'],
  lossChunk: ['64'],
  attentionMask: [],
  loraDropout: ['0.1'],
  baseBits: ['4'],
  optimizer: ['adam'],
  optimizerState: ['float32', '--precision', 'bf16'],
  accumulate: ['4'],
  gradients: ['kept'],
  gpus: ['8'],
  shard: ['zero2'],
  tensor: ['2'],
  expertParallel: ['2'],
  contextParallel: ['2'],
  sequenceParallel: [],
  pipeline: ['2'],
  pipelineSchedule: ['gpipe'],
  pipelineStage: ['2'],
  seed: ['5'],
  budgetBytes: ['60%'],
  checkpoints: ['a'],
  slots: ['2'],
  segments: ['2'],
  timeLimitSeconds: ['5'],
  checkpointing: ['reentrant'],
  plan: ['plan.json'],
  device: ['a100-80'],
  deviceGiB: ['2GiB'],
  contextGiB: ['1GiB'],
  linkGBps: ['12'],
  linkCopies: ['--link', '12'],
};

const wordsOf = (name: OptionName): string[] => [`--${optionOf(name).flag}`, ...EXAMPLES[name]];
const isOfStrategies = (name: OptionName): boolean => ['plan', 'link'].includes(optionOf(name).changes);

describe('an option that the strategy does not read', () => {
  const START: Partial<Record<OptionCommand, string[]>> = {
    solve: ['solve', 'tiny-residual'],
    explain: ['explain', join(folder, 'none.pickle'), 'tiny-residual'],
    export: ['export', 'tiny-residual', '--to', 'plan'],
    limits: ['limits', 'tiny-residual', '--memory', '2GiB'],
    train: ['train', 'tiny-residual'],
    sweep: ['sweep', 'tiny-residual'],
  };
  const named = (command: OptionCommand, strategy: string): string[] =>
    command === 'sweep' ? ['--strategies', strategy] : ['--strategy', strategy];
  /** Shown whatever the strategy is: a step's times, and what a training draws. */
  const isShown = (command: OptionCommand, name: OptionName): boolean =>
    (optionOf(name).partOf === 'link' && ['solve', 'sweep'].includes(command)) ||
    (name === 'seed' && command === 'train');

  it.each(Object.keys(START) as OptionCommand[])('is refused by %s in one sentence', async (command) => {
    let refusals = 0;
    for (const name of COMMAND_OPTIONS[command].filter(isOfStrategies)) {
      const option = optionOf(name);
      for (const { name: strategy, reads } of STRATEGIES) {
        if (command === 'sweep' && Object.values(reads).includes('needs')) continue;
        const isRead = reads[option.partOf ?? (name as StrategyOption)] !== undefined;
        if (isRead || isShown(command, name)) continue;
        const { code, err } = await run(...START[command]!, ...named(command, strategy), ...wordsOf(name));
        const line = `${command} --${option.flag} under ${strategy}`;
        expect(code, line).toBe(2);
        expect(err, line).toMatch(
          /^--[a-z-]+ changes nothing under \S+: leave it out, or use the strategy .*$/,
        );
        refusals++;
      }
    }
    expect(refusals).toBeGreaterThan(20);
  });
});

it('an option is accepted by every command if the strategy reads it', () => {
  for (const command of Object.keys(COMMAND_OPTIONS) as OptionCommand[])
    for (const { name, reads } of STRATEGIES)
      for (const option of optionsThatChange('plan').filter((one) => one in reads))
        expect(() => requireReadOptions(command, { [optionOf(option).flag]: 'x' }, [name])).not.toThrow();
});

/** Figures of an answer alone: without what it repeats of the question. */
function figuresOf(out: string): unknown {
  const ECHOES = ['options', 'strategy', 'budget', 'seed', 'checkpointing', 'link', 'time'];
  return JSON.parse(out, (key, value) => (ECHOES.includes(key) ? undefined : value));
}

describe('an option that the strategy reads', () => {
  /** Two values of each that a plan is not the same under. */
  const VALUES: Partial<Record<StrategyOption, readonly [string, string]>> = {
    seed: ['1', '7'],
    budgetBytes: ['80%', '95%'],
    slots: ['1', '3'],
    segments: ['2', '3'],
    timeLimitSeconds: ['0.001', '20'],
    checkpointing: ['reentrant', 'non-reentrant'],
    link: ['12', '24'],
    checkpoints: ['v1', 'v2'],
  };
  /** Networks for strategies that cannot take the usual one, or find it too easy for the option to matter. */
  const NETWORKS: Readonly<Record<string, string>> = {
    'linear-optimal': 'vgg11',
    'per-block': 'tiny-transformer',
    'sequential timeLimitSeconds': 'vgg11',
    'chen-greedy timeLimitSeconds': 'chain-300',
    'offload link': 'vgg11',
    'milp budgetBytes': 'chain-5',
    'milp timeLimitSeconds': 'chain-6',
  };
  const flagged = (option: StrategyOption, value: string): string[] => [
    `--${option === 'link' ? 'link' : optionOf(option).flag}`,
    value,
  ];
  /** Small networks have one best plan, whatever is drawn on the way. */
  const SEEDED = ['live', 'budget', 'offload'];
  const READ = STRATEGIES.flatMap(({ name, reads }) =>
    (Object.keys(reads) as StrategyOption[])
      .filter((option) => VALUES[option] !== undefined && !(option === 'seed' && SEEDED.includes(name)))
      .map((option) => [name, option, reads] as const),
  );

  it.each(READ)('changes the result of %s: %s', async (name, option, reads) => {
    const network =
      NETWORKS[`${name} ${option}`] ??
      NETWORKS[name] ??
      (option === 'timeLimitSeconds' || name === 'knapsack' ? 'tiny-residual' : 'chain-8');
    const needed = (Object.keys(reads) as StrategyOption[])
      .filter((one) => one !== option && reads[one] === 'needs')
      .flatMap((one) => flagged(one, VALUES[one]![0]));
    const answers = [];
    for (const value of VALUES[option]!)
      answers.push(
        await run('solve', network, '--strategy', name, ...needed, ...flagged(option, value), '--json'),
      );
    // A budget that one plan fits and none the other is an answer too.
    expect(answers.map(({ code }) => code)).toContain(0);
    const [one, other] = answers.map(({ code, out, err }) => (code === 0 ? figuresOf(out) : err));
    expect(one).not.toEqual(other);
  });

  it.each(SEEDED)('is what %s draws from: seed', async (name) => {
    const budget =
      name === 'live' ? [] : ['--budget', '80%', ...(name === 'offload' ? ['--link', '12'] : [])];
    const draws = async (seed: string): Promise<readonly number[]> => {
      drawn.length = 0;
      const words = ['solve', 'tiny-dropout', '--strategy', name, ...budget, '--seed', seed];
      expect((await run(...words)).code).toBe(0);
      return [...drawn];
    };
    const [one, other] = [await draws('1'), await draws('7')];
    expect(one).not.toEqual([]);
    expect(one).not.toEqual(other);
  });
});

describe('an option of the network or of its training', () => {
  const RESNET = ['resnet18', '--batch', '8', '--input', '64'];
  const COMMANDS: Partial<Record<OptionCommand, string[]>> = {
    solve: ['solve', 'tiny-dropout', '--strategy', 'regular', '--json'],
    export: ['export', 'tiny-dropout', '--strategy', 'regular', '--to', 'plan'],
    limits: ['limits', 'tiny-dropout', '--strategy', 'regular', '--memory', '2GiB', '--json'],
    sweep: ['sweep', 'tiny-dropout', '--strategies', 'regular', '--json'],
    pebble: ['pebble', 'tiny-dropout', '--json'],
    explain: ['explain', snapshotPath('resnet18-stacks'), ...RESNET, '--json'],
  };

  it.each(Object.keys(COMMANDS) as OptionCommand[])(
    'changes the output of %s, or is refused',
    async (command) => {
      const answered = async (...words: string[]) => run(...COMMANDS[command]!, ...words);
      for (const name of COMMAND_OPTIONS[command].filter((one) => !isOfStrategies(one))) {
        // The network of the snapshot has no dropout.
        if (optionOf(name).changes === 'view' || (command === 'explain' && name === 'dropout')) continue;
        const [flag = '', ...example] = wordsOf(name);
        const [own, others] = [example.slice(0, 1), example.slice(1)];
        const [plain, changed] = [await answered(...others), await answered(...others, flag, ...own)];
        const line = `${command} ${flag}`;
        expect(plain.code, line).toBe(0);
        if (changed.code === 0) expect(changed.out, line).not.toBe(plain.out);
        else expect(changed.err, line).toMatch(/^\S.*$/);
      }
    },
  );

  it('changes the training', async () => {
    const plan = join(folder, 'trained.json');
    writeFileSync(plan, (await run('export', 'tiny-dropout', '--strategy', 'chen-sqrt', '--to', 'plan')).out);
    const given: Partial<Record<OptionName, object>> = {
      checkpoints: { checkpoints: 'stage1b.relu' },
      plan: { plan },
      slots: { slots: '2', strategy: 'revolve' },
      segments: { segments: '2', strategy: 'sequential' },
      timeLimitSeconds: { timeLimit: '5', strategy: 'live' },
      checkpointing: { checkpointing: 'reentrant' },
      device: { device: 'a100-80', budget: '1MiB' },
      linkGBps: { link: '12', budget: '1MiB' },
      linkCopies: { overlap: false, link: '12', budget: '1MiB' },
    };
    for (const name of COMMAND_OPTIONS.train) {
      const flag = { [name === 'budgetBytes' ? 'budget' : name]: EXAMPLES[name][0] };
      const request = await trainRequest('tiny-dropout', given[name] ?? flag);
      expect(request, name).toHaveProperty(name);
    }
  });
});

describe('the default strategy', () => {
  it('follows from the given options', async () => {
    expect(defaultStrategy({})).toBe('optimal');
    expect(defaultStrategy({ seed: 3 }, 'regular')).toBe('regular');
    const budgetBytes = 1;
    expect(defaultStrategy({ budgetBytes })).toBe('budget');
    expect(defaultStrategy({ budgetBytes, link: true })).toBe('offload');
    expect(defaultStrategy({ checkpoints: [] })).toBe('manual');
    expect(defaultStrategy({ plan: 'plan.json', budgetBytes })).toBe('plan');
    const given = [['budgetBytes'], ['budgetBytes', 'link'], ['checkpoints'], ['plan']] as const;
    for (const options of given) {
      const { reads } = strategyOf(defaultStrategy(Object.fromEntries(options.map((name) => [name, 1]))));
      for (const option of options) expect(reads).toHaveProperty(option);
    }
  });

  it('is the same for solve, train and export', async () => {
    const budget = ['--batch', '4', '--budget', '60%'];
    const solved = await run('solve', 'tiny-residual', ...budget, '--json');
    expect(JSON.parse(solved.out).rows[0].strategy).toBe('budget');
    const exported = await run('export', 'tiny-residual', ...budget, '--to', 'plan');
    const { regularPeakBytes } = JSON.parse(solved.out);
    expect(JSON.parse(exported.out)).toMatchObject({
      strategy: 'budget',
      options: { budgetBytes: Math.floor(0.6 * regularPeakBytes) },
    });
    const request = await trainRequest('tiny-residual', { batch: '4', budget: '300KiB' });
    expect(request).toMatchObject({ strategy: 'budget', budgetBytes: 300 * 1024 });
    writeFileSync(join(folder, 'plan.json'), exported.out);
    const followed = await run('solve', 'tiny-residual', '--plan', join(folder, 'plan.json'), '--json');
    expect(JSON.parse(followed.out).rows[0].strategy).toBe('plan');
  });
});
