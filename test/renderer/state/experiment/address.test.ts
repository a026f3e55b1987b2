import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { experimentSchema } from '../../../../app/contract/experiment.ts';
import { readAddress, writeAddress } from '../../../../renderer/state/experiment/address.ts';
import { FIRST_EXPERIMENT } from '../../../../renderer/state/experiment/experiment.ts';

const SCREENS = ['compare', 'train'];
const name = fc
  .string({ minLength: 1, maxLength: 30 })
  .filter((text) => text.trim() === text && !text.includes(','));

const addresses = fc.record({
  screen: fc.constantFrom(...SCREENS),
  selected: fc.option(name, { nil: null }),
  experiment: fc
    .record(
      {
        model: fc.string({ minLength: 1, maxLength: 120 }),
        batch: fc.integer({ min: 1, max: 65536 }),
        input: fc.integer({ min: 1, max: 8192 }),
        dropout: fc.double({ min: 0, max: 0.95, noNaN: true }).map(Math.abs),
        strategies: fc.uniqueArray(name, { minLength: 1, maxLength: 32 }),
        profile: fc.constantFrom('pytorch', 'tfjs'),
        dtype: fc.constantFrom('float32', 'float16'),
        seed: fc.integer({ min: 0, max: 0xffffffff }),
        budgetBytes: fc.double({ min: 1, max: 1e15, noNaN: true }),
        segments: fc.integer({ min: 1, max: 1_000_000 }),
        also: fc.array(
          fc.record(
            {
              model: name.filter((text) => !text.includes('@')),
              batch: fc.integer({ min: 1, max: 65536 }),
              input: fc.integer({ min: 1, max: 8192 }),
            },
            { requiredKeys: ['model'] },
          ),
          { minLength: 1, maxLength: 7 },
        ),
      },
      { requiredKeys: ['model', 'batch', 'strategies'] },
    )
    .map((experiment) => experimentSchema.parse(experiment)),
});

describe('address', () => {
  it('restores every view', () => {
    fc.assert(
      fc.property(addresses, (address) => {
        expect(readAddress(writeAddress(address), SCREENS)).toEqual({ ...address, faults: [] });
      }),
    );
  });

  it('reads any text as a valid experiment, without an error', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { experiment, screen } = readAddress(`#/${text}`, SCREENS);
        expect(experimentSchema.safeParse(experiment).success).toBe(true);
        expect(SCREENS).toContain(screen);
      }),
    );
  });

  it('starts with the default experiment if empty', () => {
    expect(readAddress('', SCREENS)).toEqual({
      screen: 'compare',
      experiment: FIRST_EXPERIMENT,
      selected: 'budget',
      faults: [],
    });
  });

  it.each(['-1', '0', '1.5', '1e9', 'many', ''])('replaces a batch of %s and says so', (batch) => {
    const { experiment, faults } = readAddress(`#/train?model=vgg16&batch=${batch}`, SCREENS);
    expect(experiment).toMatchObject({ model: 'vgg16', batch: FIRST_EXPERIMENT.batch });
    expect(faults).toEqual([
      `The link’s batch “${batch}” is not a whole number from 1 to 65\u202f536, so the default is used.`,
    ]);
  });

  it('accepts common notations of a budget, and keeps a share until it can be resolved', () => {
    const read = (budget: string) => readAddress(`#/compare?budgetBytes=${budget}`, SCREENS);
    expect(read('2GiB').experiment.budgetBytes).toBe(2 * 1024 ** 3);
    for (const address of [read('60%'), readAddress(writeAddress(read('60%25')), SCREENS)])
      expect(address).toMatchObject({ budgetShare: 0.6, faults: [] });
    expect(read('60%').experiment).not.toHaveProperty('budgetBytes');
    expect(read('much').faults).toEqual([
      'The link’s budget “much” is not an amount of memory such as 11GiB or 500MB, or a share such as 60%, so the default is used.',
    ]);
  });

  it('reports an unknown screen, and shows the first', () => {
    const { screen, faults } = readAddress('#/nowhere?batch=2', SCREENS);
    expect(screen).toBe('compare');
    expect(faults).toEqual(['There is no screen “nowhere”, so this one is shown.']);
  });
});
