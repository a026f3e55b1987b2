import { describe, expect, it } from 'vitest';
import type { Action } from '../../../renderer/state/page/actions.ts';
import { paletteRows } from '../../../renderer/shell/palette-rows.ts';

const action = (title: string, group: string, words = ''): Action => ({
  id: title,
  title,
  group,
  words,
  run: () => undefined,
});
const ACTIONS = [
  action('Compare', 'Go to'),
  action('Compare Optimal', 'Strategy', 'optimal'),
  action('ResNet-50', 'Network', 'resnet50'),
  action('Double the batch', 'Experiment'),
];
const find = (query: string): string[] => paletteRows(ACTIONS, query).map(({ title }) => title);

describe('rows of the palette', () => {
  it('shows everything in order at first', () => expect(find('')).toHaveLength(4));

  it('finds by every word, by start of title before others, and past punctuation', () => {
    expect(find('compare')).toEqual(['Compare', 'Compare Optimal']);
    expect(find('opti')).toEqual(['Compare Optimal']);
    expect(find('resnet 50')).toEqual(['ResNet-50']);
    expect(find('resnet50')).toEqual(['ResNet-50']);
    expect(find('batch double')).toEqual(['Double the batch']);
    expect(find('nothing')).toEqual([]);
  });
});
