import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Experiment, experimentSchema, MAX_NETWORKS } from '../../../../app/contract/experiment.ts';
import {
  singleNetworks,
  toFront,
  withNetwork,
  withNetworkSize,
  withoutNetwork,
} from '../../../../renderer/state/experiment/networks.ts';

const several: Experiment = experimentSchema.parse({
  model: 'resnet50',
  batch: 64,
  input: 128,
  strategies: ['regular', 'live'],
  also: [{ model: 'vgg16' }, { model: 'gpt2', batch: 8, input: 512 }],
});
const sizes = (experiment: Experiment) =>
  singleNetworks(experiment)
    .map(({ model, batch, input }) => `${model} ${batch} ${input ?? 'own'}`)
    .sort();

describe('networks of an experiment', () => {
  it('requests each separately: the common batch and its own input by default', () => {
    expect(singleNetworks(several)).toMatchObject([
      { model: 'resnet50', batch: 64, input: 128 },
      { model: 'vgg16', batch: 64 },
      { model: 'gpt2', batch: 8, input: 512 },
    ]);
    expect(singleNetworks(several).every((single) => single.also === undefined)).toBe(true);
    expect(singleNetworks(several)[1]).not.toHaveProperty('input');
  });

  it('keeps the size of every network when another is selected', () => {
    const beside = fc.record(
      {
        model: fc.constantFrom('a', 'b', 'c', 'd'),
        batch: fc.integer({ min: 1, max: 4 }),
        input: fc.integer({ min: 32, max: 34 }),
      },
      { requiredKeys: ['model'] },
    );
    fc.assert(
      fc.property(fc.array(beside, { maxLength: 7 }), fc.array(fc.nat(7)), (also, places) => {
        const first: Experiment = { ...several, also };
        expect(sizes(places.reduce(toFront, first))).toEqual(sizes(first));
      }),
    );
  });

  it('removes any network except the last', () => {
    expect(withoutNetwork(several, 0)).toMatchObject({ model: 'vgg16', also: [{ model: 'gpt2' }] });
    const two = withoutNetwork(several, 1);
    expect(sizes(two)).toEqual(['gpt2 8 512', 'resnet50 64 128']);
    const one = withNetwork(two, 'gpt2', false);
    expect(one).not.toHaveProperty('also');
    expect(withoutNetwork(one, 0)).toBe(one);
  });

  it('adds a network once, and no more than the contract admits', () => {
    expect(withNetwork(several, 'vgg16', true)).toBe(several);
    let many = several;
    for (let i = 0; i < 20; i++) many = withNetwork(many, `net-${i}`, true);
    expect(singleNetworks(many)).toHaveLength(MAX_NETWORKS);
    expect(experimentSchema.safeParse(many).success).toBe(true);
  });

  it('sets and resets a network’s own size', () => {
    const own = withNetworkSize(several, 1, { batch: 16 });
    expect(singleNetworks(own)[1]).toMatchObject({ model: 'vgg16', batch: 16 });
    expect(withNetworkSize(own, 1, { batch: 64 }).also?.[0]).toEqual({ model: 'vgg16' });
  });

  it('leaves the data type of a file to the file', () => {
    const file = { ...several, dtype: 'float16' as const, also: [{ model: 'file:0123' }] };
    expect(singleNetworks(file).map(({ dtype }) => dtype)).toEqual(['float16', 'float32']);
    expect(toFront(file, 1)).toMatchObject({ model: 'file:0123', dtype: 'float32' });
  });
});
