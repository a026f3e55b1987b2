import type { Page } from '@playwright/test';
import { graphFile } from '../../engine/exchange/graph-file.ts';
import { buildModel } from '../../engine/zoo/zoo.ts';
import { compared, expect, expectAccessible, test } from './support/lab-test.ts';

const VIEW = 'compare?model=tiny-residual&batch=4&strategies=regular,chen-sqrt,optimal';
const NETWORK = JSON.stringify(graphFile(buildModel('vgg11', { batch: 1, input: 64 })));

/** Drags a file over the window, and drops it there. */
async function drag(page: Page, name: string, text: string, drop: boolean): Promise<void> {
  await page.evaluate(
    (given) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([given.text], given.name));
      for (const type of given.drop ? ['dragover', 'drop'] : ['dragover']) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      }
    },
    { name, text, drop },
  );
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });

    test('a dropped file becomes the network; a broken one is refused in one sentence', async ({
      page,
      open,
    }) => {
      await open(VIEW);
      await compared(page);
      await drag(page, 'mine.json', NETWORK, false);
      await expect(page.getByText('Drop a network to open it')).toBeVisible();
      await drag(page, 'mine.json', NETWORK, true);
      const dialog = page.getByRole('dialog', { name: 'mine' });
      await expect(dialog).toContainText('zigzag-graph/1');
      await expect(dialog).toContainText('Kept for backward');
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await compared(page);
      await expect(page.locator('h1')).toContainText('mine at batch');

      await page.getByLabel('Network', { exact: true }).click();
      await expect(page.getByRole('group', { name: 'Your files' }).getByRole('option')).toContainText('mine');
      await expect(page.getByRole('option', { name: 'Open a model file…' })).toBeAttached();
      await page.keyboard.press('Escape');

      await drag(page, 'broken.json', NETWORK.slice(0, 400), true);
      const refused = page.getByRole('dialog', { name: 'broken.json' });
      await expect(refused.getByRole('alert')).toContainText('not valid JSON');
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await expect(page.locator('h1')).toContainText('mine at batch');
    });
  });
}

test('a file is opened from the palette, and a link to one that is gone says so', async ({ page, open }) => {
  await open(VIEW);
  await compared(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search for an action' }).fill('open a model file');
  await expect(page.getByRole('option').first()).toContainText('Open a model file…');
  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('Enter');
  await (await chooser).setFiles({
    name: 'chosen.json',
    mimeType: 'application/json',
    buffer: Buffer.from(NETWORK),
  });
  await expect(page.getByRole('dialog', { name: 'chosen' })).toContainText('zigzag-graph/1');
  await page.keyboard.press('Escape');
  await compared(page);
  await page.getByRole('link', { name: 'Graph' }).click();
  await expect(page.locator('h1')).toContainText('chosen');
  await page.getByRole('link', { name: 'Limits' }).click();
  await expect(page.getByText(/Limits need a network of the lab/i).first()).toBeVisible();
  await open('compare?model=file:0123456789abcdef&batch=4&strategies=regular');
  await expect(page.getByText(/drop the file again/)).toBeVisible();
});

test('the plan in front is saved from the palette', async ({ page, open }) => {
  await open(`${VIEW}&select=optimal`);
  await compared(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search for an action' }).fill('save plan');
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await download).suggestedFilename()).toBe('tiny-residual-optimal.plan.json');
});
