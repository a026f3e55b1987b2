import { CONCAT } from '../ops/make.ts';
import { gameInfo, gameInput, layer } from './game-networks.ts';
import type { Model } from './model.ts';

/**
 * The computation graphs that papers 000 and 001 draw to explain their definitions. The seeds have the captions and what
 * the text says of them: names, edges and divisions of Figures 3 and 4, costs of the members of Figure 6. Other costs are
 * 1, and so is what lies within a member of Figure 6: a vertex beside an edge, and two where it says that there is more.
 */

/** Id, ids that it reads, cost in MiB at the default batch, and its place in a drawing. */
type FigureVertex = readonly [id: string, inputs: string, cost: number, column: number, lane: number];

interface Figure {
  readonly name: string;
  readonly title: string;
  readonly note: string;
  readonly vertices: readonly FigureVertex[];
  /** The max term C that the text gives, in MiB. */
  readonly maxTerm?: number;
}

/** Costs of the members of Figure 6, from the source to the target. */
const MEMBERS = [10, 5, 10, 10, 30, 10];
const MAX_TERM = 25;

/** Columns and lanes of the three vertices of a member above C, apart from each other at any width. */
const DIVIDED = [
  [0.7, 2],
  [1.2, 0],
  [1.9, 1],
] as const;

/** Members in a row, each a vertex beside an edge; one above C is a small vertex between two. */
function members(): FigureVertex[] {
  const all: FigureVertex[] = [['s', '', 1, 0, 3]];
  let last = 's';
  MEMBERS.forEach((cost, i) => {
    const inner = cost > MAX_TERM ? [cost / 2 - 1, 2, cost / 2 - 1] : [cost];
    let input = last;
    inner.forEach((one, place) => {
      const id = `m${i + 1}${inner.length === 1 ? '' : 'abc'[place]}`;
      const [column = 1, lane = 2] = inner.length === 1 ? [] : (DIVIDED[place] ?? []);
      all.push([id, input, one, 2 * i + column, lane]);
      input = id;
    });
    const end = i === MEMBERS.length - 1 ? 't' : `v${i + 1}`;
    all.push([end, `${last} ${input}`, 1, 2 * i + 2, 3]);
    last = end;
  });
  return all;
}

export const FIGURES: readonly Figure[] = [
  {
    name: 'figure-3',
    title: 'Figure 3',
    note: 'Keep t: i and t form an independent segment. Keep k: k and j do not, because t depends on i.',
    vertices: [
      ['i', '', 1, 0, 1],
      ['k', 'i', 1, 1, 0],
      ['t', 'i k', 1, 2, 1],
      ['j', 't', 1, 3, 1],
    ],
  },
  {
    name: 'figure-4-linear',
    title: 'Figure 4, linear',
    note: 'The division is {s_ik, s_kj}: k splits the segment from i to j.',
    vertices: [
      ['i', '', 1, 0, 0],
      ['k', 'i', 1, 1, 0],
      ['j', 'k', 1, 2, 0],
    ],
  },
  {
    name: 'figure-4-branch',
    title: 'Figure 4, branch',
    note: 'The division is its three branches from i to j.',
    vertices: [
      ['i', '', 1, 0, 1],
      ['a', 'i', 1, 1, 0],
      ['b', 'i', 1, 1, 1],
      ['c', 'i', 1, 1, 2],
      ['j', 'a b c', 1, 2, 1],
    ],
  },
  {
    name: 'figure-4-complicate',
    title: 'Figure 4, complicate',
    note: 'The division is {s_ik, s_it, s_kt, s_kj, s_tj}: no vertex splits it, and no parts run side by side.',
    vertices: [
      ['i', '', 1, 0, 1],
      ['k', 'i', 1, 1, 0],
      ['t', 'i k', 1, 1, 2],
      ['j', 'k t', 1, 2, 1],
    ],
  },
  {
    name: 'figure-6',
    title: 'Figure 6',
    note: `Members cost ${MEMBERS.join(', ')}. With C = ${MAX_TERM} the member of 30 is divided, and the linear solver runs on the four before it.`,
    vertices: members(),
    maxTerm: MAX_TERM,
  },
];

/** Figures as networks: a vertex is a convolution, one that reads several concatenates them on its edges. */
export const FIGURE_NETWORKS: readonly Model[] = FIGURES.map(({ name, title, note, vertices }) => ({
  info: { ...gameInfo(name, title, name === 'figure-4-linear', note), family: 'Articles' },
  build(b, { batch, input }) {
    gameInput(b, batch, input, vertices[0]?.[0]);
    for (const [id, inputs, cost] of vertices.slice(1)) {
      const read = inputs.split(' ');
      layer(b, id, cost, read.length > 1 ? b.add(`${id}.join`, CONCAT, read, 'edge') : (read[0] ?? inputs));
    }
  },
}));
