import type { Action } from '../state/page/actions.ts';

/**
 * Actions that fit what was typed, best first: every word must be found; a title that starts with the
 * text comes before one that contains it, and both before a match in other words. Order is kept among
 * equals.
 */
export function paletteRows(actions: readonly Action[], query: string, limit = 50): Action[] {
  const text = fold(query);
  if (text === '') return actions.slice(0, limit);
  return actions
    .map((action) => ({
      action,
      rank: matchRank(action.title, `${action.group} ${action.words ?? ''}`, text),
    }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, limit)
    .map(({ action }) => action);
}

/** Rank of a match, from 4, a title that starts with the text, to 0, a word that is nowhere. */
export function matchRank(ownTitle: string, otherWords: string, query: string): number {
  const text = fold(query);
  const words = text.split(' ');
  const title = fold(ownTitle);
  const all = `${title} ${fold(otherWords)}`;
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
