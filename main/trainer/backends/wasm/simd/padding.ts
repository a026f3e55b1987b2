import { add, type Code, countUp, func, get, lines, move, mul, set } from './text.ts';

const zeros = (name: string): Code =>
  lines(`(memory.fill ${get('to')} (i32.const 0) ${get(name)})`, move('to', get(name)));

/** Copies images with zeros around them; all extents but the two counts in bytes. */
export const PADDING: Code = func(
  'pad',
  {
    parameters: ['from', 'to', 'images', 'height', 'row', 'top', 'bottom', 'left', 'right'],
    ints: ['image', 'y', 'at'],
  },
  countUp(
    'image',
    get('images'),
    1,
    lines(
      zeros('top'),
      countUp(
        'y',
        get('height'),
        1,
        lines(
          zeros('left'),
          set('at', add(get('from'), mul(get('row'), add(mul(get('image'), get('height')), get('y'))))),
          `(memory.copy ${get('to')} ${get('at')} ${get('row')})`,
          move('to', get('row')),
          zeros('right'),
        ),
      ),
      zeros('bottom'),
    ),
  ),
);
