import {
  type Access,
  add,
  type Code,
  countUp,
  floats,
  func,
  get,
  int,
  lines,
  move,
  mul,
  set,
  stream,
  vector,
  when,
} from './text.ts';

/**
 * Gradient of one max pool's image, [H, W, C], to be zeros before: each window's gradient goes to its first maximum.
 * A bit of `found` for every channel of a window, 4 bytes each.
 */
export const POOL: Code = func(
  'maxPoolGradient',
  {
    parameters: [
      ...['x', 'y', 'dy', 'dx', 'found', 'height', 'width', 'channels'],
      ...['outHeight', 'outWidth', 'kernelHeight', 'kernelWidth', 'down', 'along', 'top', 'left'],
    ],
    ints: ['i', 'j', 'k', 'l', 'row', 'column', 'place', 'count', 'a', 'b', 'c', 'd', 'e'],
    vectors: ['here', 'before'],
  },
  countUp(
    'i',
    get('outHeight'),
    1,
    countUp(
      'j',
      get('outWidth'),
      1,
      lines(
        `(memory.fill ${get('found')} ${int(0)} ${floats(get('channels'))})`,
        countUp(
          'k',
          get('kernelHeight'),
          1,
          lines(
            set('row', `(i32.sub ${add(mul(get('i'), get('down')), get('k'))} ${get('top')})`),
            when(
              `(i32.lt_u ${get('row')} ${get('height')})`,
              countUp(
                'l',
                get('kernelWidth'),
                1,
                lines(
                  set('column', `(i32.sub ${add(mul(get('j'), get('along')), get('l'))} ${get('left')})`),
                  when(`(i32.lt_u ${get('column')} ${get('width')})`, pixel()),
                ),
              ),
            ),
          ),
        ),
        move('y', floats(get('channels'))),
        move('dy', floats(get('channels'))),
      ),
    ),
  ),
);

function pixel(): Code {
  return lines(
    set('place', floats(mul(get('channels'), add(mul(get('row'), get('width')), get('column'))))),
    set('a', add(get('x'), get('place'))),
    set('b', get('y')),
    set('c', get('dy')),
    set('d', add(get('dx'), get('place'))),
    set('e', get('found')),
    set('count', get('channels')),
    stream('count', ['a', 'b', 'c', 'd', 'e'], ({ read, write }: Access) =>
      lines(
        set('before', read('e')),
        set('here', `(v128.andnot ${vector('eq', read('a'), read('b'))} ${get('before')})`),
        write('d', vector('add', read('d'), `(v128.and ${read('c')} ${get('here')})`)),
        write('e', `(v128.or ${get('before')} ${get('here')})`),
      ),
    ),
  );
}
