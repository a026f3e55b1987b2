import { describe, expect, it, vi } from 'vitest';
import { createProgram } from '../../../app/cli/program.ts';
import { experimentSchema } from '../../../app/contract/experiment.ts';
import { liveTensorsRequestSchema } from '../../../app/contract/live-tensors.ts';
import { trainRequestSchema } from '../../../app/contract/training.ts';
import { commandLine } from '../../../app/report/command-line.ts';
import { optionFacts } from '../../../app/report/option-facts.ts';
import { strategyOf } from '../../../engine/strategies/registry.ts';
import type { StrategyTraits } from '../../../engine/strategies/strategy/strategy.ts';
import { SolverMemory } from '../../../main/solver/memory.ts';
import { keyOf, ownOf } from '../../../renderer/state/comparison/comparison.ts';
import { readAddress, writeAddress } from '../../../renderer/state/experiment/address.ts';
import { FIRST_EXPERIMENT } from '../../../renderer/state/experiment/experiment.ts';
import { fieldsSet } from '../../../renderer/state/experiment/fields-set.ts';
import { runProgram as run, recorder } from './recorder.ts';

/** The one file that an option is declared in, with one more. */
vi.mock('../../../engine/options/table.ts', async (original) => {
  const { OPTIONS } = await original<typeof import('../../../engine/options/table.ts')>();
  const warmth = {
    flag: 'warm-starts',
    value: 'n',
    is: 'whole',
    min: 1,
    max: 9,
    changes: 'plan',
    field: 'where-read',
    label: 'Warm starts',
    help: 'plans that a search begins with',
  };
  return { OPTIONS: { ...OPTIONS, warmth } };
});

const live = strategyOf('live');
// And the one strategy that reads it.
const reads: Record<string, unknown> = live.reads;
reads['warmth'] = 'takes';

const WARM: object = { warmth: 3 };
const experiment = { ...FIRST_EXPERIMENT, model: 'tiny-residual', batch: 2, ...WARM };

describe('an option that is declared in the table and read by one strategy', () => {
  it('is in the help of every command that makes plans, and of no other', () => {
    const helpful = createProgram(recorder())
      .commands.filter((command) => command.helpInformation().includes('--warm-starts <n>'))
      .map((command) => command.name());
    expect(helpful).toEqual(['solve', 'compare', 'sweep', 'limits', 'fit', 'explain', 'train', 'export']);
  });

  it('reaches the strategy and its plan from the command line, within its limits', async () => {
    const plan = vi.spyOn(live, 'plan');
    const { out } = await run(
      ...['export', 'tiny-residual', '--to', 'plan', '--strategy', 'live', '--warm-starts', '3'],
    );
    expect(plan.mock.calls[0]?.[1]).toMatchObject(WARM);
    expect(JSON.parse(out).options).toMatchObject(WARM);
    const beyond = await run('solve', 'tiny-residual', '--strategy', 'live', '--warm-starts', '10');
    expect(beyond).toMatchObject({
      code: 2,
      err: '--warm-starts must be a whole number from 1 to 9, got "10"',
    });
  });

  it('is refused if no strategy reads it', async () => {
    const { code, err } = await run('solve', 'tiny-residual', '--warm-starts', '3');
    expect(code).toBe(2);
    expect(err).toBe('--warm-starts changes nothing under optimal: leave it out, or use the strategy live');
  });

  it('is in every request that makes plans', () => {
    const request = { model: 'tiny-residual', batch: 1, strategy: 'live', iterations: 1, ...WARM };
    for (const schema of [trainRequestSchema, liveTensorsRequestSchema])
      expect(schema.parse(request)).toMatchObject(WARM);
    expect(experimentSchema.parse(experiment)).toMatchObject(WARM);
    expect(experimentSchema.safeParse({ ...experiment, warmth: 10 }).success).toBe(false);
  });

  it('is in the address, which refuses invalid values in its own words', () => {
    const hash = writeAddress({ screen: 'compare', experiment, selected: null });
    expect(hash).toContain('&warmth=3&');
    expect(readAddress(hash, ['compare'])).toMatchObject({ experiment: WARM, faults: [] });
    const { faults } = readAddress('#/compare?warmth=99', ['compare']);
    expect(faults).toEqual([
      'The link’s warm starts “99” is not a whole number from 1 to 9, so the default is used.',
    ]);
  });

  it('is in copied command lines, reports and the list of rarer fields', () => {
    const input = { ...experiment, models: ['tiny-residual'], plan: undefined };
    expect(commandLine(input)).toBe('zigzag compare tiny-residual --batch 2 --warm-starts 3');
    expect(commandLine(input, live)).toContain('--warm-starts 3 --strategy live');
    expect(commandLine(input, strategyOf('optimal'))).not.toContain('warm');
    expect(optionFacts(experiment)).toContainEqual(['Warm starts', '3']);
    expect(fieldsSet(experiment)).toContain('warm starts 3');
  });

  it('is in the cache keys of the strategy that reads it, and of no other', () => {
    const { strategies: _, ...network } = { ...experiment, strategies: ['live'] };
    const memory = new SolverMemory();
    const control = { tick: () => undefined };
    const solved = (name: string, warmth: number) =>
      memory.plan({ ...network, ...{ warmth } }, name, control);
    expect(solved('live', 3)).not.toBe(solved('live', 4));
    expect(solved('optimal', 3)).toBe(solved('optimal', 4));
    const own = (traits: StrategyTraits, warmth: number) =>
      ownOf({ ...experiment, ...{ warmth } }, traits.reads as Parameters<typeof ownOf>[1]);
    expect(own(live, 3)).not.toBe(own(live, 4));
    expect(own(strategyOf('optimal'), 3)).toBe(own(strategyOf('optimal'), 4));
    expect(keyOf(experiment)).toBe(keyOf({ ...experiment, ...{ warmth: 4 } }));
  });
});
