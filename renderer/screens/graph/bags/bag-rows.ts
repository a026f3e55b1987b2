import type { GraphView } from '../../../../app/contract/graph-view.ts';
import type { Tone } from '../state/paint.ts';

export type Decomposition = GraphView['decomposition'];

/** A bag as a line of a list: the largest subtree below it goes straight on, the others start lanes of their own. */
export interface BagRow {
  readonly bag: number;
  /** Lane of the drawing, 0 the leftmost; side branches lie to the right. */
  readonly lane: number;
  readonly parentRow: number;
}

/**
 * The tree of bags from its root as rows, each branch ended before its parent's lane goes on, so that no line crosses
 * another. At most log2 of the number of bags lanes. Time O(bags).
 */
export function bagRows({ parent }: Pick<Decomposition, 'parent'>): BagRow[] {
  const size = new Float64Array(parent.length).fill(1);
  const children: number[][] = parent.map(() => []);
  const roots: number[] = [];
  parent.forEach((up, bag) => {
    // Parents come after their children, so that a size is complete when it is added.
    if (up < 0) roots.push(bag);
    else {
      children[up]!.push(bag);
      size[up]! += size[bag]!;
    }
  });
  const rows: BagRow[] = [];
  const open: BagRow[] = roots.map((bag) => ({ bag, lane: 0, parentRow: -1 }));
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    const place = rows.push(row) - 1;
    const { lane } = row;
    const below = children[row.bag]!.sort((a, b) => size[b]! - size[a]! || b - a);
    // The last that is pushed comes next: the smallest branches first, the one that goes straight on last.
    below.forEach((bag, i) => {
      open.push({ bag, lane: lane + (i === 0 ? 0 : 1), parentRow: place });
    });
  }
  return rows;
}

/** True where at most a quarter of the bags are the largest. */
export function largestStandOut({ bags, width }: Decomposition): boolean {
  return 4 * bags.filter(({ length }) => length === width + 1).length <= bags.length;
}

/** Neighbours differ by their depth, a vertex lying in its topmost bag; few largest bags stand out. */
export function bagTones(size: number, decomposition: Decomposition): Tone[] {
  const { bags, parent, width } = decomposition;
  const standOut = largestStandOut(decomposition);
  const depth = new Int32Array(bags.length);
  const tones = new Array<Tone>(size).fill('plain');
  for (let i = bags.length - 1; i >= 0; i--) {
    const up = parent[i] ?? -1;
    depth[i] = up < 0 ? 0 : depth[up]! + 1;
    const isLargest = standOut && bags[i]!.length === width + 1;
    for (const v of bags[i]!) {
      if (tones[v] === 'plain') tones[v] = depth[i]! % 2 === 0 ? 'even' : 'odd';
      if (isLargest) tones[v] = 'largest';
    }
  }
  return tones;
}
