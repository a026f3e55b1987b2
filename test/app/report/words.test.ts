import { expect, it } from 'vitest';
import { coverageText } from '../../../app/report/words.ts';

it.each([
  [1, [], 'none'],
  [0.907, ['a'], '1 operation, with 9.3 % of the bytes: a'],
  [0.39, ['a', 'b', 'c', 'd'], '4 operations, with 61 % of the bytes: a, b, c …'],
])('coverageText of %d and %j', (share, opaque, text) => {
  expect(coverageText({ share, opaque })).toBe(text);
});
