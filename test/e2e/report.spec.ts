import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import type { Download, Page } from '@playwright/test';
import { graphFile } from '../../engine/exchange/graph-file.ts';
import { buildModel } from '../../engine/zoo/zoo.ts';
import { compared, expect, figures, test } from './support/lab-test.ts';
import { THEMES } from './support/themes.ts';

const VIEW = 'compare?model=tiny-residual&batch=4&strategies=regular,chen-sqrt,optimal,live&seed=7';
const HOSTILE = '<img src=x onerror=alert(1)>';

async function saved(page: Page, item: string): Promise<Download> {
  await page.getByRole('button', { name: 'Save or open this comparison' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: item }).click();
  return download;
}

async function drop(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(
    (given) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([given.text], given.name));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    { name, text },
  );
}

test('a report stands alone: without scripts, in both themes, with hostile names as text', async ({
  page,
  compare,
  browser,
}) => {
  await compare(VIEW);
  const network = JSON.stringify(graphFile(buildModel('vgg11', { batch: 1, input: 64 })));
  await drop(page, `${HOSTILE}.json`, network);
  await page.keyboard.press('Escape');
  await expect(page.locator('h1')).toContainText(HOSTILE);
  await compared(page);
  const report = await saved(page, 'Save report (HTML)');
  const file = await report.path();
  const html = await readFile(file, 'utf8');
  expect(html).toContain('&lt;img src=x');
  for (const colorScheme of THEMES) {
    const context = await browser.newContext({ javaScriptEnabled: false, colorScheme });
    const reader = await context.newPage();
    const asked: string[] = [];
    reader.on('request', (request) => asked.push(request.url()));
    await reader.setContent(html);
    await expect(reader.getByRole('heading', { level: 1 })).toContainText(`${HOSTILE} at batch`);
    await expect(reader.locator('img')).toHaveCount(0);
    await expect(reader.locator('figure svg path')).toHaveCount(4);
    await expect(reader.getByText('--seed 7')).toBeVisible();
    await expect(reader.getByText('#/compare?model=file')).toBeVisible();
    expect(asked).toEqual([]);
    await context.close();
    // axe itself is a script, so it looks at the same file where scripts may run.
    const judged = await browser.newContext({ colorScheme, bypassCSP: true });
    const page2 = await judged.newPage();
    await page2.setContent(html);
    const { violations } = await new AxeBuilder({ page: page2 }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)).toEqual(
      [],
    );
    await judged.close();
  }
});

test('an experiment is saved, changed, opened again, and undone', async ({ page, compare }) => {
  await compare(`${VIEW}&also=tiny-dropout@2&select=optimal`);
  const file = await saved(page, 'Save experiment');
  expect(file.suggestedFilename()).toBe('tiny-residual-and-1-more.experiment.json');
  const text = await readFile(await file.path(), 'utf8');
  await page.getByRole('button', { name: 'Double the batch' }).click();
  await expect(page.locator('h1')).toContainText('batch 8');
  await drop(page, 'mine.json', text);
  await expect(page.locator('h1')).toContainText('batch 4');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(page.locator('h1')).toContainText('batch 8');

  await drop(page, 'broken.json', text.replace('"batch": 4', '"batch": 0'));
  await expect(page.getByText(/experiment\.batch: expected a whole number from 1/)).toBeVisible();
  await expect(page.locator('h1')).toContainText('batch 8');
});

test('a row’s menu saves its plan, places its checkpoints, trains it and uses its peak as the budget', async ({
  page,
  compare,
}) => {
  await compare(VIEW);
  const act = async (item: string): Promise<void> => {
    await figures(page).getByRole('button', { name: 'Actions on Optimal' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const download = page.waitForEvent('download');
  await act('Save plan…');
  expect((await download).suggestedFilename()).toBe('tiny-residual-optimal.plan.json');
  await act('Use its peak as the budget');
  await expect(figures(page).getByRole('row', { name: /^Budget/ })).toContainText('MiB');
  await act('Place in Graph');
  await expect(page.getByText(/^Your checkpoints: \d/)).toBeVisible();
  await page.getByRole('link', { name: 'Compare' }).click();
  await act('Train this');
  await expect(page.getByRole('combobox', { name: 'Strategy', exact: true })).toHaveValue('Optimal');
});
