import { EXPONENTIAL_LOCALS, exponential } from './exponential.ts';
import { type Access, type Code, func, get, lines, real, set, splat, stream, vector, ZEROS } from './text.ts';

const SLOPE = Math.sqrt(2 / Math.PI);
const CUBE = 0.044715;

/** `out` of the floats at the other addresses, one by one. */
function map(
  name: string,
  from: readonly string[],
  value: (access: Access) => Code,
  more: {
    readonly reals?: readonly string[];
    readonly vectors?: readonly string[];
    before?(access: Access): Code;
  } = {},
): Code {
  const { reals = [], vectors = [], before = () => '' } = more;
  return func(
    name,
    { parameters: [...from, 'out', 'count'], reals, vectors },
    stream('count', [...from, 'out'], (access) => lines(before(access), access.write('out', value(access)))),
  );
}

/** Puts the hyperbolic tangent of the vector `u` into `t`: 1 - 2 / (e^2u + 1), wrong by at most 2^-23. */
const tangent: Code = lines(
  set('twice', vector('add', get('u'), get('u'))),
  exponential('twice', 't'),
  set('t', vector('sub', real(1), vector('div', real(2), vector('add', get('t'), real(1))))),
);

/** GPT-2's GELU: x (0.5 + 0.5 tanh(u)), u = SLOPE (x + CUBE x^3). */
const tangentOfX = ({ read }: Access): Code =>
  lines(
    set('x', read('a')),
    set('square', vector('mul', get('x'), get('x'))),
    set(
      'u',
      vector(
        'mul',
        vector('add', get('x'), vector('mul', vector('mul', get('square'), get('x')), real(CUBE))),
        real(SLOPE),
      ),
    ),
    tangent,
  );
const share: Code = vector('add', vector('mul', get('t'), real(0.5)), real(0.5));
const steep: Code = vector(
  'mul',
  vector(
    'mul',
    vector('mul', get('x'), real(0.5)),
    vector('sub', real(1), vector('mul', get('t'), get('t'))),
  ),
  vector('add', vector('mul', get('square'), real(3 * CUBE * SLOPE)), real(SLOPE)),
);
const geluVectors = ['x', 'square', 'u', 't', 'twice', ...EXPONENTIAL_LOCALS];

/** Momentum as PyTorch's: velocity = momentum velocity + gradient, in place; out = parameter - rate velocity. */
const descend = func(
  'descend',
  {
    parameters: ['velocity', 'gradient', 'parameter', 'out', 'count'],
    reals: ['momentum', 'rate'],
    vectors: ['v'],
  },
  stream('count', ['velocity', 'gradient', 'parameter', 'out'], ({ read, write }) =>
    lines(
      set('v', vector('add', vector('mul', read('velocity'), splat(get('momentum'))), read('gradient'))),
      write('velocity', get('v')),
      write('out', vector('sub', read('parameter'), vector('mul', get('v'), splat(get('rate'))))),
    ),
  ),
);

export const ELEMENTWISE: Code = lines(
  map('add', ['a', 'b'], ({ read }) => vector('add', read('a'), read('b'))),
  map('divide', ['a'], ({ read }) => vector('div', read('a'), splat(get('by'))), { reals: ['by'] }),
  map('relu', ['a'], ({ read }) => vector('pmax', ZEROS, read('a'))),
  map(
    'reluGradient',
    ['dy', 'y'],
    ({ read }) => `(v128.and ${read('dy')} ${vector('gt', read('y'), ZEROS)})`,
  ),
  map('gelu', ['a'], () => vector('mul', get('x'), share), { vectors: geluVectors, before: tangentOfX }),
  map('geluGradient', ['dy', 'a'], ({ read }) => vector('mul', read('dy'), vector('add', share, steep)), {
    vectors: geluVectors,
    before: tangentOfX,
  }),
  descend,
);
