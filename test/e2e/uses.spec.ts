import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { compared, expect, test } from './support/lab-test.ts';

// Among the last files: both workers take tests of it.
test.describe.configure({ mode: 'parallel' });

/** Main uses of the lab, each walked with the keyboard alone from a first visit. */

async function perform(page: Page, action: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(action);
  await page.keyboard.press('Enter');
}

async function visit(page: Page, open: (view: string) => Promise<void>): Promise<void> {
  await open('');
  await expect(page.locator('h1')).toContainText(/\(needs |Comparing/);
  // Its title comes with the catalogue, whose networks the palette lists.
  await expect(page.locator('h1')).toContainText('ResNet-50');
}

test('reproduces a paper’s table and exports it', async ({ page, open }) => {
  await visit(page, open);
  await page.keyboard.press('3');
  await expect(page.locator('h1')).toContainText('cut-offs');
  await perform(page, 'Show Re-forwarding, Table 2');
  await expect(page.locator('h1')).toContainText('Solved in');
  await expect(page.locator('h1')).toHaveAttribute('aria-busy', 'false');
  await page.getByRole('button', { name: 'Export' }).focus();
  await page.keyboard.press('Enter');
  const item = page.getByRole('menuitem', { name: 'Save as LaTeX' });
  await expect(item).toBeVisible();
  for (let i = 0; i < 6; i++) {
    await page.keyboard.press('ArrowDown');
    if (await item.evaluate((element) => element === document.activeElement)) break;
  }
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const latex = (await readFile(await (await download).path())).toString();
  expect(latex).toContain('\\toprule');
  const rows = latex.split('\n').filter((line) => line.endsWith('\\\\'));
  const spanned = (cell: string): number => Number(/\\multicolumn\{(\d+)\}/.exec(cell)?.[1] ?? 1);
  const columns = new Set(
    rows.map((row) => row.split(/(?<!\\)&/).reduce((sum, cell) => sum + spanned(cell), 0)),
  );
  expect(columns.size).toBe(1);
});

test('plays a lesson', async ({ page, open }) => {
  await visit(page, open);
  await page.keyboard.press('5');
  await expect(page.getByRole('link', { name: 'Learn' })).toHaveAttribute('aria-current', 'page');
  await perform(page, 'pebble game');
  await expect(page.locator('h1')).toHaveText('The pebble game');
  await expect(page.getByText(/^Step 1 of/)).toBeVisible();
  await page.keyboard.press(' ');
  await expect(page.getByText(/^Step [3-9] of/)).toBeVisible();
  await page.keyboard.press(' ');
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
});

test('finds the largest batch and its cost, then looks at its zigzag', async ({ page, open }) => {
  await visit(page, open);
  await perform(page, 'ResNet-18');
  await page.keyboard.press('4');
  const headline = page.locator('h1');
  await expect(headline).toContainText(/ResNet-18 trains regularly up to batch/);
  await expect(headline).toHaveAttribute('aria-busy', 'false');
  // Verdict of the card: fit, deductions, and the worth of the recompute.
  await expect(page.getByRole('complementary')).toContainText('Left for activations');
  await expect(page.getByRole('region', { name: 'Result' })).toContainText(/fastest/);
  const table = page.getByRole('region', { name: 'Limits of each strategy' });
  const button = table
    .getByRole('row', { name: /^Optimal/ })
    .getByRole('button')
    .first();
  const batch = ((await button.textContent()) ?? '').replace(/\D/g, '');
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Batch', { exact: true })).toHaveValue(batch);
  await page.keyboard.press('1');
  await compared(page);
  await expect(headline).toContainText(batch);
});

test('starts the search for the largest batch on this device with a strategy', async ({ page, open }) => {
  await open('limits?model=tiny-residual&batch=4&strategies=regular,optimal');
  await expect(page.locator('h1')).toHaveAttribute('aria-busy', 'false');
  await page.getByRole('button', { name: 'Measure the largest batch of Optimal here' }).click();
  await expect(page.getByRole('link', { name: 'Train' })).toHaveAttribute('aria-current', 'page');
  await expect(page.getByText('Find the largest batch').first()).toBeVisible();
  await expect(page).toHaveURL(/select=optimal/);
});
