import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { compared, expect, expectAccessible, figures, test } from './support/lab-test.ts';

const VGG = 'compare?model=vgg11&batch=64&strategies=regular,optimal,live&v.columns=peakBytes';

const row = (page: Page, name: RegExp) => figures(page).getByRole('row', { name });
const peakOf = (page: Page, name: RegExp) => row(page, name).getByRole('cell').nth(4);

test('segments run reentrant: the optimum’s peak, the link, the plan and the command', async ({
  page,
  compare,
}) => {
  await page.addInitScript(() => {
    const written: string[] = [];
    Object.assign(window, { written });
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async (text: string) => void written.push(text) },
    });
  });
  await compare(VGG);
  // 37.32 MiB a sample, and 43.45 as PyTorch runs it and the paper printed.
  await expect(peakOf(page, /^Optimal/)).toHaveText(/2\.33.GiB/);
  const live = await peakOf(page, /^Live/).textContent();
  await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
  await expect(page.getByRole('combobox', { name: 'Precision' })).toBeFocused();
  await page.getByText('Advanced', { exact: true }).click();
  await expect(page.getByRole('radio', { name: 'non-reentrant', exact: true })).toBeChecked();
  await page.getByRole('radio', { name: 'non-reentrant', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText(/^use_reentrant=True/)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'More: 1' })).toBeFocused();
  await expect(peakOf(page, /^Optimal/)).toHaveText(/2\.72.GiB/);
  await expect(peakOf(page, /^Live/)).toHaveText(live ?? '');
  await expect(row(page, /^Optimal/)).toContainText('reentrant');
  await expect(row(page, /^Live/)).not.toContainText('reentrant');

  await expect(page).toHaveURL(/checkpointing=reentrant/);
  await page.reload();
  await compared(page);
  await expect(peakOf(page, /^Optimal/)).toHaveText(/2\.72.GiB/);

  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'Actions on Optimal' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const download = page.waitForEvent('download');
  await choose('Save plan…');
  const plan = JSON.parse(await readFile(await (await download).path(), 'utf8')) as {
    steps: [string, string][];
  };
  expect(plan.steps.some(([kind]) => kind === 'hold-gradient')).toBe(true);
  await choose('Copy command line');
  const copied = page.evaluate(() => (window as unknown as { written: string[] }).written);
  expect(await copied).toEqual([
    'zigzag solve vgg11 --batch 64 --checkpointing reentrant --strategy optimal',
  ]);
});

test('reentrant segments train as predicted', async ({ page, open }) => {
  await open(
    'train?model=tiny-residual&batch=4&strategies=regular,chen-sqrt&select=chen-sqrt&checkpointing=reentrant',
  );
  await page.getByLabel('Iterations').fill('3');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.locator('h1')).toContainText(
    /Chen √n, reentrant on .*just as predicted, at every step\./,
  );
});

test('the experiment’s fields stay in one row at 1280 px', async ({ page, open }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const model of ['vgg11', 'gpt2']) {
    await open(
      `compare?model=${model}&batch=8&dropout=0.5&segments=3&checkpointing=reentrant&strategies=sequential,budget`,
    );
    await compared(page);
    const bar = page.getByRole('banner');
    const bottoms = await Promise.all(
      [
        bar.getByLabel('Batch', { exact: true }),
        bar.getByRole('textbox', { name: 'Budget' }),
        bar.getByRole('button', { name: 'More: 3' }),
        bar.getByRole('button', { name: /^Find an action/ }),
      ].map(async (part) => {
        const box = await part.boundingBox();
        return box === null ? null : Math.round(box.y + box.height);
      }),
    );
    expect(new Set(bottoms).size, model).toBe(1);
  }
});
