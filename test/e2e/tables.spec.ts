import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { findLatex, NO_LATEX } from '../../app/start/latex.mjs';
import { compiled } from '../support/latex.ts';
import { expect, expectAccessible, expectNothingCut, saved, test } from './support/lab-test.ts';

async function reproduced(page: Page): Promise<void> {
  await expect(page.locator('h1')).toHaveAttribute('aria-busy', 'false');
  await expect(page.locator('h1')).toContainText(/of 18 cut-offs|Solved in/);
}

async function choose(page: Page, title: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Table', exact: true }).click();
  await page.getByRole('option', { name: title, exact: true }).click();
}

test('a paper’s table is reproduced beside the paper’s figures, sorted, explained and exported', async ({
  page,
  open,
}) => {
  await open('tables?model=tiny-residual&batch=2&strategies=regular');
  await reproduced(page);
  const table = page.getByRole('region', { name: 'Table', exact: true }).getByRole('table');
  await expect(table.getByRole('row')).toHaveCount(20);
  await expect(page.getByTestId('cutoff').locator('.recharts-bar-rectangle path')).toHaveCount(36);

  const vgg = table.getByRole('row', { name: /VGG-16/ });
  await expect(vgg).toContainText(/3.565/);
  await vgg.getByRole('button', { name: 'VGG-16', exact: true }).click();
  await expect(table).toContainText(/cuDNN forms weight gradients of 3 . 3 convolutions. Regular: \+265.MB/i);
  await expect(page).toHaveURL(/v\.open=vgg16/);

  await table.getByRole('button', { name: 'Network' }).click();
  await expect(table.getByRole('row').nth(2)).toContainText('AlexNet');
  await table.getByRole('button', { name: 'Network' }).click();
  await expect(table.getByRole('row').nth(2)).toContainText('VGG-19');
  await expect(page).toHaveURL(/v\.sort=-network/);
  await page.reload();
  await reproduced(page);
  await expect(table.getByRole('row').nth(2)).toContainText('VGG-19');
  await expect(table).toContainText(/cuDNN forms weight gradients/i);

  const save = async (item: string): Promise<string> => {
    await page.getByRole('button', { name: 'Export' }).click();
    return saved(page, item);
  };
  const csv = await save('Save as CSV');
  expect(csv.split('\r\n')[0]).toMatch(/^network,batch,input,paper regular MB/);
  expect(csv.split('\r\n')[1]).toMatch(/^vgg19,64,224,5189/);
  expect(await save('Save as Markdown')).toContain('| vgg19 | 64 | 224 | 5189');
  expect(await save('Save as LaTeX')).toContain('\\toprule');
});

test('a table and the sources, exported here, make a paper with Debian’s TeX', async ({ page, open }) => {
  test.skip(!findLatex(), NO_LATEX);
  await open('tables?model=tiny-residual&batch=2&strategies=regular');
  await reproduced(page);
  const save = async (item: string): Promise<string> => {
    await page.getByRole('button', { name: 'Export' }).click();
    return saved(page, item);
  };
  const table = await save('Save as LaTeX');
  const sources = await save('Save sources as BibTeX');
  expect(table).toContain('VGG-16, batch 64 & 5136');
  const { status, log, bibtexLog } = compiled([table], sources);
  expect(status).toEqual([0, 0, 0, 0]);
  expect(log.match(/^Overfull \\hbox.*|.*(?:Citation|Reference) .* undefined.*/gm)).toBeNull();
  expect(bibtexLog).not.toMatch(/^Warning|error message/m);
});

test('the other tables are one click or one link away', async ({ page, open }) => {
  await open('tables?model=tiny-residual&batch=2&strategies=regular');
  await reproduced(page);
  await choose(page, 'Re-forwarding, Table 2');
  await expect(page.locator('h1')).toContainText('Solved in');
  await expect(page).toHaveURL(/v\.table=theory/);
  await choose(page, 'Bulatov, treewidths');
  await expect(page.locator('h1')).toContainText('equal the size of the largest bag');
  await expect(page.getByRole('row', { name: /Multi-tower with 3 towers/ })).toContainText(
    'largest bag, parallel paths merged',
  );
  await expectAccessible(page);
  await choose(page, 'Re-forwarding, Table 1');
  await expect(page.locator('h1')).toContainText('cut-offs are within');
  await expect(
    page.getByText('Cutting Down Training Memory by Re-forwarding, Table 1').first(),
  ).toBeVisible();
});

test('other printed figures of the sources have their own tables', async ({ page, open }) => {
  await open('tables?model=tiny-residual&batch=2&strategies=regular&v.table=layers');
  await expect(page.locator('h1')).toContainText('2 of 2 printed numbers');
  const table = page.getByRole('region', { name: 'Table', exact: true }).getByRole('table');
  const own = table.getByRole('row', { name: /One segment/ });
  await expect(own).toContainText('166.5352');
  await own.getByRole('button').click();
  await expect(table).toContainText('--strategy manual --checkpoints out1,layers.39.out');
  await expect(page).toHaveURL(/v\.open=1/);
  await choose(page, 'Memory against depth');
  await expect(page.locator('h1')).toContainText(/needs 117\.\d.GB/);
  await expect(page.getByTestId('depth').locator('[data-curve]').first()).toBeAttached();
  await choose(page, 'CVPR 2021, Figure 1');
  await expect(page.locator('h1')).toContainText('3 of 3 sizes');
  await expectAccessible(page);
});

test('a row is measured on this device, at a stated size', async ({ page, open }) => {
  await open('tables?model=tiny-residual&batch=2&strategies=regular');
  await reproduced(page);
  const darts = page.getByRole('row', { name: /ResNet-18/ });
  await darts.getByRole('button', { name: /^Measure ResNet-18 here/ }).click();
  await expect(darts.getByRole('button', { name: 'Stop measuring ResNet-18' })).toBeVisible();
  const measured = darts.locator('td[data-measured]');
  // On a busy machine it cannot be told.
  await expect(measured).toHaveText(/%|^too noisy, again$/);
  await expect(measured).toHaveAttribute('title', /^Measured at batch \d, 32 × 32 pixels, on /);
  await darts.getByRole('button', { name: 'ResNet-18', exact: true }).click();
  await expect(page.getByText(/^Measured at batch/)).toBeVisible();
});

test('measurements of a device stand beside paper and prediction, and an invalid file keeps them', async ({
  page,
  open,
}) => {
  await open('tables?model=tiny-residual&batch=2&strategies=regular');
  await reproduced(page);
  const drop = (content: string): Promise<void> =>
    page.evaluate((given) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([given], 'm.json'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, content);
  const text = await readFile(
    new URL('../bench/results/cpu-xeon-two-threads-measurements.json', import.meta.url),
    'utf8',
  );
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open measurements…' }).click();
  const file = { name: 'm.json', mimeType: 'application/json', buffer: Buffer.from(text) };
  await (await chooser).setFiles(file);
  const table = page.getByRole('region', { name: 'Table', exact: true }).getByRole('table');
  await expect(table.getByRole('columnheader', { name: 'Optimal, MB measured' })).toBeVisible();
  await expect(page.getByText(/CVPR 2021, Table 2; measured on cpu Intel/)).toBeVisible();
  await expect(table.getByRole('row', { name: /AlexNet/ })).toContainText(/146146145.*\d\Dm?s/);
  await expect(page.getByText(/not compared with the paper/)).toBeVisible();
  await expectAccessible(page);

  await drop(text.replace('"version": 1', '"version": 2'));
  await expect(page.getByText(/the file is zigzag-measurements\/2/)).toBeVisible();
  await expect(table.getByRole('columnheader', { name: 'Optimal, MB measured' })).toBeVisible();

  await page.getByRole('button', { name: 'Close measurements' }).click();
  await expect(table.getByRole('columnheader', { name: 'Optimal, MB measured' })).toHaveCount(0);

  // Dropped anywhere, it opens its table.
  await page.getByRole('link', { name: 'Compare' }).click();
  await expect(page).toHaveURL(/compare\?/);
  await drop(text);
  await expect(table.getByRole('columnheader', { name: 'Optimal, MB measured' })).toBeVisible();
  await expect(page).toHaveURL(/tables\?/);
});

test('Tables is accessible, with a row open and its menu', async ({ page, open }) => {
  await open('tables?model=tiny-residual&batch=2&strategies=regular&v.open=vgg16');
  await reproduced(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Export' }).click();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  await expectAccessible(page);
});

test('Tables fits the smallest window', async ({ page, open }) => {
  await page.setViewportSize({ width: 1024, height: 640 });
  await open('tables?model=resnet50&batch=64&strategies=regular,optimal');
  await reproduced(page);
  await expectNothingCut(page);
});
