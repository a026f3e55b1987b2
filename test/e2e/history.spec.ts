import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './support/lab-test.ts';

const TINY = 'train?model=tiny-residual&batch=2&strategies=regular,optimal';
const runs = (page: Page) => page.getByRole('region', { name: 'History of runs' });

test('two runs outlive a reload, are compared, deleted and brought back', async ({ page, open }) => {
  await open(TINY);
  await page.getByLabel('Iterations').fill('2');
  await page.getByLabel('Run regular first').check();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.locator('h1')).toContainText(/Optimal on .*just as predicted/);
  await page.reload();
  await expect(page.locator('h1')).toContainText('Train under a schedule');
  const boxes = runs(page).getByRole('checkbox', { name: /^Select run/ });
  await expect(boxes.first()).toBeVisible();
  const before = await boxes.count();
  expect(before).toBeGreaterThanOrEqual(2);

  // A run is opened as it looked.
  await runs(page)
    .getByRole('button', { name: /Optimal/ })
    .first()
    .click();
  await expect(page.locator('h1')).toContainText(/Optimal on .*just as predicted, at every step\./);
  await expect(page.locator('[data-curve^="measured-"]').last()).toHaveAttribute('d', /^M/);

  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await runs(page).getByRole('button', { name: 'Compare two' }).click();
  const compared = page.getByRole('region', { name: 'Two runs compared' });
  await expect(compared).toContainText('Measured peak');
  await expect(compared).toContainText('bit-identical in every iteration');
  await expect(page.getByTestId('measured').locator('[data-curve^="measured-"]')).toHaveCount(2);
  await expectAccessible(page);

  await runs(page).getByRole('button', { name: 'Delete 2' }).click();
  await expect(runs(page)).toContainText('2 runs were deleted.');
  await expect(boxes).toHaveCount(before - 2);
  await runs(page).getByRole('button', { name: 'Undo' }).click();
  await expect(boxes).toHaveCount(before);
  await expectAccessible(page);
});

test('runs are found, named, saved to a file and read again', async ({ page, open }) => {
  await open(TINY);
  await page.getByLabel('Iterations').fill('1');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.locator('h1')).toContainText('just as predicted');
  const name = page.getByLabel('Name of the run');
  await name.fill('kept for the talk');
  await name.blur();
  await runs(page).getByLabel('Search the runs').fill('the talk');
  const boxes = runs(page).getByRole('checkbox', { name: /^Select run/ });
  await expect(boxes).toHaveCount(1);
  await boxes.check();

  const saved = page.waitForEvent('download');
  await runs(page).getByRole('button', { name: 'Save or import runs' }).click();
  await page.getByRole('menuitem', { name: 'Save the selected runs' }).click();
  const file = await (await saved).path();
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ format: 'zigzag-runs', version: 1 });

  const chosen = page.waitForEvent('filechooser');
  await runs(page).getByRole('button', { name: 'Save or import runs' }).click();
  await page.getByRole('menuitem', { name: 'Import runs…' }).click();
  await (await chosen).setFiles(file);
  await expect(runs(page)).toContainText('of the file, 1 run was here already');
});
