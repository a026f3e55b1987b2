import { describe, expect, it } from 'vitest';
import type { Action } from '../../../renderer/state/page/actions.ts';
import { paletteRows } from '../../../renderer/shell/palette-rows.ts';
import { commandOf } from '../../../renderer/shell/use-shortcuts.ts';

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

describe('palette', () => {
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

describe('shortcuts', () => {
  const press = (key: string, keys = '') => ({
    key,
    ctrlKey: keys.includes('c'),
    metaKey: keys.includes('m'),
    shiftKey: keys.includes('s'),
    altKey: keys.includes('a'),
  });

  it('leaves typing alone, except for the palette', () => {
    expect(commandOf(press('1'), true, 2)).toBeNull();
    expect(commandOf(press('z', 'c'), true, 2)).toBeNull();
    expect(commandOf(press('k', 'c'), true, 2)).toBe('palette');
  });

  it('knows screens, undo, redo, batch and cancel', () => {
    expect(commandOf(press('2'), false, 2)).toBe(1);
    expect(commandOf(press('3'), false, 2)).toBeNull();
    expect(commandOf(press('0'), false, 2)).toBeNull();
    expect(commandOf(press(' '), false, 2)).toBeNull();
    expect(commandOf(press('z', 'm'), false, 2)).toBe('undo');
    expect(commandOf(press('Z', 'cs'), false, 2)).toBe('redo');
    expect(commandOf(press(']'), false, 2)).toBe('double');
    expect(commandOf(press('Escape'), false, 2)).toBe('cancel');
    expect(commandOf(press('1', 'a'), false, 2)).toBeNull();
  });
});
