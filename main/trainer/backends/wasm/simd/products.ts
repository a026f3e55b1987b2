import { COLUMNS } from './packing.ts';
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
  loadInt,
  loadSplat,
  min,
  move,
  mul,
  set,
  store,
  storeFloat,
  sub,
  vector,
  when,
  ZEROS,
} from './text.ts';

/**
 * Matrix products in tiles of 4 rows by 8 columns: eight sums, two vectors of the right matrix and one number of the
 * left fill the sixteen registers (Goto et al. 2008, Anatomy of High-Performance Matrix Multiplication).
 * Eight columns of the right matrix, a panel, are packed row by row, so that it is read in one stream; the left one is
 * read where it lies, through the addresses of its rows, which is what makes a convolution a product (Dukhan 2019, The
 * Indirect Convolution Algorithm). Each sum is added up in one order whatever the other extents are.
 */
export const ROWS = 4;

const rows = Array.from({ length: ROWS }, (_row, r) => r);
const halves = [0, 1] as const;
const sums = rows.flatMap((r) => halves.map((h) => `sum${r}${h}`));

/** One step along the depth: every sum gains a product. `at` says where each row's number is. */
const step = (at: (r: number) => Code, right: number): Code =>
  lines(
    halves.map((h) => set(`b${h}`, load(get('b'), right + 16 * h))),
    rows.map((r) =>
      lines(
        set('a', at(r)),
        halves.map((h) =>
          set(`sum${r}${h}`, vector('add', get(`sum${r}${h}`), vector('mul', get('a'), get(`b${h}`)))),
        ),
      ),
    ),
  );

/**
 * Stores a tile whose rows lie at `$o0` to `$o3`, `$n` of its columns. Backwards: rows past the last share its address,
 * and the right one comes last.
 */
const backwards = rows.toReversed();
const storeTile: Code = when(
  `(i32.ge_s ${get('n')} ${int(COLUMNS)})`,
  lines(backwards.flatMap((r) => halves.map((h) => store(get(`o${r}`), get(`sum${r}${h}`), 16 * h)))),
  lines(
    backwards.flatMap((r) =>
      Array.from({ length: COLUMNS - 1 }, (_column, j) =>
        when(
          `(i32.gt_s ${get('n')} ${int(j)})`,
          storeFloat(
            get(`o${r}`),
            `(f32x4.extract_lane ${j % 4} ${get(`sum${r}${Math.floor(j / 4)}`)})`,
            4 * j,
          ),
        ),
      ),
    ),
  ),
);

/** Address of row i + r; the last one again where there is none, which is then computed twice and stored twice. */
const rowAt = (table: string, base: string, r: number): Code =>
  add(get(base), loadInt(add(get(table), floats(min(add(get('i'), int(r)), sub(get('m'), int(1)))))));

/** The products of all rows with one panel, at `$packed`: first what the sums start from, then its rows. */
const panel = func(
  'panel',
  {
    parameters: ['left', 'leftRows', 'm', 'taps', 'tapCount', 'depth', 'packed', 'n', 'out', 'outRows'],
    ints: ['i', 't', 'k', 'b', 'tap', ...rows.flatMap((r) => [`r${r}`, `p${r}`, `o${r}`])],
    vectors: ['a', 'b0', 'b1', ...sums],
  },
  countUp(
    'i',
    get('m'),
    ROWS,
    lines(
      rows.map((r) => set(`r${r}`, rowAt('leftRows', 'left', r))),
      rows.flatMap((r) => halves.map((h) => set(`sum${r}${h}`, load(get('packed'), 16 * h)))),
      set('b', add(get('packed'), int(4 * COLUMNS))),
      countUp(
        't',
        get('tapCount'),
        1,
        lines(
          set('tap', loadInt(add(get('taps'), `(i32.shl ${get('t')} (i32.const 3))`))),
          rows.map((r) => set(`p${r}`, add(get(`r${r}`), get('tap')))),
          set('k', get('depth')),
          countDown(
            'k',
            4,
            lines(
              [0, 1, 2, 3].map((k) => step((r) => loadSplat(get(`p${r}`), 4 * k), 4 * COLUMNS * k)),
              rows.map((r) => move(`p${r}`, 16)),
              move('b', 16 * COLUMNS),
            ),
          ),
          countDown(
            'k',
            1,
            lines(
              step((r) => loadSplat(get(`p${r}`)), 0),
              rows.map((r) => move(`p${r}`, 4)),
              move('b', 4 * COLUMNS),
            ),
          ),
        ),
      ),
      rows.map((r) => set(`o${r}`, rowAt('outRows', 'out', r))),
      storeTile,
    ),
  ),
);

/**
 * out[i, j] = bias[j] + Σ over taps t and depth k of left[i, t, k] right[t, k, j]. `leftRows` and `outRows` hold the
 * place of every row, `taps` two numbers each: how far a tap lies from there, and from `right`. All are bytes. Without
 * a bias its address is 0. `packed` has room for (1 + taps * depth) * 8 floats.
 */
const product = func(
  'product',
  {
    parameters: [
      'left',
      'leftRows',
      'm',
      'taps',
      'tapCount',
      'depth',
      'right',
      'stride',
      'isTransposed',
      'bias',
      'columns',
      'packed',
      'out',
      'outRows',
    ],
    ints: ['j', 'n', 't', 'to', 'from'],
  },
  countUp(
    'j',
    get('columns'),
    COLUMNS,
    lines(
      set('n', min(int(COLUMNS), sub(get('columns'), get('j')))),
      halves.map((h) => store(get('packed'), ZEROS, 16 * h)),
      when(
        get('bias'),
        `(call $pack ${add(get('bias'), floats(get('j')))} ${int(0)} ${int(1)} ${get('n')} ${get('packed')})`,
      ),
      set('to', add(get('packed'), int(4 * COLUMNS))),
      countUp(
        't',
        get('tapCount'),
        1,
        lines(
          set('from', add(get('right'), loadInt(add(get('taps'), `(i32.shl ${get('t')} (i32.const 3))`), 4))),
          when(
            get('isTransposed'),
            `(call $packTransposed ${add(get('from'), mul(get('stride'), get('j')))} ${get('stride')} ${get('depth')} ${get('n')} ${get('to')})`,
            `(call $pack ${add(get('from'), floats(get('j')))} ${get('stride')} ${get('depth')} ${get('n')} ${get('to')})`,
          ),
          move('to', mul(get('depth'), int(4 * COLUMNS))),
        ),
      ),
      `(call $panel ${['left', 'leftRows', 'm', 'taps', 'tapCount', 'depth', 'packed', 'n'].map(get).join(' ')}
        ${add(get('out'), floats(get('j')))} ${get('outRows')})`,
    ),
  ),
);

/** Sums over `m` places of a tile of 4 by 8, both sides packed, and what is there already where it is not the first. */
const outerTile = func(
  'outerTile',
  {
    parameters: ['a', 'b', 'm', 'n', 'isFirst', ...rows.map((r) => `o${r}`)],
    vectors: ['a0', 'b0', 'b1', ...sums],
  },
  lines(
    when(
      get('isFirst'),
      lines(sums.map((sum) => set(sum, ZEROS))),
      lines(rows.flatMap((r) => halves.map((h) => set(`sum${r}${h}`, load(get(`o${r}`), 16 * h))))),
    ),
    countDown(
      'm',
      4,
      lines(
        [0, 1, 2, 3].map((k) => outerStep(k)),
        move('a', 16 * ROWS),
        move('b', 16 * COLUMNS),
      ),
    ),
    countDown('m', 1, lines(outerStep(0), move('a', 4 * ROWS), move('b', 4 * COLUMNS))),
    storeTile,
  ),
);

function outerStep(k: number): Code {
  return lines(
    halves.map((h) => set(`b${h}`, load(get('b'), 4 * COLUMNS * k + 16 * h))),
    rows.map((r) =>
      lines(
        set('a0', loadSplat(get('a'), 4 * ROWS * k + 4 * r)),
        halves.map((h) =>
          set(`sum${r}${h}`, vector('add', get(`sum${r}${h}`), vector('mul', get('a0'), get(`b${h}`)))),
        ),
      ),
    ),
  );
}

/**
 * out[t, r, j] = Σ over places i of left[i, t, r] right[i, j]: the gradient of a product by its right side. `leftRows`
 * and `taps` as in `product`, but a tap's second number is its place in `out`, whose rows lie
 * `outStride` bytes apart.
 * `packed` has room for places * (8 * ceil(columns / 8) + 4) floats. Where this is not the first part of the places, the
 * sums are added to `out`. Up to three numbers after a row's end are read, and come to nothing; the allocator's own
 * words lie after the last block, so they are there.
 */
const outerProduct = func(
  'outerProduct',
  {
    parameters: [
      'left',
      'leftRows',
      'm',
      'taps',
      'tapCount',
      'rows',
      'right',
      'stride',
      'columns',
      'packed',
      'out',
      'outStride',
      'isFirst',
    ],
    ints: ['j', 'n', 't', 'r', 'i', 'to', 'from', 'base', 'last', ...rows.map((r) => `o${r}`)],
  },
  lines(
    set('to', add(get('packed'), mul(get('m'), int(4 * ROWS)))),
    countUp(
      'j',
      get('columns'),
      COLUMNS,
      lines(
        `(call $pack ${add(get('right'), floats(get('j')))} ${get('stride')} ${get('m')}
          ${min(int(COLUMNS), sub(get('columns'), get('j')))} ${get('to')})`,
        move('to', mul(get('m'), int(4 * COLUMNS))),
      ),
    ),
    countUp(
      't',
      get('tapCount'),
      1,
      lines(
        set('from', add(get('taps'), `(i32.shl ${get('t')} (i32.const 3))`)),
        set('base', add(get('out'), loadInt(get('from'), 4))),
        set('from', add(get('left'), loadInt(get('from')))),
        countUp(
          'r',
          get('rows'),
          ROWS,
          lines(
            set('to', get('packed')),
            countUp(
              'i',
              get('m'),
              1,
              lines(
                store(
                  get('to'),
                  load(add(get('from'), floats(get('r')), loadInt(add(get('leftRows'), floats(get('i')))))),
                ),
                move('to', 4 * ROWS),
              ),
            ),
            countUp(
              'j',
              get('columns'),
              COLUMNS,
              lines(
                rows.map((r) =>
                  set(
                    `o${r}`,
                    add(
                      get('base'),
                      floats(get('j')),
                      mul(get('outStride'), min(add(get('r'), int(r)), sub(get('rows'), int(1)))),
                    ),
                  ),
                ),
                set('n', min(int(COLUMNS), sub(get('columns'), get('j')))),
                `(call $outerTile ${get('packed')} ${get('to')} ${get('m')} ${get('n')} ${get('isFirst')} ${rows.map((r) => get(`o${r}`)).join(' ')})`,
                move('to', mul(get('m'), int(4 * COLUMNS))),
              ),
            ),
          ),
        ),
      ),
    ),
  ),
);

export const PRODUCTS: Code = lines(panel, product, outerTile, outerProduct);
