import { expect, test } from './support/lab-test.ts';

const TINY = 'train?model=tiny-residual&batch=4&strategies=regular,chen-sqrt,optimal';

test('measured memory follows the prediction to the byte, and the overhead is measured', async ({
  page,
  open,
}) => {
  await open(TINY);
  await expect(page.getByText('Nothing has been trained yet')).toBeVisible();
  await page.getByLabel('Iterations').fill('3');
  await page.getByLabel('Run regular first').check();
  await page.getByLabel('Pairs').fill('2');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.locator('h1')).toContainText(/Optimal on .*just as predicted, at every step\./, {
    timeout: 40_000,
  });

  const chart = page.getByTestId('measured');
  for (const run of [1, 2]) {
    const predicted = await chart.locator(`[data-curve="predicted-${run}"]`).getAttribute('d');
    expect(predicted).toMatch(/^M/);
    expect(await chart.locator(`[data-curve="measured-${run}"]`).getAttribute('d')).toBe(predicted);
  }
  const facts = page.getByRole('complementary', { name: 'Facts of the run' });
  await expect(facts).toContainText('yes, at every step');
  await expect(facts).toContainText(/Measured overhead[+−]?\d.*pairs: 2/);

  const losses = await page.getByRole('region', { name: 'Loss' }).locator('td').allTextContents();
  expect(losses).toHaveLength(9);
  // Iteration, then regular and optimal: the same loss, because the gradients are the same.
  for (let i = 0; i < 9; i += 3) expect(losses[i + 1]).toBe(losses[i + 2]);

  await page.getByRole('link', { name: 'Compare' }).click();
  await expect(page.getByRole('region', { name: 'Time overhead' })).toContainText('measured');
});

test('a run is cancelled, keeps its curve and says so', async ({ page, open }) => {
  await open(TINY);
  await page.getByLabel('Iterations').fill('100000');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.locator('h1')).toContainText(/iteration \d+ of 100.000/, { timeout: 20_000 });
  await expect(page.locator('[data-curve="measured-1"]')).toHaveAttribute('d', /H/);
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('h1')).toContainText('cancelled after', { timeout: 15_000 });
  await expect(page.getByText('What was measured before stays.')).toBeVisible();
  await expect(page.locator('[data-curve="measured-1"]')).toHaveAttribute('d', /H/);
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeVisible();
});

test('a killed trainer is one sentence on screen, and the lab trains again', async ({ page, open, lab }) => {
  test.skip(process.platform !== 'linux', 'finds the trainer in /proc');
  await open(TINY);
  await page.getByLabel('Iterations').fill('100000');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
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

test('naive statistics drift, and the facts say how far', async ({ page, open }) => {
  await open(TINY);
  await page.getByLabel('Iterations').fill('2');
  await page.getByRole('switch', { name: 'Naive statistics' }).check({ force: true });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.locator('h1')).toContainText('just as predicted', { timeout: 40_000 });
  const facts = page.getByRole('complementary', { name: 'Facts of the run' });
  await expect(facts).toContainText(/Statistics drift\d/);
});
