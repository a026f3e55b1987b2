import { expect, type Page } from '@playwright/test';

/** Fails a test whose page threw or wrote an error to its console. */
export async function complaints(
  { page }: { readonly page: Page },
  use: (list: string[]) => Promise<void>,
): Promise<void> {
  const list: string[] = [];
  page.on('pageerror', (error) => list.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') list.push(message.text());
  });
  await use(list);
  expect(list).toEqual([]);
}
