import { describe, expect, it } from 'vitest';
import { experimentSchema } from '../../../../../app/contract/experiment.ts';
import { waysRequest, withWay } from '../../../../../renderer/screens/compare/headline/ways-store.ts';
import { roomOf } from '../../../../../renderer/state/experiment/device.ts';

const EXPERIMENT = experimentSchema.parse({
  model: 'gpt2',
  batch: 8,
  dtype: 'float16',
  accumulate: 4,
  budgetBytes: 1e9,
  strategies: ['regular', 'optimal'],
  also: [{ model: 'vgg11' }],
});
const ORDER = ['regular', 'chen-sqrt', 'optimal', 'budget'];
const FACTS = { totalBytes: 1, overhead: null, changesResult: true, samplesAnUpdate: 8 };

describe('an experiment after a way to fit', () => {
  it('has its options, without those that go without saying', () => {
    const change = { batch: 4, accumulate: 1, precision: 'bf16' } as const;
    const { accumulate, ...next } = withWay(EXPERIMENT, { ...FACTS, change, strategy: 'regular' }, ORDER);
    expect(accumulate).toBeUndefined();
    expect(next).toMatchObject({ batch: 4, precision: 'bf16', dtype: 'float32', budgetBytes: 1e9 });
    expect(next.strategies).toEqual(EXPERIMENT.strategies);
  });

  it('compares the plan, whose budget is what the device leaves', () => {
    const of = (strategy: string) => withWay(EXPERIMENT, { ...FACTS, change: { lora: 16 }, strategy }, ORDER);
    expect(of('budget')).toMatchObject({ lora: 16, strategies: ['regular', 'optimal', 'budget'] });
    expect(of('budget').budgetBytes).toBeUndefined();
    expect(of('chen-sqrt')).toMatchObject({
      strategies: ['regular', 'chen-sqrt', 'optimal'],
      budgetBytes: 1e9,
    });
  });

  it('is asked for without what the answer does not depend on', () => {
    const request = waysRequest(EXPERIMENT);
    expect(request).toMatchObject({ model: 'gpt2', batch: 8, room: roomOf(EXPERIMENT) });
    for (const name of ['strategies', 'also', 'budgetBytes']) expect(request).not.toHaveProperty(name);
  });
});
