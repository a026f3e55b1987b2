import type { Action } from '../state/page/actions.ts';

const MAX_ROWS = 50;

/**
 * Actions that fit the text, best first: every word must be found; a title that starts with the
 * text comes before one that contains it, and both before a match in other words. Order is kept among
 * equals.
 */
export const paletteRows = (actions: readonly Action[], query: string): Action[] =>
  bestMatches(actions, query, ({ title, group, words = '' }) => [title, `${group} ${words}`]).slice(
    0,
    MAX_ROWS,
  );

/** Items that fit a text, best first, by their titles and what else may match. */
export function bestMatches<T>(
  items: readonly T[],
  query: string,
  textsOf: (item: T) => readonly [title: string, others: string],
): T[] {
  return items
    .map((item) => ({ item, rank: matchRank(...textsOf(item), query) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .map(({ item }) => item);
}

/** Rank of a match, from 4, a title that starts with the text, to 0, a word that is nowhere. */
function matchRank(ownTitle: string, otherWords: string, query: string): number {
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
