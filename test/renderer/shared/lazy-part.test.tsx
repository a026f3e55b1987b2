// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { expect, it, vi } from 'vitest';
import { lazyPart } from '../../../renderer/shared/lazy-part.ts';

it('is retried until it loads, with a placeholder meanwhile', async () => {
  const Part = ({ name }: { readonly name: string }) => <p>{name} is here</p>;
  const load = vi
    .fn<() => Promise<typeof Part>>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValue(Part);
  const Later = lazyPart(load, 1);
  render(
    <Suspense fallback={<p>soon</p>}>
      <Later name="The part" />
    </Suspense>,
  );
  expect(screen.getByText('soon')).toBeTruthy();
  expect(await screen.findByText('The part is here')).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(3);
});
