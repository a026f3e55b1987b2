import { mergedLargestBag } from '../decomposition/merged-levels.ts';
import { treeDecomposition } from '../decomposition/tree-decomposition.ts';
import { treewidthBound } from '../decomposition/width-bound.ts';
import { InternalError } from '../errors.ts';
import type { TableHead, TableRecipe, TableRow } from './table.ts';

type Edge = [from: number, to: number];

interface Drawn {
  readonly size: number;
  /** Every edge leads to a later vertex. */
  readonly edges: readonly Edge[];
}

/** One line of article 002's list of widths, "Tree-decompositions of neural nets". */
export interface WidthKind {
  readonly title: (k: number) => string;
  /** The article's number, or its order of growth. */
  readonly printed: (k: number) => number | 'O(k²)';
  /** The k that are drawn; one number where the line has none. */
  readonly sizes: readonly number[];
  readonly draw: (k: number) => Drawn;
}

const LENGTH = 24;

const chain = (length: number, first = 0): Edge[] =>
  Array.from({ length: length - 1 }, (_, i): Edge => [first + i, first + i + 1]);

/** k chains side by side from the first vertex to the last. */
function towers(k: number): Drawn {
  const last = 1 + k * LENGTH;
  const edges = Array.from({ length: k }, (_, t) => 1 + t * LENGTH).flatMap((first): Edge[] => [
    [0, first],
    ...chain(LENGTH, first),
    [first + LENGTH - 1, last],
  ]);
  return { size: last + 1, edges };
}

/** A chain of which every vertex reads k others, which read nothing. */
function statistics(k: number): Drawn {
  const reads = Array.from({ length: LENGTH }, (_, i) =>
    Array.from({ length: k }, (_, s): Edge => [s, k + i]),
  );
  return { size: k + LENGTH, edges: [...chain(LENGTH, k), ...reads.flat()] };
}

/** A chain with an edge from every `every`-th vertex to the one `over` further on. */
function skips(over: number, every: number): Drawn {
  const edges = chain(LENGTH + 1);
  for (let i = 0; i + over <= LENGTH; i += every) edges.push([i, i + over]);
  return { size: LENGTH + 1, edges };
}

/** k towers between the same ends, each with skips back k steps, whose every vertex reads k statistics. */
function combined(k: number): Drawn {
  const { size, edges } = towers(k);
  const shifted = edges.map(([from, to]): Edge => [from + k, to + k]);
  const inner = Array.from({ length: k * LENGTH }, (_, i) => i);
  const skipped = inner.flatMap((i): Edge[] => (i % LENGTH < k ? [] : [[k + 1 + i - k, k + 1 + i]]));
  const reads = inner.flatMap((i) => Array.from({ length: k }, (_, s): Edge => [s, k + 1 + i]));
  return { size: size + k, edges: [...shifted, ...skipped, ...reads] };
}

export const WIDTH_KINDS: readonly WidthKind[] = [
  {
    title: () => 'Feed-forward network',
    printed: () => 2,
    sizes: [1],
    draw: () => ({ size: LENGTH, edges: chain(LENGTH) }),
  },
  { title: () => 'Resnet', printed: () => 3, sizes: [1], draw: () => skips(3, 3) },
  {
    title: (k) => `Multi-tower with ${k} towers`,
    printed: (k) => 2 * k,
    sizes: [2, 3, 4],
    draw: towers,
  },
  {
    title: (k) => `Feed-forward net with ${k} global statistic${k === 1 ? '' : 's'}`,
    printed: (k) => 2 + k,
    sizes: [1, 2, 4],
    draw: statistics,
  },
  {
    title: (k) => `Feed-forward with skips back ${k} steps`,
    printed: (k) => k,
    sizes: [2, 3, 4],
    draw: (k) => skips(k, 1),
  },
  {
    title: (k) => `${k} towers, skips back ${k}, ${k} statistics`,
    printed: () => 'O(k²)',
    sizes: [2, 3, 4, 5],
    draw: combined,
  },
];

interface Widths {
  readonly largestBag: number;
  readonly width: number;
  readonly bound: number;
  readonly mergedBag: number;
}

/** Conventions that the article may have counted by, the plainest first. */
const CONVENTIONS: readonly { readonly name: string; readonly of: (widths: Widths) => number }[] = [
  { name: 'largest bag', of: ({ largestBag }) => largestBag },
  { name: 'largest bag less one', of: ({ width }) => width },
  { name: 'largest bag, parallel paths merged', of: ({ mergedBag }) => mergedBag },
];

function widthsOf({ size, edges }: Drawn): Widths {
  const { largestBag, width } = treeDecomposition(size, edges);
  return { largestBag, width, bound: treewidthBound(size, edges), mergedBag: mergedLargestBag(size, edges) };
}

/** The first convention that gives the article's number for every k of its line, or "unexplained". */
function conventionOf({ sizes, draw, printed }: WidthKind): string {
  const isOrder = sizes.every((k) => printed(k) === 'O(k²)');
  const drawn = sizes.map((k) => ({ widths: widthsOf(draw(k)), article: printed(k) }));
  const found = CONVENTIONS.find(({ of }) => {
    const counts = drawn.map(({ widths }) => of(widths));
    return drawn.every(({ article }, i) => counts[i] === article) || (isOrder && isQuadratic(counts));
  });
  return found?.name ?? 'unexplained';
}

/** Second differences are one number above 0. */
function isQuadratic(counts: readonly number[]): boolean {
  const differences = (values: readonly number[]): number[] =>
    values.slice(1).map((value, i) => value - (values[i] ?? 0));
  const [first = 0, ...rest] = differences(differences(counts));
  return first > 0 && rest.every((next) => next === first);
}

const ROWS = WIDTH_KINDS.flatMap((kind) => kind.sizes.map((k) => ({ kind, k })));

/** Article 002's list of widths beside those of min-fill, and by which convention each line of it was counted. */
export function widthRecipe(): TableRecipe {
  const rowOf = (index: number): TableRow => {
    const row = ROWS[index];
    if (row === undefined) throw new InternalError(`the table of widths has no row ${index}`);
    const { kind, k } = row;
    const drawn = kind.draw(k);
    const { largestBag, width, bound, mergedBag } = widthsOf(drawn);
    const paperWidth = kind.printed(k);
    return {
      network: kind.title(k),
      vertices: drawn.size,
      edges: drawn.edges.length,
      paperWidth,
      largestBag,
      difference: paperWidth === 'O(k²)' ? null : largestBag - paperWidth,
      width,
      widthBound: bound,
      mergedBag,
      convention: conventionOf(kind),
    };
  };
  return { head: HEAD, networks: ROWS.map(({ kind, k }) => kind.title(k)), rowOf };
}

const HEAD: TableHead = {
  name: 'treewidth',
  title: 'Treewidths of common networks',
  citation: 'Bulatov, Fitting larger networks into memory, 2018: Tree-decompositions of neural nets',
  notes: [
    'The article says "treewidth" and "largest bag has size k"; the usual definition is the largest bag less one. Bags are found by min-fill, directions forgotten; where the lower bound (minor-min-width) equals the width, it is the treewidth.',
    'Merged: vertices equally far from the input are one, as the article merges nodes from parallel paths into sets. Convention: the first of the three counts that gives the printed number for every k shown; for O(k²), that grows as k².',
  ],
  columns: [
    { key: 'network', title: 'network', from: 'both', digits: 0 },
    { key: 'vertices', title: 'vertices', from: 'ours', digits: 0 },
    { key: 'edges', title: 'edges', from: 'ours', digits: 0 },
    { key: 'paperWidth', title: 'treewidth', from: 'paper', digits: 0 },
    { key: 'largestBag', title: 'largest bag', from: 'ours', digits: 0 },
    { key: 'difference', title: 'difference', from: 'both', digits: 0 },
    { key: 'width', title: 'width', from: 'ours', digits: 0 },
    { key: 'widthBound', title: 'lower bound', from: 'ours', digits: 0 },
    { key: 'mergedBag', title: 'largest bag, merged', from: 'ours', digits: 0 },
    { key: 'convention', title: 'convention', from: 'both', digits: 0 },
  ],
};
