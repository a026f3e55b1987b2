import {
  type Access,
  type Code,
  countDown,
  floats,
  FOUR,
  func,
  get,
  int,
  lines,
  min,
  move,
  ONE,
  set,
  splat,
  stream,
  sub,
  vector,
  ZEROS,
} from './text.ts';

/** Rows that are added up before their sum joins the others', so that long sums keep their digits. */
const RUN = 128;
/** Vectors that are read side by side: a cache line. */
const WIDE = 4;

/**
 * scale times the sum of a term over all rows, column by column of a matrix [rows, columns]. `from` are matrices, `per`
 * rows of a number a column.
 */
function columnSum(
  name: string,
  from: readonly string[],
  per: readonly string[],
  term: (access: Access, i: number) => Code,
): Code {
  const block = (access: Access, width: number): Code => {
    const vectors = Array.from({ length: width }, (_vector, i) => i);
    const step = width * access.bytes;
    const gains = (word: string) => (i: number) => gain(`${word}${i}`, term(access, i));
    const row = (each: (i: number) => Code): Code =>
      lines(
        vectors.map(each),
        from.map((matrix) => move(`${matrix}At`, floats(get('columns')))),
      );
    return countDown(
      'left',
      step / 4,
      lines(
        vectors.map((i) => set(`total${i}`, ZEROS)),
        from.map((matrix) => set(`${matrix}At`, get(matrix))),
        per.flatMap((row) => vectors.map((i) => set(`${row}${i}`, access.read(row, 16 * i)))),
        set('more', get('rows')),
        `(block (loop (br_if 1 (i32.le_s ${get('more')} ${int(0)}))`,
        vectors.map((i) => set(`sum${i}`, ZEROS)),
        set('run', min(get('more'), int(RUN))),
        set('more', sub(get('more'), get('run'))),
        countDown(
          'run',
          4,
          lines(
            // In pairs: half the roundings, and no waiting for the sum before.
            ['even', 'odd'].map((pair) =>
              lines(
                row((i) => set(`${pair}${i}`, term(access, i))),
                row(gains(pair)),
              ),
            ),
            vectors.map((i) => gain(`sum${i}`, vector('add', get(`even${i}`), get(`odd${i}`)))),
          ),
        ),
        countDown('run', 1, row(gains('sum'))),
        vectors.map((i) => gain(`total${i}`, get(`sum${i}`))),
        '(br 0)))',
        vectors.flatMap((i) => [
          access.write('out', vector('mul', get(`total${i}`), splat(get('scale')))),
          move('out', access.bytes),
        ]),
        [...from, ...per].map((address) => move(address, step)),
      ),
    );
  };
  const each = (word: string): string[] => Array.from({ length: WIDE }, (_vector, i) => `${word}${i}`);
  return func(
    name,
    {
      parameters: [...from, ...per, 'out', 'rows', 'columns'],
      reals: ['scale'],
      ints: ['left', 'more', 'run', ...from.map((matrix) => `${matrix}At`)],
      vectors: ['sum', 'total', 'even', 'odd', ...per].flatMap(each),
    },
    lines(set('left', get('columns')), block(FOUR, WIDE), block(FOUR, 1), block(ONE, 1)),
  );
}

const gain = (sum: string, by: Code): Code => set(sum, vector('add', get(sum), by));

/** out[row, column] of matrices and of rows of a number a column. */
function columnMap(
  name: string,
  from: readonly string[],
  per: readonly string[],
  value: (access: Access) => Code,
): Code {
  return func(
    name,
    {
      parameters: [...from, ...per, 'out', 'rows', 'columns'],
      ints: ['left', ...per.map((row) => `${row}At`)],
    },
    countDown(
      'rows',
      1,
      lines(
        per.map((row) => set(`${row}At`, get(row))),
        set('left', get('columns')),
        stream('left', [...from, 'out', ...per.map((row) => `${row}At`)], (access) =>
          access.write('out', value(access)),
        ),
      ),
    ),
  );
}

const at = (matrix: string) => (access: Access, i: number) => access.read(`${matrix}At`, 16 * i);
const [xAt, dyAt] = [at('x'), at('dy')];
const centred = (access: Access, i: number): Code => vector('sub', xAt(access, i), get(`mean${i}`));

/** Numbers a column: means, sums of squares, of products; and what batch normalisation makes of them. */
export const COLUMN_KERNELS: Code = lines(
  columnSum('columnSum', ['x'], [], (access, i) => xAt(access, i)),
  columnSum('columnSquares', ['x'], ['mean'], (access, i) =>
    vector('mul', centred(access, i), centred(access, i)),
  ),
  columnSum('columnProducts', ['x', 'dy'], ['mean'], (access, i) =>
    vector('mul', dyAt(access, i), centred(access, i)),
  ),
  columnMap('normalise', ['x'], ['mean', 'factor', 'shift'], ({ read }) =>
    vector('add', vector('mul', vector('sub', read('x'), read('meanAt')), read('factorAt')), read('shiftAt')),
  ),
  // Means are subtracted first: where a channel has few rows, little is left, and rounded factors would show.
  columnMap('normaliseGradient', ['x', 'dy'], ['mean', 'base', 'slope', 'factor'], ({ read }) =>
    vector(
      'mul',
      vector(
        'sub',
        vector('sub', read('dy'), read('baseAt')),
        vector('mul', vector('sub', read('x'), read('meanAt')), read('slopeAt')),
      ),
      read('factorAt'),
    ),
  ),
);
