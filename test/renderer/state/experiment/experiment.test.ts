import { describe, expect, it } from 'vitest';
import { modelInfo } from '../../../../engine/zoo/zoo.ts';
import {
  doubled,
  FIRST_EXPERIMENT,
  halved,
  withModel,
  withoutUnknown,
  withStrategy,
} from '../../../../renderer/state/experiment/experiment.ts';
import { networkGroups, searchNetworks } from '../../../../renderer/shell/experiment-bar/network-rows.ts';
import { fieldsSet } from '../../../../renderer/state/experiment/fields-set.ts';
import { YOUR_FILES } from '../../../../renderer/state/files/file-row.ts';
import { parseNumber } from '../../../../renderer/shared/fields/parse-number.ts';
import { dropoutMatters } from '../../../../renderer/state/experiment/size-rules.ts';

const ORDER = ['regular', 'chen-sqrt', 'random', 'optimal'];
const row = (name: string) => ({
  tensorVertices: 41,
  vertices: 60,
  parameters: 1e6,
  ...modelInfo(name),
  defaultBatch: 64,
});

describe('experiment', () => {
  it('keeps a chosen input size if the next network admits it', () => {
    const small = { ...FIRST_EXPERIMENT, input: 32, dropout: 0.5 };
    expect(withModel(small, row('resnet18'))).toMatchObject({ model: 'resnet18', input: 32 });
    expect(withModel(small, row('resnet18'))).not.toHaveProperty('dropout');
    expect(withModel(small, row('inceptionv3'))).not.toHaveProperty('input');
  });

  it('puts strategies into the order of the catalogue and never empties the comparison', () => {
    const two = { ...FIRST_EXPERIMENT, strategies: ['optimal'] };
    expect(withStrategy(two, 'regular', true, ORDER).strategies).toEqual(['regular', 'optimal']);
    expect(withStrategy(two, 'optimal', false, ORDER).strategies).toEqual(['optimal']);
  });

  it('drops strategies that the lab lacks; names those that a link asked for', () => {
    const link = { ...FIRST_EXPERIMENT, strategies: ['regular', 'budget', 'magic'] };
    expect(withoutUnknown(link, ORDER)).toMatchObject({
      next: { strategies: ['regular'] },
      unknown: ['magic'],
    });
    expect(withoutUnknown({ ...link, strategies: ['magic'] }, ORDER).next.strategies).toEqual(['regular']);
    expect(withoutUnknown({ ...link, strategies: ORDER }, ORDER).changed).toBe(false);
  });

  it('halves and doubles within the limits', () => {
    expect([halved(7), halved(1), doubled(7), doubled(65536)]).toEqual([3, 1, 14, 65536]);
  });

  it('asks for dropout only if a network has dropout', () => {
    const shown = { head: { model: 'alexnet' }, operations: ['conv2d', 'dropout'] };
    expect(dropoutMatters({ model: 'alexnet' }, shown)).toBe(true);
    expect(dropoutMatters({ model: 'vgg16' }, shown)).toBe(false);
    expect(dropoutMatters({ model: 'vgg16', dropout: 0.5 }, null)).toBe(true);
  });
});

describe('settings of a closed list', () => {
  it('are named as within a sentence, names as they are', () => {
    expect(fieldsSet({ gpus: 8, lora: 16, accumulate: 4 })).toEqual(
      expect.arrayContaining(['GPUs 8', 'LoRA rank 16', 'accumulation 4 steps']),
    );
  });
});

describe('typed numbers', () => {
  const batch = { label: 'Batch', min: 1, max: 65536, whole: true };

  it.each(['0', '-1', '1.5', '1e9', 'abc', '', '65537', 'NaN', 'Infinity'])(
    'refuses %j in one sentence',
    (text) => {
      expect(parseNumber(text, batch)).toEqual({
        error: 'Batch must be a whole number from 1 to 65\u202f536.',
      });
    },
  );

  it('accepts spaces between thousands', () => {
    expect(parseNumber('65 536', batch)).toEqual({ value: 65536 });
    expect(parseNumber(' 12\u202f345 ', batch)).toEqual({ value: 12345 });
    expect(parseNumber('0.5', { label: 'Dropout', min: 0, max: 0.95, whole: false })).toEqual({ value: 0.5 });
  });
});

describe('network picker', () => {
  const groups = networkGroups([row('vgg16'), row('resnet18'), row('vgg19'), row('resnet50')]);

  it('groups by family', () => {
    expect(groups.map(({ group, items }) => [group, items.length])).toEqual([
      ['VGG', 2],
      ['ResNet', 2],
    ]);
  });

  it('shows the files that were opened first', () => {
    const own = { ...row('resnet18'), name: 'file:0123456789abcdef', family: YOUR_FILES };
    expect(networkGroups([row('vgg16'), own]).map(({ group }) => group)).toEqual([YOUR_FILES, 'VGG']);
  });

  it.each(['resnet50', 'ResNet-50', 'resnet 50', '50'])('finds ResNet-50 by %j', (query) => {
    expect(searchNetworks(groups, query).flatMap(({ items }) => items.map(({ value }) => value))).toEqual([
      'resnet50',
    ]);
  });

  it.each([
    ['gpt', 'gpt2'],
    ['transformer', 'tiny-transformer'],
  ])('ranks titles that match %j above mere mentions', (query, first) => {
    const [best] = searchNetworks(networkGroups([row('tiny-transformer'), row('vgg16'), row('gpt2')]), query);
    expect(best?.items[0]?.value).toBe(first);
  });
});
