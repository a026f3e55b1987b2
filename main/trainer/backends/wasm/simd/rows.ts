import { EXPONENTIAL_LOCALS, exponential } from './exponential.ts';
import {
  add,
  type Code,
  countDown,
  floats,
  func,
  get,
  int,
  laneSum,
  lines,
  loadFloat,
  loadInt,
  move,
  mul,
  real,
  set,
  splat,
  storeFloat,
  stream,
  sub,
  vector,
  when,
  ZEROS,
} from './text.ts';

/** For every row of matrices [rows, width], from the addresses on, which end after the last row. */
export const eachRow = (addresses: readonly string[], body: Code): Code =>
  countDown(
    'rows',
    1,
    lines(
      body,
      addresses.map((address) => move(address, floats(get('width')))),
    ),
  );

/**
 * One pass over the first numbers of a row, all where not said: `body` for every vector, at copies of the addresses that
 * are named `...At`.
 */
export const pass = (
  addresses: readonly string[],
  body: Parameters<typeof stream>[2],
  count = 'width',
): Code =>
  lines(
    set('left', get(count)),
    addresses.map((address) => set(`${address}At`, get(address))),
    stream(
      'left',
      addresses.map((address) => `${address}At`),
      body,
    ),
  );

/** Puts into `seen` how many numbers row `row` of square matrices sees, all where they are not causal; goes on by one. */
export const seen: Code = lines(
  set('seen', get('width')),
  when(get('isCausal'), set('seen', add(`(i32.rem_u ${get('row')} ${get('width')})`, int(1)))),
  move('row', 1),
);

export const copies = (...addresses: readonly string[]): string[] =>
  addresses.map((address) => `${address}At`);
export const gain = (sum: string, term: Code): Code => set(sum, vector('add', get(sum), term));
const share = (sum: string): Code => `(f32.div ${laneSum(sum)} (f32.convert_i32_s ${get('width')}))`;

/** Of the tail, where lanes are empty: the term times the lane that is there. */
export const only = (bytes: number, term: Code): Code =>
  bytes === 16 ? term : `(v128.and ${term} (v128.const i32x4 -1 0 0 0))`;

/** Softmax over rows: the highest, exponentials and their sum, then the shares. */
const softmax = func(
  'softmax',
  {
    parameters: ['x', 'out', 'rows', 'width'],
    ints: ['left', ...copies('x', 'out')],
    vectors: ['top', 'sum', 'e', 'd', ...EXPONENTIAL_LOCALS],
    scalars: ['high'],
  },
  eachRow(
    ['x', 'out'],
    lines(
      set('top', real(-3.4028234663852886e38)),
      pass(['x'], ({ read, bytes }) =>
        // An empty lane repeats the one that is there.
        set('top', vector('pmax', get('top'), bytes === 16 ? read('xAt') : splat(loadFloat(get('xAt'))))),
      ),
      set(
        'high',
        [1, 2, 3].reduce(
          (most, i) => `(f32.max ${most} (f32x4.extract_lane ${i} ${get('top')}))`,
          `(f32x4.extract_lane 0 ${get('top')})`,
        ),
      ),
      set('sum', ZEROS),
      pass(['x', 'out'], ({ read, write, bytes }) =>
        lines(
          set('d', vector('sub', read('xAt'), splat(get('high')))),
          exponential('d', 'e'),
          write('outAt', get('e')),
          gain('sum', only(bytes, get('e'))),
        ),
      ),
      set('sum', splat(laneSum('sum'))),
      pass(['out'], ({ read, write }) => write('outAt', vector('div', read('outAt'), get('sum')))),
    ),
  ),
);

/** dx = y (dy - Σ dy y) */
const softmaxGradient = func(
  'softmaxGradient',
  {
    parameters: ['y', 'dy', 'out', 'rows', 'width'],
    ints: ['left', ...copies('y', 'dy', 'out')],
    vectors: ['sum'],
  },
  eachRow(
    ['y', 'dy', 'out'],
    lines(
      set('sum', ZEROS),
      pass(['y', 'dy'], ({ read }) => gain('sum', vector('mul', read('yAt'), read('dyAt')))),
      set('sum', splat(laneSum('sum'))),
      pass(['y', 'dy', 'out'], ({ read, write }) =>
        write('outAt', vector('mul', read('yAt'), vector('sub', read('dyAt'), get('sum')))),
      ),
    ),
  ),
);

/** Layer normalisation; `mean` and `inverse` get a number a row. */
const layerNorm = func(
  'layerNorm',
  {
    parameters: ['x', 'scale', 'shift', 'mean', 'inverse', 'out', 'rows', 'width'],
    reals: ['epsilon'],
    ints: ['left', ...copies('x', 'scale', 'shift', 'out')],
    vectors: ['sum', 'm', 'i', 'd'],
  },
  eachRow(
    ['x', 'out'],
    lines(
      set('sum', ZEROS),
      pass(['x'], ({ read }) => gain('sum', read('xAt'))),
      storeFloat(get('mean'), share('sum')),
      set('m', splat(loadFloat(get('mean')))),
      set('sum', ZEROS),
      pass(['x'], ({ read, bytes }) =>
        lines(
          set('d', only(bytes, vector('sub', read('xAt'), get('m')))),
          gain('sum', vector('mul', get('d'), get('d'))),
        ),
      ),
      storeFloat(
        get('inverse'),
        `(f32.div (f32.const 1) (f32.sqrt (f32.add ${share('sum')} ${get('epsilon')})))`,
      ),
      set('i', splat(loadFloat(get('inverse')))),
      pass(['x', 'scale', 'shift', 'out'], ({ read, write }) =>
        write(
          'outAt',
          vector(
            'add',
            vector('mul', vector('mul', vector('sub', read('xAt'), get('m')), get('i')), read('scaleAt')),
            read('shiftAt'),
          ),
        ),
      ),
      move('mean', 4),
      move('inverse', 4),
    ),
  ),
);

/**
 * With x̂ = (x - mean) inverse and g = scale dy: dx = (g - mean(g) - x̂ mean(g x̂)) inverse, and Σ dy x̂, Σ dy over all
 * rows, which start at 0.
 */
const layerNormGradient = func(
  'layerNormGradient',
  {
    parameters: [
      ...['x', 'dy', 'scale', 'mean', 'inverse', 'out', 'scaleGradient', 'shiftGradient'],
      ...['rows', 'width'],
    ],
    ints: ['left', ...copies('x', 'dy', 'scale', 'out', 'scaleGradient', 'shiftGradient')],
    vectors: ['sum', 'slope', 'm', 'i', 'normal', 'g'],
  },
  eachRow(
    ['x', 'dy', 'out'],
    lines(
      set('m', splat(loadFloat(get('mean')))),
      set('i', splat(loadFloat(get('inverse')))),
      set('sum', ZEROS),
      set('slope', ZEROS),
      pass(['x', 'dy', 'scale', 'scaleGradient', 'shiftGradient'], ({ read, write }) =>
        lines(
          set('normal', vector('mul', vector('sub', read('xAt'), get('m')), get('i'))),
          set('g', vector('mul', read('dyAt'), read('scaleAt'))),
          gain('sum', get('g')),
          gain('slope', vector('mul', get('g'), get('normal'))),
          write(
            'scaleGradientAt',
            vector('add', read('scaleGradientAt'), vector('mul', read('dyAt'), get('normal'))),
          ),
          write('shiftGradientAt', vector('add', read('shiftGradientAt'), read('dyAt'))),
        ),
      ),
      set('sum', splat(share('sum'))),
      set('slope', splat(share('slope'))),
      pass(['x', 'dy', 'scale', 'out'], ({ read, write }) =>
        lines(
          set('normal', vector('mul', vector('sub', read('xAt'), get('m')), get('i'))),
          set('g', vector('mul', read('dyAt'), read('scaleAt'))),
          write(
            'outAt',
            vector(
              'mul',
              vector('sub', vector('sub', get('g'), get('sum')), vector('mul', get('normal'), get('slope'))),
              get('i'),
            ),
          ),
        ),
      ),
      move('mean', 4),
      move('inverse', 4),
    ),
  ),
);

/** Copies rows of `width` floats from every `stride` bytes to every `step`. */
const copyRows = func(
  'copyRows',
  { parameters: ['from', 'to', 'rows', 'width', 'stride', 'step'], ints: ['left', ...copies('from', 'to')] },
  countDown(
    'rows',
    1,
    lines(
      pass(['from', 'to'], ({ read, write }) => write('toAt', read('fromAt'))),
      move('from', get('stride')),
      move('to', get('step')),
    ),
  ),
);

/** Copies the rows of `width` floats that the numbers at `places` name. */
const gatherRows = func(
  'gatherRows',
  {
    parameters: ['table', 'places', 'to', 'rows', 'width'],
    ints: ['left', 'from', ...copies('from', 'to')],
  },
  countDown(
    'rows',
    1,
    lines(
      set('from', add(get('table'), floats(mul(get('width'), loadInt(get('places')))))),
      pass(['from', 'to'], ({ read, write }) => write('toAt', read('fromAt'))),
      move('places', 4),
      move('to', floats(get('width'))),
    ),
  ),
);

/** Matrices [width, width] with a number in place of all after the diagonal. */
const hideLater = func(
  'hideLater',
  {
    parameters: ['x', 'out', 'rows', 'width'],
    reals: ['hidden'],
    ints: ['left', 'seen', ...copies('x', 'out')],
  },
  lines(
    set('seen', int(1)),
    eachRow(
      ['x', 'out'],
      lines(
        set('left', get('seen')),
        set('xAt', get('x')),
        set('outAt', get('out')),
        stream('left', ['xAt', 'outAt'], ({ read, write }) => write('outAt', read('xAt'))),
        set('left', sub(get('width'), get('seen'))),
        stream('left', ['outAt'], ({ write }) => write('outAt', splat(get('hidden')))),
        move('seen', 1),
        set('seen', `(select ${int(1)} ${get('seen')} (i32.gt_s ${get('seen')} ${get('width')}))`),
      ),
    ),
  ),
);

export const ROW_KERNELS: Code = lines(
  softmax,
  softmaxGradient,
  layerNorm,
  layerNormGradient,
  copyRows,
  gatherRows,
  hideLater,
);
