import type { Page } from '@playwright/test';
import { compared, expect, expectAccessible, figures, test } from './support/lab-test.ts';

const RESNET = 'compare?model=resnet50&batch=64&budgetBytes=3000000000&strategies=regular,offload';

const row = (page: Page, name: RegExp) => figures(page).getByRole('row', { name });

test('offload needs a link, and shows the bytes sent over it', async ({ page, compare }) => {
  await compare(RESNET);
  await expect(row(page, /^Offload/)).toContainText('needs the speed of the link to host memory');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByText('Advanced', { exact: true }).click();
  const link = page.getByLabel('Link to host memory');
  await link.fill('-3');
  await expect(page.getByRole('alert')).toContainText('Link to host memory');
  await page.getByRole('button', { name: 'Use 12 GB/s (RTX 2080 Ti)' }).click();
  await expect(link).toHaveValue('12');
  await expect(page.getByRole('radio', { name: 'overlap', exact: true })).toBeChecked();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/linkGBps=12/);
  await compared(page);

  await expect(figures(page).getByRole('button', { name: 'Sent' })).toBeVisible();
  await expect(row(page, /^Offload/)).not.toContainText('needs the speed of the link');
  await page.getByRole('button', { name: 'Offload', exact: true }).first().click();
  await expect(page).toHaveURL(/select=offload/);
  const zigzag = page.getByTestId('zigzag');
  await expect(zigzag.locator('[data-curve="host"]')).toBeVisible();
  await expect(zigzag.locator('[data-events]')).toHaveCount(1);
  await expect(page.getByRole('complementary', { name: 'At the cursor' })).toContainText('In host memory');
  await expectAccessible(page);

  await page.reload();
  await compared(page);
  await expect(zigzag.locator('[data-curve="host"]')).toBeVisible();
});

test('an invalid link is refused in one sentence', async ({ page, open }) => {
  await open(`${RESNET}&linkGBps=-12&linkCopies=never`);
  await expect(
    page.getByText('The link’s link to host memory “-12” is not a number of GB/s from 0.001'),
  ).toBeVisible();
});

test('the trainer trains with offload as predicted', async ({ page, open }) => {
  await open(
    'train?model=tiny-residual&batch=16&strategies=regular,offload&select=offload&linkGBps=12&budgetBytes=8000000',
  );
  await page.getByLabel('Iterations').fill('3');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.locator('h1')).toContainText(/Offload on .*just as predicted, at every step\./);
});
