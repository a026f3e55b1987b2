import type { Page } from '@playwright/test';
import { compared, expect, expectAccessible, expectNothingCut, figures, test } from './support/lab-test.ts';

const EXPERIMENT = 'model=tiny-residual&batch=8&strategies=regular,optimal';
const lesson = (page: string): string => `learn?${EXPERIMENT}&v.lesson=${page}`;

const scrubber = (page: Page) => page.getByRole('slider', { name: 'Step', exact: true });
const counter = async (page: Page, name: string): Promise<number> =>
  Number(await page.locator('dl > div', { hasText: name }).locator('dd').textContent());

test('a lesson is played to its end with the keyboard', async ({ page, open }) => {
  await open(`${lesson('pebbles')}&v.n=5`);
  await expect(page.locator('h1')).toHaveText('The pebble game');
  await expect(page.getByText(/^Step 1 of \d+\. Forward f1: 2 pebbles/)).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText(/^Step 2 of/)).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByText(/^Step 1 of/)).toBeVisible();
  await expect(page.locator('[data-ring]')).toHaveCount(1);
  await page.getByText('Fast', { exact: true }).click();
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press(' ');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Play again' })).toBeVisible();
  const last = await scrubber(page).getAttribute('aria-valuemax');
  await expect(scrubber(page)).toHaveAttribute('aria-valuenow', last ?? '');
  expect(await counter(page, 'Computed again')).toBeGreaterThan(0);
  const kept = await page.locator('circle[data-pebble="kept"]').count();
  const again = await page.locator('circle[data-pebble="recomputed"]').count();
  const gradients = await page.locator('rect[data-gradient="held"]').count();
  expect(kept + again + gradients).toBe(await counter(page, 'Pebbles now'));
  await expect(page).toHaveURL(new RegExp(`v\\.at=${Number(last) - 1}`));
});

test('the zigzag is scrubbed, and another graph and strategy are played', async ({ page, open }) => {
  await open(lesson('pebbles'));
  await scrubber(page).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(scrubber(page)).toHaveAttribute('aria-valuenow', '11');
  await page.getByText('Residual blocks', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Strategy' }).click();
  await page.getByRole('option', { name: 'Live' }).click();
  await expect(page.getByRole('heading', { name: 'Live on residual blocks' })).toBeVisible();
  await expect(page).toHaveURL(/v\.graph=residual/);
  await expect(page).toHaveURL(/v\.by=live/);
});

test('a link opens lesson 4 with k = 7, and every lesson leads to the next', async ({ page, open }) => {
  await open(`${lesson('sqrt')}&v.k=7`);
  await expect(page.getByRole('heading', { name: 'Segments of 7' })).toBeVisible();
  const slider = page.getByLabel('Segment length k', { exact: true }).first();
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('heading', { name: 'Segments of 6' })).toBeVisible();
  await expect(page).toHaveURL(/v\.k=6/);
  const curve = page.getByRole('slider', { name: 'Segment length k' }).last();
  await curve.focus();
  await page.keyboard.press('End');
  await expect(page.getByRole('heading', { name: 'Segments of 36' })).toBeVisible();
  const list = page.getByRole('navigation', { name: 'Lessons', exact: true });
  for (const title of ['unequal', 'independent', 'Budgets', 'theory', 'mistakes', 'order']) {
    await page.getByRole('button', { name: /^Go on to/ }).click();
    await expect(page.locator('h1')).toContainText(new RegExp(title, 'i'));
  }
  await expect(list.getByText(', visited')).toHaveCount(7);
  await expect(page.getByRole('button', { name: /^Go on to/ })).toHaveCount(0);
  await list.getByRole('link', { name: /Square root/ }).click();
  // As it was left.
  await expect(page.getByRole('heading', { name: 'Segments of 36' })).toBeVisible();
  const rail = page.getByRole('navigation', { name: 'Screens' });
  await rail.getByRole('link', { name: 'Limits' }).click();
  await expect(list).toHaveCount(0);
  await rail.getByRole('link', { name: 'Learn' }).click();
  await expect(page.getByRole('heading', { name: 'Segments of 36' })).toBeVisible();
  await expect(list.getByText(', visited')).toHaveCount(7);
});

test('“Try it” opens in place, and the bar and the browser lead back', async ({ page, open }) => {
  await open(`${lesson('branches')}&v.graph=branch&v.kept=bg`);
  await page.getByRole('button', { name: 'Open the tree of Inception-v3' }).click();
  await expect(page).toHaveURL(/#\/graph\?model=inceptionv3/);
  const bar = page.getByRole('complementary', { name: 'Lesson' });
  await expect(bar).toContainText('Lesson 6');
  await bar.getByRole('button', { name: 'Go back to the lesson' }).click();
  await expect(page).toHaveURL(/#\/learn\?.*v\.kept=bg/);
  await expect(page.getByRole('button', { name: /^Keep b,/ })).toHaveAttribute('aria-pressed', 'true');
  await page.goBack();
  await expect(page).toHaveURL(/#\/graph/);
  await page.goForward();
  await expect(page.locator('h1')).toContainText('independent segments');
});

test('checkpoints are placed on a graph with crossed branches', async ({ page, open }) => {
  await open(lesson('branches'));
  await expect(page.getByText(/is not an independent segment because \w needs \w/)).toBeVisible();
  await page.getByRole('button', { name: 'Place the optimum' }).click();
  await expect(page.getByText(/Eq\. 2 of \d+/)).toBeVisible();
  await expect(page.getByText('the minimum.')).toBeVisible();
  await page.getByRole('button', { name: /^Keep c,/ }).click();
  await expect(page.getByText('the minimum.')).toHaveCount(0);
});

test('sizes and C are changed on the accessibility graph', async ({ page, open }) => {
  await open(lesson('unequal'));
  await page.getByRole('button', { name: 'Show the optimum' }).click();
  await expect(page.getByText('the minimum.')).toBeVisible();
  await expect(page.locator('circle[data-kept]')).toHaveCount(3);
  const size = page.getByRole('spinbutton', { name: 'v5', exact: true });
  await size.fill('60');
  await expect(page).toHaveURL(/v\.costs=/);
  await expect(page.getByText('the minimum.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Restore the sizes' }).click();
  await expect(size).toHaveValue('1');
});

test('the waterfall ends at the peak that Compare shows', async ({ page, open }) => {
  await open(lesson('theory'));
  const sum = page.getByText(/^Sum of all bars/);
  await expect(sum).toBeVisible();
  const table = page.getByRole('table', { name: /From Eq\. 2 to the peak/ });
  const rows = table.getByRole('row');
  let total = 0;
  const count = await rows.count();
  for (let i = 1; i < count - 1; i++)
    total += Number(await rows.nth(i).getByRole('cell').nth(1).textContent());
  const peak = Number(await rows.last().getByRole('cell').nth(1).textContent());
  expect(total).toBe(peak);
  expect(Number(((await sum.textContent()) ?? '').replace(/\D/g, ''))).toBe(peak);
  const reading = (await page.getByText(/^The peak comes at/).textContent()) ?? '';
  const shown = /: (.+?)\. Eq\. 2/.exec(reading)?.[1] ?? 'none';
  await page.keyboard.press('1');
  await compared(page);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Peak', exact: true }).click();
  await expect(figures(page).getByRole('row', { name: /^Optimal/ })).toContainText(shown);
});

test('terms are explained in the glossary, which the palette reaches too', async ({ page, open }) => {
  await open(lesson('sqrt'));
  await page.getByRole('link', { name: 'gradient checkpoint' }).click();
  await expect(page.locator('h1')).toHaveText('Glossary');
  await expect(page.locator('[data-current]')).toContainText('gradient checkpoint');
  await page.getByLabel('Search the glossary').fill('closed set');
  await expect(page.getByText('1 entry', { exact: true })).toBeVisible();
  await expect(page.locator('dt')).toHaveText(['independent segment']);
  await page.getByRole('button', { name: 'Go back to lesson 4' }).click();
  await expect(page.locator('h1')).toHaveText('The square root of N');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search for an action' }).fill('lower set');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-current]')).toContainText('lower set');
});

test.describe('without motion', () => {
  test.use({ reducedMotion: 'reduce' });
  for (const name of ['regular', 'sqrt', 'unequal', 'branches', 'theory', 'mistakes', 'orders', 'glossary']) {
    test(`${name} is accessible`, async ({ page, open }) => {
      await open(lesson(name));
      await expect(page.locator('h1')).toBeVisible();
      if (name === 'theory') await expect(page.getByText(/^Sum of all bars/)).toBeVisible();
      await expectAccessible(page);
    });
  }
});

test('every lesson fits the smallest window', async ({ page, open }) => {
  await page.setViewportSize({ width: 1024, height: 640 });
  await open(lesson('regular'));
  for (let i = 0; ; i++) {
    await expectNothingCut(page);
    if (i === 8) break;
    await page.getByRole('button', { name: /^Go on to/ }).click();
  }
});

test('a forward pass is played in three orders, with 4 pebbles and with 3', async ({ page, open }) => {
  await open(lesson('orders'));
  await page.getByRole('slider', { name: 'Step', exact: true }).focus();
  await page.keyboard.press('End');
  expect(await counter(page, 'Most so far')).toBe(4);
  await page.getByText('As late as possible', { exact: true }).click();
  await page.getByRole('slider', { name: 'Step', exact: true }).focus();
  await page.keyboard.press('End');
  expect(await counter(page, 'Most so far')).toBe(3);
  await page.getByText('Residual blocks', { exact: true }).click();
  await page.getByText('Liu’s order', { exact: true }).click();
  await expect(page.getByText(/the network is not a tree: f1 feeds 2 operations/)).toBeVisible();
});

test('removing a bag of its tree decomposition splits a network', async ({ page, open }) => {
  await open(lesson('branches'));
  await expect(page.getByText(/^Without b, c, d and e the rest falls into 2 parts, \{a\} and/)).toBeVisible();
  await page.getByRole('button', { name: 'Bag d e f g' }).press('Enter');
  await expect(
    page.getByText(/^Without d, e, f and g the rest falls into 2 parts, \{a, b, c\} and/),
  ).toBeVisible();
  await expect(page).toHaveURL(/v\.bag=\d/);
  await expect(page.locator('[data-layer="bags"] [data-cuts]')).toHaveCount(0);
  await page.getByRole('radiogroup', { name: 'Network to decompose' }).getByText('Residual blocks').click();
  await expect(page.locator('[data-layer="bags"] [data-cuts]')).toHaveCount(2);
  await page.getByText('Skips over two', { exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Tree decomposition: skips over two' })).toBeVisible();
  await expect(page.getByText('Here the largest bag holds 3')).toBeVisible();
});

test('values live shorter when computed as late as possible', async ({ page, open }) => {
  await open(`${lesson('orders')}&v.graph=fed&v.n=6`);
  const waits = async (name: RegExp): Promise<number> => {
    const figure = page.getByRole('region', { name }).getByRole('img');
    return Number(/wait (\d+) moves/.exec((await figure.getAttribute('aria-label')) ?? '')?.[1]);
  };
  const soon = await waits(/Lifetimes, as soon/);
  const late = await waits(/Lifetimes, as late/);
  expect(late).toBeGreaterThan(0);
  expect(late).toBeLessThan(soon);
});

test('lessons show the numbers that the articles and papers print', async ({ page, open }) => {
  await open(`${lesson('pebbles')}&v.graph=convolutions&v.by=regular`);
  await expect(page.getByText(/7 units for Regular, 4 units for .*and 5 units for/)).toBeVisible();
  await page.getByRole('slider', { name: 'Step', exact: true }).press('End');
  expect(await counter(page, 'Most so far')).toBe(7);
  await open(lesson('sqrt'));
  await page.getByRole('button', { name: 'Show the paper’s N = 100' }).click();
  await expect(
    page.getByText(/k \+ N\/k = 20\.0, 20 % of the tensors that regular training stores/),
  ).toBeVisible();
  await open(`${lesson('orders')}&v.graph=skips&v.by=recompute`);
  await expect(page.getByText(/recomputes it for the last: 3 pebbles instead of 4/)).toBeVisible();
  await page.getByRole('slider', { name: 'Step', exact: true }).press('End');
  expect(await counter(page, 'Most so far')).toBe(3);
  await open(`${lesson('branches')}&v.graph=figure-6`);
  const tree = page.getByRole('region', { name: 'Division tree' });
  for (const cost of [10, 5, 30]) await expect(tree.getByText(`${cost} inside`).first()).toBeVisible();
  await page.getByRole('button', { name: 'Place the checkpoints for C = 25' }).click();
  await expect(page.getByText('Checkpoints 5 + largest segment 21')).toBeVisible();
});
