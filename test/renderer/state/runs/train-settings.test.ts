import { describe, expect, it } from 'vitest';
import { modelInfo } from '../../../../engine/zoo/zoo.ts';
import {
  FIRST_SETTINGS,
  isSlowSize,
  optionsSet,
  quickSize,
  requestsFor,
  strategyToTrain,
  trainable,
} from '../../../../renderer/state/runs/train-settings.ts';
import { asSentence } from '../../../../renderer/shared/format/sentence.ts';
import { experimentOf } from '../../support/fake-lab.ts';

const row = (name: string, vertices: number, parameters: number) => ({
  ...modelInfo(name),
  defaultBatch: 8,
  tensorVertices: vertices,
  vertices,
  parameters,
});
const MODELS = [row('resnet18', 70, 1.2e7), row('vgg16', 40, 1.38e8), row('tiny-residual', 20, 1e4)];

describe('train settings', () => {
  const experiment = experimentOf({ model: 'vgg16', batch: 64, strategies: ['regular', 'random'], seed: 7 });

  it('trains the choice, else the selected strategy, else one that recomputes', () => {
    expect(strategyToTrain(FIRST_SETTINGS, experiment, null)).toBe('random');
    expect(strategyToTrain(FIRST_SETTINGS, experiment, 'regular')).toBe('regular');
    expect(strategyToTrain(FIRST_SETTINGS, experiment, 'optimal')).toBe('random');
    expect(strategyToTrain({ ...FIRST_SETTINGS, strategy: 'live' }, experiment, 'regular')).toBe('live');
  });

  it('requests the experiment’s network, with regular first on request', () => {
    const settings = { ...FIRST_SETTINGS, backend: 'wasm' as const, iterations: 5, withRegular: true };
    const [regular, random] = requestsFor(settings, experiment, 'random');
    expect(regular).toEqual({
      model: 'vgg16',
      batch: 64,
      strategy: 'regular',
      iterations: 5,
      seed: 7,
      backend: 'wasm',
    });
    expect(random?.strategy).toBe('random');
    expect(requestsFor(settings, experiment, 'regular')).toHaveLength(1);
    expect(requestsFor(FIRST_SETTINGS, experiment, 'random')[0]).not.toHaveProperty('backend');
  });

  it('runs segments as in the experiment', () => {
    const reentrant = experimentOf({ strategies: ['regular', 'random'], checkpointing: 'reentrant' });
    const asked = requestsFor({ ...FIRST_SETTINGS, withRegular: true }, reentrant, 'random');
    expect(asked.map(({ checkpointing }) => checkpointing)).toEqual(['reentrant', 'reentrant']);
    expect(requestsFor(FIRST_SETTINGS, experiment, 'random')[0]).not.toHaveProperty('checkpointing');
  });

  it('follows an open file’s plan, and sends its steps with that run only', () => {
    const names = ['regular', 'plan', 'random'];
    const open = experimentOf({ strategies: names, plan: 'plan:0123456789abcdef' });
    expect(trainable(names, open)).toEqual(names);
    expect(trainable(names, experiment)).toEqual(['regular', 'random']);
    const chosen = { ...FIRST_SETTINGS, strategy: 'plan', withRegular: true };
    expect(strategyToTrain(chosen, open, null)).toBe('plan');
    expect(strategyToTrain(FIRST_SETTINGS, open, 'plan')).toBe('plan');
    // The experiment went on without the plan: a run follows something that there is.
    expect(strategyToTrain(chosen, experiment, null)).toBe('random');
    const [regular, own] = requestsFor(chosen, open, 'plan', '{"format":"zigzag-plan"}');
    expect(own).toMatchObject({ strategy: 'plan', plan: '{"format":"zigzag-plan"}' });
    expect(regular).not.toHaveProperty('plan');
  });

  it('measures pairs for strategies other than regular', () => {
    const settings = { ...FIRST_SETTINGS, withRegular: true, pairs: 4 };
    const [regular, random] = requestsFor(settings, experiment, 'random');
    expect(regular).not.toHaveProperty('pairs');
    expect(random?.pairs).toBe(4);
    expect(requestsFor(FIRST_SETTINGS, experiment, 'random')[0]).not.toHaveProperty('pairs');
  });

  it('makes classic mistakes only in a run that recomputes', () => {
    const settings = { ...FIRST_SETTINGS, withRegular: true, naiveStatistics: true, naiveDropout: true };
    const [regular, random] = requestsFor(settings, experiment, 'random');
    expect(regular).not.toHaveProperty('naiveStatistics');
    expect(regular).not.toHaveProperty('naiveDropout');
    expect(random).toMatchObject({ naiveStatistics: true, naiveDropout: true });
  });

  it('requests a search with a cap, without options that only training needs', () => {
    const settings = {
      ...FIRST_SETTINGS,
      mode: 'largest' as const,
      pairs: 3,
      dataFolder: '/cifar',
      withRegular: true,
    };
    const [search, ...rest] = requestsFor(settings, experiment, 'random');
    expect(rest).toEqual([]);
    expect(search).toMatchObject({ largestBatch: true, memoryCapBytes: 2 * 1024 ** 3, strategy: 'random' });
    expect(search).not.toHaveProperty('pairs');
    expect(search).not.toHaveProperty('dataFolder');
    expect(requestsFor({ ...settings, capBytes: 1e6 }, experiment, 'random')[0]?.memoryCapBytes).toBe(1e6);
  });

  it('passes the rarer options on, and counts them', () => {
    const settings = {
      ...FIRST_SETTINGS,
      measuredCosts: true,
      batchDifference: true,
      dataFolder: '/cifar',
      capBytes: 1e9,
    };
    expect(requestsFor(settings, experiment, 'random')[0]).toMatchObject({
      measuredCosts: true,
      batchDifference: true,
      dataFolder: '/cifar',
      memoryCapBytes: 1e9,
    });
    expect(requestsFor(settings, experiment, 'regular')[0]).not.toHaveProperty('measuredCosts');
    expect(optionsSet(settings)).toBe(4);
    expect(optionsSet({ ...settings, mode: 'largest' })).toBe(2);
    expect(optionsSet(FIRST_SETTINGS)).toBe(0);
  });

  it('warns about sizes that take minutes, and offers one that takes seconds', () => {
    expect(isSlowSize(experiment, MODELS[1])).toBe(true);
    expect(isSlowSize({ ...experiment, batch: 8, input: 32 }, MODELS[0])).toBe(false);
    expect(quickSize(experiment, MODELS)).toMatchObject({ model: 'resnet18', batch: 8, input: 32 });
    const tiny = quickSize({ ...experiment, model: 'tiny-residual', input: 512 }, MODELS);
    expect(tiny).toMatchObject({ model: 'tiny-residual', batch: 8 });
    expect(quickSize(experiment, [])).toBeNull();
  });
});

it('messages of the lab become sentences', () => {
  expect(asSentence('no model is named "x"; did you mean y?')).toBe('No model is named "x"; did you mean y?');
  expect(asSentence('batch: expected an integer')).toBe('batch: expected an integer.');
  expect(asSentence('')).toMatch(/reported an error/);
});
