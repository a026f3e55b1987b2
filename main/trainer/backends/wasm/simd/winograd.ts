import {
  add,
  type Code,
  countDown,
  countUp,
  func,
  get,
  lines,
  load,
  move,
  mul,
  real,
  set,
  store,
  vector,
} from './text.ts';

/**
 * Transforms of Winograd's minimal filtering F(2x2, 3x3) (Lavin and Gray 2016, Fast Algorithms for Convolutional Neural
 * Networks, section 4.1): 16 products in place of 36 for four outputs of a 3x3 filter. Each is a small matrix T applied
 * from both sides, T x Tᵀ, to numbers that lie in a grid, for all channels.
 */
type Transform = (x: readonly Code[]) => readonly Code[];

const plus = (a: Code, b: Code): Code => vector('add', a, b);
const minus = (a: Code, b: Code): Code => vector('sub', a, b);
const half = (a: Code): Code => vector('mul', a, real(0.5));
const at = (x: readonly Code[], i: number): Code => x[i] ?? '';

/** From how many numbers of an axis, and the matrix: Bᵀ, Aᵀ, G, and for gradients A and Gᵀ. */
const TRANSFORMS: Readonly<Record<string, readonly [size: number, transform: Transform]>> = {
  tilesOf: [
    4,
    (x) => [
      minus(at(x, 0), at(x, 2)),
      plus(at(x, 1), at(x, 2)),
      minus(at(x, 2), at(x, 1)),
      minus(at(x, 1), at(x, 3)),
    ],
  ],
  outputsOf: [
    4,
    (x) => [plus(plus(at(x, 0), at(x, 1)), at(x, 2)), minus(minus(at(x, 1), at(x, 2)), at(x, 3))],
  ],
  filtersOf: [
    3,
    (x) => {
      const outer = plus(at(x, 0), at(x, 2));
      return [at(x, 0), half(plus(outer, at(x, 1))), half(minus(outer, at(x, 1))), at(x, 2)];
    },
  ],
  outputGradientsOf: [
    2,
    (x) => [at(x, 0), plus(at(x, 0), at(x, 1)), minus(at(x, 0), at(x, 1)), vector('neg', at(x, 1))],
  ],
  filterGradientsOf: [
    4,
    (x) => {
      const both = half(plus(at(x, 1), at(x, 2)));
      return [plus(at(x, 0), both), half(minus(at(x, 1), at(x, 2))), plus(both, at(x, 3))];
    },
  ],
};

const indices = (count: number): number[] => Array.from({ length: count }, (_index, i) => i);

/** One grid: element (i, j) is `count` floats at `from + i fromRow + j fromColumn`; `count` is a multiple of 4. */
function grid(name: string, size: number, transform: Transform): Code {
  const results = transform(indices(size).map(() => '')).length;
  const [inner, outer] = [indices(size), indices(results)];
  return func(
    `${name}Grid`,
    {
      parameters: ['from', 'fromRow', 'fromColumn', 'to', 'toRow', 'toColumn', 'count'],
      vectors: [
        ...inner.flatMap((i) => inner.map((j) => `x${i}${j}`)),
        ...outer.flatMap((i) => inner.map((j) => `y${i}${j}`)),
      ],
      ints: ['a', 'b'],
    },
    countDown(
      'count',
      4,
      lines(
        set('a', get('from')),
        inner.map((i) =>
          lines(
            set('b', get('a')),
            inner.map((j) => lines(set(`x${i}${j}`, load(get('b'))), move('b', get('fromColumn')))),
            move('a', get('fromRow')),
          ),
        ),
        inner.map((j) => {
          const column = transform(inner.map((i) => get(`x${i}${j}`)));
          return lines(column.map((value, i) => set(`y${i}${j}`, value)));
        }),
        set('a', get('to')),
        outer.map((i) =>
          lines(
            set('b', get('a')),
            transform(inner.map((j) => get(`y${i}${j}`))).map((value) =>
              lines(store(get('b'), value), move('b', get('toColumn'))),
            ),
            move('a', get('toRow')),
          ),
        ),
        move('from', 16),
        move('to', 16),
      ),
    ),
  );
}

/** The same for all grids of some images, which start at distances of their own on either side; in bytes. */
function grids(name: string): Code {
  const place = (side: string): Code =>
    add(
      get(side),
      mul(get('image'), get(`${side}Image`)),
      mul(get('i'), get(`${side}Down`)),
      mul(get('j'), get(`${side}Along`)),
    );
  const side = (name: string): string[] =>
    ['', 'Image', 'Down', 'Along', 'Row', 'Column'].map((part) => name + part);
  return func(
    name,
    {
      parameters: [...side('from'), ...side('to'), 'images', 'down', 'along', 'count'],
      ints: ['image', 'i', 'j'],
    },
    countUp(
      'image',
      get('images'),
      1,
      countUp(
        'i',
        get('down'),
        1,
        countUp(
          'j',
          get('along'),
          1,
          `(call $${name}Grid ${place('from')} ${get('fromRow')} ${get('fromColumn')}
            ${place('to')} ${get('toRow')} ${get('toColumn')} ${get('count')})`,
        ),
      ),
    ),
  );
}

export const WINOGRAD: Code = lines(
  Object.entries(TRANSFORMS).flatMap(([name, [size, transform]]) => [
    grid(name, size, transform),
    grids(name),
  ]),
);
