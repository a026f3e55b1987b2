import {
  add,
  type Code,
  countDown,
  countUp,
  floats,
  func,
  get,
  int,
  lines,
  load,
  loadFloat,
  min,
  move,
  mul,
  set,
  shuffle,
  store,
  storeFloat,
  sub,
  when,
  ZEROS,
} from './text.ts';

/** Columns of a panel, in which the right side of a product is packed. */
export const COLUMNS = 8;

const halves = [0, 1] as const;

/** Packs `depth` rows of `n` columns, one every `stride` bytes; columns that are missing are 0. */
const pack = func(
  'pack',
  { parameters: ['from', 'stride', 'depth', 'n', 'to'], ints: ['j'] },
  when(
    `(i32.ge_s ${get('n')} ${int(COLUMNS)})`,
    countDown(
      'depth',
      1,
      lines(
        halves.map((h) => store(get('to'), load(get('from'), 16 * h), 16 * h)),
        move('from', get('stride')),
        move('to', 4 * COLUMNS),
      ),
    ),
    countDown(
      'depth',
      1,
      lines(
        halves.map((h) => store(get('to'), ZEROS, 16 * h)),
        countUp(
          'j',
          get('n'),
          1,
          storeFloat(add(get('to'), floats(get('j'))), loadFloat(add(get('from'), floats(get('j'))))),
        ),
        move('from', get('stride')),
        move('to', 4 * COLUMNS),
      ),
    ),
  ),
);

/** Four columns of four rows each, at `$c0` to `$c3`, as four vectors along the columns. */
const transposed = (h: number): Code => {
  const v = (name: string): Code => get(name);
  return lines(
    [0, 1, 2, 3].map((j) => set(`v${j}`, load(get(`c${4 * h + j}`)))),
    set('low0', shuffle(v('v0'), v('v1'), 0, 4, 1, 5)),
    set('high0', shuffle(v('v0'), v('v1'), 2, 6, 3, 7)),
    set('low1', shuffle(v('v2'), v('v3'), 0, 4, 1, 5)),
    set('high1', shuffle(v('v2'), v('v3'), 2, 6, 3, 7)),
    (['low', 'high'] as const).flatMap((part, i) => [
      store(get('to'), shuffle(v(`${part}0`), v(`${part}1`), 0, 1, 4, 5), 64 * i + 16 * h),
      store(get('to'), shuffle(v(`${part}0`), v(`${part}1`), 2, 3, 6, 7), 64 * i + 32 + 16 * h),
    ]),
  );
};

const columns = Array.from({ length: COLUMNS }, (_column, j) => j);

/** The same of a matrix that lies transposed: its columns are `depth` numbers long, one every `stride` bytes. */
const packTransposed = func(
  'packTransposed',
  {
    parameters: ['from', 'stride', 'depth', 'n', 'to'],
    ints: columns.map((j) => `c${j}`),
    vectors: ['v0', 'v1', 'v2', 'v3', 'low0', 'low1', 'high0', 'high1'],
  },
  lines(
    columns.map((j) =>
      set(`c${j}`, add(get('from'), mul(get('stride'), min(int(j), sub(get('n'), int(1)))))),
    ),
    countDown(
      'depth',
      4,
      lines(
        transposed(0),
        transposed(1),
        columns.map((j) => move(`c${j}`, 16)),
        move('to', 16 * COLUMNS),
      ),
    ),
    countDown(
      'depth',
      1,
      lines(
        columns.map((j) => storeFloat(get('to'), loadFloat(get(`c${j}`)), 4 * j)),
        columns.map((j) => move(`c${j}`, 4)),
        move('to', 4 * COLUMNS),
      ),
    ),
  ),
);

export const PACKING: Code = lines(pack, packTransposed);
