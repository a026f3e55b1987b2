import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNothingCut, saved, test } from './support/lab-test.ts';

const VIEW = 'limits?model=resnet18&batch=16&strategies=regular,chen-greedy,linear-optimal,optimal';

async function limited(page: Page): Promise<void> {
  await expect(page.locator('h1')).toContainText(/^On an? /);
  await expect(page.locator('h1')).toHaveAttribute('aria-busy', 'false');
}

test('the largest batch of each strategy is found, explained and used', async ({ page, open }) => {
  await open(VIEW);
  await limited(page);
  await expect(page.locator('h1')).toContainText(/RTX 2080 Ti, ResNet-18 trains regularly up to batch/);
  await expect(page.getByTestId('memory').locator('path[data-curve]')).toHaveCount(3);
  await expect(page.getByTestId('throughput').locator('circle[data-end]')).toHaveCount(3);
  const table = page.getByRole('region', { name: 'Limits of each strategy' });
  await expect(table.getByRole('row', { name: /Linear optimal/ })).toContainText('not linear');
  await expect(page.getByRole('complementary')).toContainText('gradients of weights');
  const optimal = table.getByRole('row', { name: /^Optimal/ });
  const button = optimal.getByRole('button').first();
  const batch = ((await button.textContent()) ?? '').replace(/\D/g, '');
  await button.click();
  await expect(page.getByLabel('Batch', { exact: true })).toHaveValue(batch);
  await expect(page.getByText(`4 × RTX 2080 Ti`)).toBeVisible();
});

test('another device, memory or optimizer gives another limit, and the link remembers them', async ({
  page,
  open,
}) => {
  await open(VIEW);
  await limited(page);
  const regular = page
    .getByRole('region', { name: 'Limits of each strategy' })
    .getByRole('row', { name: /^Regular/ })
    .getByRole('button')
    .first();
  const batch = async (): Promise<number> => Number(((await regular.textContent()) ?? '').replace(/\D/g, ''));
  const small = await batch();
  await page
    .getByRole('banner')
    .getByRole('button', { name: /strateg(y|ies)$/ })
    .click();
  await page.getByLabel('Device', { exact: true }).first().click();
  await page.getByRole('option', { name: 'H100 80 GB' }).click();
  await expect.poll(batch).toBeGreaterThan(6 * small);
  await expect(page).toHaveURL(/device=h100/);
  await page.getByLabel('Memory', { exact: true }).fill('2');
  await expect.poll(batch).toBeLessThan(small);
  await expect(page).toHaveURL(/deviceGiB=2/);
  await expect(page.getByRole('meter')).toHaveAttribute('aria-valuetext', /of 2 GiB/);
  const two = await batch();
  await page.getByRole('complementary').getByRole('combobox').click();
  await page.getByRole('option', { name: 'Adam', exact: true }).click();
  await expect.poll(batch).toBeLessThan(two);
  await page.reload();
  await limited(page);
  await expect(page.getByRole('complementary')).toContainText('two moments');
  await page.getByRole('button', { name: 'Use the preset’s figures' }).click();
  await expect.poll(batch).toBeGreaterThan(6 * small);
});

test('throughput follows the assumed speed, and charts are saved', async ({ page, open }) => {
  await open(VIEW);
  await limited(page);
  const rate = page
    .getByRole('region', { name: 'Limits of each strategy' })
    .getByRole('row', { name: /^Regular/ })
    .getByRole('cell')
    .nth(5);
  const before = await rate.textContent();
  await page.getByLabel('TFLOP/s sustained').fill('50');
  await expect(rate).not.toHaveText(before ?? '');
  await expect(page).toHaveURL(/v\.tflops=50/);
  await page.getByRole('button', { name: 'Save the chart Memory against batch' }).click();
  const csv = await saved(page, 'Save data as CSV');
  expect(csv.split('\r\n')[0]).toBe('strategy,batch,bytes,largest_batch');
});

test('the front is drawn in Compare, and a point of it becomes the budget', async ({ page, compare }) => {
  await compare('compare?model=tiny-residual&batch=8&strategies=regular,optimal');
  const plot = page.getByTestId('pareto');
  await expect(plot.locator('circle[data-point="front"]')).not.toHaveCount(0);
  await expect(plot.locator('circle[data-point="optimal"]')).toHaveCount(1);
  const picker = page.getByRole('slider', { name: /^Plans by memory/ });
  await picker.focus();
  await page.keyboard.press('End');
  await expect(picker).toHaveAttribute('aria-valuetext', /recomputed/);
  // The drawing may be older than the data saved, which a late answer of a strategy has emptied.
  await expect(page.getByText('Searching the front')).toHaveCount(0);
  await expect(page.getByRole('img', { name: /The front has [1-9]/ })).toBeVisible();
  await page.getByRole('button', { name: 'Save the chart Memory against recompute' }).click();
  const csv = await saved(page, 'Save data as CSV');
  expect(csv.split('\r\n')[0]).toMatch(/^model,batch,input,profile,strategy,peak_bytes/);
  expect(csv).toContain('budget (front)');
  await picker.focus();
  await page.keyboard.press('Home');
  for (let i = 0; i < 40; i++) {
    if (((await picker.getAttribute('aria-valuetext')) ?? '').startsWith('Budget')) break;
    await page.keyboard.press('ArrowRight');
  }
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/budgetBytes=\d+/);
  await expect(page.getByLabel('Budget', { exact: true })).toHaveValue(/B$/);
  const figures = page.getByRole('region', { name: 'Figures' });
  await expect(figures.getByRole('row', { name: /^Budget/ })).toContainText('MiB');
  await page.getByLabel('Budget', { exact: true }).fill('1 KiB');
  await expect(page.getByRole('alert')).toContainText(/smallest/);
  await page.getByLabel('Budget', { exact: true }).fill('much');
  await expect(page.getByRole('alert')).toContainText('or a share such as 60%');
});

test('Limits is accessible', async ({ page, open }) => {
  await open(VIEW);
  await limited(page);
  await expectAccessible(page);
  await page
    .getByRole('banner')
    .getByRole('button', { name: /strateg(y|ies)$/ })
    .click();
  await page.getByLabel('Device', { exact: true }).first().click();
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectAccessible(page);
});

test('Limits fits the smallest window', async ({ page, open }) => {
  await page.setViewportSize({ width: 1024, height: 640 });
  await open(VIEW);
  await limited(page);
  await expectNothingCut(page);
});
