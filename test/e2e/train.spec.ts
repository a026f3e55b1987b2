import type { Page } from '@playwright/test';
import { expect, test } from './support/lab-test.ts';

const TINY = 'train?model=tiny-residual&batch=4&strategies=regular,chen-sqrt,optimal';

const start = (page: Page) => page.getByRole('button', { name: 'Start', exact: true });
const more = (page: Page) => page.getByRole('button', { name: /^More options/ });
const facts = (page: Page) => page.getByRole('complementary', { name: 'Facts of the run' });

test('measured memory follows the prediction to the byte, and the overhead is measured', async ({
  page,
  open,
}) => {
  await open(TINY);
  await expect(start(page)).toBeVisible();
  await page.getByLabel('Iterations').fill('3');
  await page.getByLabel('Run regular first').check();
  await more(page).click();
  await page.getByLabel('Pairs').fill('2');
  await page.getByRole('switch', { name: 'Difference of two batch sizes' }).check({ force: true });
  await start(page).click();
  await expect(page.locator('h1')).toContainText(/Optimal on .*just as predicted, at every step\./, {
    timeout: 40_000,
  });

  const chart = page.getByTestId('measured');
  const drawn = await chart.locator('[data-curve^="predicted-"]').all();
  expect(drawn).toHaveLength(2);
  for (const curve of drawn) {
    const predicted = await curve.getAttribute('d');
    const run = (await curve.getAttribute('data-curve'))?.replace('predicted-', '');
    expect(predicted).toMatch(/^M/);
    expect(await chart.locator(`[data-curve="measured-${run}"]`).getAttribute('d')).toBe(predicted);
  }
  await expect(facts(page)).toContainText('yes, at every step');
  await expect(facts(page)).toContainText(/By FLOPs[+−]?\d/);
  await expect(facts(page)).toContainText(/Measured[+−]?\d/);
  await expect(facts(page)).toContainText(/Per sample, measured\d/);

  const loss = page.getByRole('region', { name: 'Loss' });
  await expect(loss).toContainText(
    'The losses of Regular and Optimal coincide to the bit over 3 iterations.',
  );
  const losses = await loss.locator('td').allTextContents();
  expect(losses).toHaveLength(9);
  // Iteration, then regular and optimal: the same loss, because the gradients are the same.
  for (let i = 0; i < 9; i += 3) expect(losses[i + 1]).toBe(losses[i + 2]);

  await page.getByRole('link', { name: 'Compare' }).click();
  await expect(page.getByRole('region', { name: 'Time overhead' })).toContainText('measured');
});

test('a run is paused, goes on, is stopped, keeps its curve and says so', async ({ page, open }) => {
  await open(TINY);
  await page.getByLabel('Iterations').fill('100000');
  await start(page).click();
  await expect(page.locator('h1')).toContainText(/iteration \d+ of 100.000/, { timeout: 20_000 });
  await expect(page.getByRole('progressbar', { name: 'Progress of the run' })).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Paused', { exact: true })).toBeVisible({ timeout: 15_000 });
  const held = await page.locator('h1').textContent();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.locator('h1')).not.toHaveText(held ?? '', { timeout: 20_000 });
  const measured = page.locator('[data-curve^="measured-"]').last();
  await expect(measured).toHaveAttribute('d', /H/);
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('h1')).toContainText('cancelled after', { timeout: 15_000 });
  await expect(page.getByText('What was measured before stays.')).toBeVisible();
  await expect(measured).toHaveAttribute('d', /H/);
  await expect(start(page)).toBeVisible();
});

test('a killed trainer is one sentence on screen, and the lab trains again', async ({ page, open, lab }) => {
  test.skip(process.platform !== 'linux', 'finds the trainer in /proc');
  await open(TINY);
  await page.getByLabel('Iterations').fill('100000');
  await start(page).click();
  await expect(page.locator('h1')).toContainText(/iteration \d+ of 100.000/, { timeout: 20_000 });
  expect(lab.killTrainers()).toBeGreaterThan(0);
  await expect(page.getByRole('alert')).toContainText('trainer', { timeout: 15_000 });
  await expect(page.locator('h1')).toContainText('stopped after');
  await page.getByLabel('Iterations').fill('1');
  await page.getByRole('button', { name: 'Start again' }).click();
  await expect(page.locator('h1')).toContainText('just as predicted', { timeout: 30_000 });
});

test('a network too large to train in seconds offers a smaller size', async ({ page, open }) => {
  await open('train?model=resnet50&batch=64&strategies=regular,optimal');
  await page.getByRole('button', { name: 'Use a size that trains in seconds' }).click();
  await expect(page).toHaveURL(/model=resnet\d+&batch=8&input=32/);
  await expect(page.getByRole('button', { name: 'Use a size that trains in seconds' })).toHaveCount(0);
});

test('naive statistics drift, and the facts and a chart say how far', async ({ page, open }) => {
  await open(TINY);
  await page.getByLabel('Iterations').fill('2');
  await more(page).click();
  await page.getByRole('switch', { name: 'Naive statistics' }).check({ force: true });
  await start(page).click();
  await expect(page.locator('h1')).toContainText(/Optimal, naive statistics on .*just as predicted/, {
    timeout: 40_000,
  });
  await expect(facts(page)).toContainText(/Statistics drift\d/);
  await expect(page.getByRole('region', { name: 'Drift of the running statistics' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Loss' })).toContainText('off those of a careful run');
});

test('the largest batch within a cap is found, trial by trial', async ({ page, open }) => {
  await open(TINY);
  await page.getByText('Find the largest batch').click();
  await page.getByLabel('Memory cap').fill('6 MiB');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.locator('h1')).toContainText(/batch \d+ is the largest that runs within 6\.00/, {
    timeout: 50_000,
  });
  expect(await page.getByTestId('probes').locator('[data-probe]').count()).toBeGreaterThan(3);
  await expect(page.getByRole('region', { name: 'History of runs' })).toContainText(/largest batch \d+/);
});
