// @vitest-environment happy-dom
import { shallowEqual } from '@mantine/hooks';
import { renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useSameList } from '../../../renderer/shared/use-same-list.ts';

it('keeps a list for as long as its entries are the same', () => {
  const { result, rerender } = renderHook(({ list }) => useSameList(list), { initialProps: { list: ['a'] } });
  const first = result.current;
  rerender({ list: ['a'] });
  expect(result.current).toBe(first);
  rerender({ list: ['a', 'b'] });
  expect(result.current).toEqual(['a', 'b']);
});

it('keeps recreated entries if they are compared by fields', () => {
  const bars = (share: number) => ({ list: [{ name: 'live', share }] });
  const { result, rerender } = renderHook(({ list }) => useSameList(list, shallowEqual), {
    initialProps: bars(0.1),
  });
  const first = result.current;
  rerender(bars(0.1));
  expect(result.current).toBe(first);
  rerender(bars(0.2));
  expect(result.current).toEqual(bars(0.2).list);
});
