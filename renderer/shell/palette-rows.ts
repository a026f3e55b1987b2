import type { Action } from '../state/page/actions.ts';

/**
 * Actions that fit what was typed, best first: every word must be found; a title that starts with the
 * text comes before one that contains it, and both before a match in other words. Order is kept among
 * equals.
 */
export function paletteRows(actions: readonly Action[], query: string, limit = 50): Action[] {
  const text = fold(query);
  if (text === '') return actions.slice(0, limit);
  const words = text.split(' ');
  return actions
    .map((action) => ({ action, rank: rankOf(action, text, words) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, limit)
    .map(({ action }) => action);
}

function rankOf(action: Action, text: string, words: readonly string[]): number {
  const title = fold(action.title);
  const all = `${title} ${fold(action.group)} ${fold(action.words ?? '')}`;
  if (!words.every((word) => all.includes(word))) return 0;
  if (title.startsWith(text)) return 4;
  if (words.some((word) => title.split(' ').some((part) => part.startsWith(word)))) return 3;
  return title.includes(text) ? 2 : 1;
}

/** `ResNet-50` is found by "resnet 50", "resnet50" by its name among the words. */
function fold(value: string): string {
  return value
    .toLowerCase()
    .replace(/[-_/()]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
