import { EXPONENTIAL_LOCALS, exponential } from './exponential.ts';
import { copies, eachRow, gain, only, pass, seen } from './rows.ts';
import {
  type Code,
  func,
  get,
  laneSum,
  lines,
  loadFloat,
  move,
  real,
  set,
  splat,
  storeFloat,
  vector,
  ZEROS,
} from './text.ts';

/**
 * Fused attention's rows of scores, [rows, width], before their divisor: `tops` gets each row's highest score and `sums`
 * its sum of exponentials, `out` the shares. Of square matrices that are causal a row sees what its number says.
 */
const shares = func(
  'attentionShares',
  {
    parameters: ['x', 'out', 'tops', 'sums', 'rows', 'width', 'isCausal'],
    reals: ['divisor'],
    ints: ['left', 'seen', 'row', ...copies('x', 'out')],
    vectors: ['top', 'sum', 'e', 'd', ...EXPONENTIAL_LOCALS],
    scalars: ['high'],
  },
  eachRow(
    ['x', 'out'],
    lines(
      seen,
      set('top', real(-3.4028234663852886e38)),
      pass(
        ['x'],
        ({ read, bytes }) =>
          set('top', vector('pmax', get('top'), bytes === 16 ? read('xAt') : splat(loadFloat(get('xAt'))))),
        'seen',
      ),
      set(
        'high',
        [1, 2, 3].reduce(
          (most, i) => `(f32.max ${most} (f32x4.extract_lane ${i} ${get('top')}))`,
          `(f32x4.extract_lane 0 ${get('top')})`,
        ),
      ),
      set('high', `(f32.div ${get('high')} ${get('divisor')})`),
      set('sum', ZEROS),
      pass(['out'], ({ write }) => write('outAt', ZEROS)),
      pass(
        ['x', 'out'],
        ({ read, write, bytes }) =>
          lines(
            set('d', vector('sub', vector('div', read('xAt'), splat(get('divisor'))), splat(get('high')))),
            exponential('d', 'e'),
            write('outAt', get('e')),
            gain('sum', only(bytes, get('e'))),
          ),
        'seen',
      ),
      storeFloat(get('tops'), get('high')),
      storeFloat(get('sums'), laneSum('sum')),
      set('sum', splat(laneSum('sum'))),
      pass(['out'], ({ read, write }) => write('outAt', vector('div', read('outAt'), get('sum'))), 'seen'),
      move('tops', 4),
      move('sums', 4),
    ),
  ),
);

/** The same shares again from the logarithm of every row's sum of exponentials. */
const sharesAgain = func(
  'attentionSharesAgain',
  {
    parameters: ['x', 'logarithms', 'out', 'rows', 'width', 'isCausal'],
    reals: ['divisor'],
    ints: ['left', 'seen', 'row', ...copies('x', 'out')],
    vectors: ['e', 'd', 'less', ...EXPONENTIAL_LOCALS],
  },
  eachRow(
    ['x', 'out'],
    lines(
      seen,
      set('less', splat(loadFloat(get('logarithms')))),
      pass(['out'], ({ write }) => write('outAt', ZEROS)),
      pass(
        ['x', 'out'],
        ({ read, write }) =>
          lines(
            set('d', vector('sub', vector('div', read('xAt'), splat(get('divisor'))), get('less'))),
            exponential('d', 'e'),
            write('outAt', get('e')),
          ),
        'seen',
      ),
      move('logarithms', 4),
    ),
  ),
);

/** The scores' gradient: shares (gradient - slope) / divisor, with a slope a row. */
const scoresGradient = func(
  'attentionScoresGradient',
  {
    parameters: ['p', 'dp', 'slopes', 'out', 'rows', 'width'],
    reals: ['divisor'],
    ints: ['left', ...copies('p', 'dp', 'out')],
    vectors: ['slope'],
  },
  eachRow(
    ['p', 'dp', 'out'],
    lines(
      set('slope', splat(loadFloat(get('slopes')))),
      pass(['p', 'dp', 'out'], ({ read, write }) =>
        write(
          'outAt',
          vector(
            'div',
            vector('mul', read('pAt'), vector('sub', read('dpAt'), get('slope'))),
            splat(get('divisor')),
          ),
        ),
      ),
      move('slopes', 4),
    ),
  ),
);

export const ATTENTION: Code = lines(shares, sharesAgain, scoresGradient);
