import { expect, it } from 'vitest';
import { ChangeRecord } from '../../../../engine/strategies/search/change-record.ts';

it('undoes a change, and redoes it', () => {
  const [first, second] = [Int32Array.of(1, 2, 3), Int32Array.of(4, 5, 6)];
  const record = new ChangeRecord([first, second]);
  for (const item of [2, 0]) {
    record.add(item);
    first[item]! *= 10;
    second[item]! += 1;
  }
  const before = (): number[] => [
    record.before(0, 0),
    record.before(0, 1),
    record.before(1, 0),
    record.before(1, 1),
  ];
  expect([record.count, record.item(0), record.item(1), ...before()]).toEqual([2, 2, 0, 3, 6, 1, 4]);
  record.swap();
  expect([...first, ...second, ...before()]).toEqual([1, 2, 3, 4, 5, 6, 30, 7, 10, 5]);
  record.swap();
  expect([...first, ...second]).toEqual([10, 2, 30, 5, 5, 7]);
  // The next change is another.
  record.clear();
  record.swap();
  expect([...first, ...second, record.count]).toEqual([10, 2, 30, 5, 5, 7, 0]);
});
