import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { compared, countCalls, expect, expectAccessible, test } from './support/lab-test.ts';

const VIEW =
  'compare?model=resnet18&batch=8&input=64&also=vgg11,tiny-residual@2&strategies=regular,chen-sqrt,optimal';

const matrix = (page: Page) => page.getByRole('region', { name: 'Networks', exact: true });

async function complete(page: Page): Promise<void> {
  await compared(page);
  await expect(matrix(page)).toContainText('saves most on');
  await expect(matrix(page).getByRole('button', { name: 'Cancel' })).toHaveCount(0);
}

test('several networks side by side, as a matrix and as charts', async ({ page, open }) => {
  await open(VIEW);
  await complete(page);
  await expect(matrix(page).getByRole('rowheader')).toHaveText([
    'VGG-11',
    'ResNet-18',
    'Tiny residual network',
  ]);
  const rated = matrix(page)
    .getByRole('row')
    .filter({ has: page.locator('[data-best]') });
  await expect(rated).toHaveCount(3);
  await expectAccessible(page);
  await page.getByRole('radiogroup', { name: 'Picture of the networks' }).getByText('Zigzags, share').click();
  await expect(page.getByTestId('network-zigzags').locator('path[data-curve]')).toHaveCount(3);
  await expect(page).toHaveURL(/v\.networks=share/);
});

test('a click selects a network without a new solution; undo reverts it', {
  tag: '@socket',
}, async ({ page, open }) => {
  await page.clock.install();
  const calls = countCalls(page, 'compare');
  await open(VIEW);
  await complete(page);
  expect(calls()).toBe(3);
  await matrix(page).getByRole('button', { name: 'VGG-11' }).click();
  await expect(page.locator('h1')).toContainText('VGG-11 at batch 8 fits');
  await expect(page).toHaveURL(/model=vgg11.*also=resnet18%40x64|model=vgg11.*also=resnet18@x64/);
  // Whatever waited for a pause would be sent now.
  await page.clock.fastForward(5000);
  await page.keyboard.press('Control+z');
  await expect(page.locator('h1')).toContainText('ResNet-18 at batch 8 fits');
  expect(calls()).toBe(3);
});

test('networks are added and removed; each may have its own batch', async ({ page, compare }) => {
  await compare('compare?model=resnet18&batch=8&input=64&strategies=regular,optimal');
  await page.getByRole('button', { name: 'Networks', exact: true }).click();
  await page.getByRole('textbox', { name: 'Search for networks to compare' }).fill('tiny');
  await page.getByRole('checkbox', { name: /Tiny residual/ }).check();
  await page.keyboard.press('Escape');
  await complete(page);
  const batch = matrix(page).getByRole('textbox', { name: 'Batch of Tiny residual network' });
  await batch.fill('2');
  await batch.press('Enter');
  await expect(page).toHaveURL(/also=tiny-residual@2|also=tiny-residual%402/);
  const chips = page.getByRole('group', { name: 'Networks compared' });
  await expect(chips.getByRole('button', { name: /batch 2/ })).toBeVisible();
  await chips.getByRole('button', { name: 'Remove ResNet-18' }).click();
  await expect(page.locator('h1')).toContainText('Tiny residual network at batch 2 fits');
  await expect(matrix(page)).toHaveCount(0);
});

test('the matrix is saved as CSV', async ({ page, open }) => {
  await open(VIEW);
  await complete(page);
  await page.getByRole('button', { name: /^Save the chart Share of the regular peak/ }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Save data as CSV' }).click();
  const csv = (await readFile(await (await download).path())).toString();
  expect(csv.split('\r\n').filter((line) => line !== '')).toHaveLength(10);
});

test('sizes are halved by bf16, and tokens are called tokens', async ({ page, compare }) => {
  await compare('compare?model=gpt2&batch=1&input=64&strategies=regular');
  await expect(page.getByLabel('Sequence', { exact: true })).toHaveValue('64');
  await expect(page.getByText('tokens', { exact: true })).toBeVisible();
  const sentence = await page.locator('h1').textContent();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('combobox', { name: 'Precision' }).click();
  await page.getByRole('option', { name: 'bf16', exact: true }).click();
  await expect(page).toHaveURL(/precision=bf16/);
  await compared(page);
  await expect(page.locator('h1')).not.toHaveText(sentence ?? '');
});

test('a preset shows its experiment with a note, and undo restores the previous one', async ({
  page,
  compare,
}) => {
  await compare('compare?model=tiny-residual&batch=4&strategies=regular,optimal');
  await page.getByRole('button', { name: 'Presets' }).click();
  await page.getByRole('menuitem', { name: 'Why VGG saves so little' }).click();
  const note = page.getByRole('region', { name: 'Why VGG saves so little' });
  await expect(note).toContainText('no schedule needs less than half');
  await compared(page);
  await expect(page.locator('h1')).toContainText('VGG-16 at batch 64 fits');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close this note' }).click();
  await expect(note).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(page.locator('h1')).toContainText('Tiny residual network');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search for an action' }).fill('largest batch on an');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Largest batch on an RTX 2080 Ti' })).toBeVisible();
  await expect(page).toHaveURL(/#\/limits\?model=resnet50/);
  await page.getByRole('button', { name: 'Double the batch' }).click();
  await expect(page.getByRole('region', { name: 'Largest batch on an RTX 2080 Ti' })).toHaveCount(0);
});
