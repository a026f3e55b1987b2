import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './support/lab-test.ts';

const VIEW = 'compare?model=resnet50&batch=64&strategies=regular,chen-sqrt,optimal,live';
const ZIGZAG = 'Live memory over one training step';

async function opened(page: Page, chart: string): Promise<void> {
  await page.getByRole('button', { name: `Save the chart ${chart}` }).click();
  await page.getByRole('menuitem', { name: 'Figure for print' }).click();
  await expect(page.getByRole('dialog', { name: 'Figure for print' })).toBeVisible();
}

async function figure(page: Page, chart: string, size: string, format: string): Promise<Buffer> {
  await opened(page, chart);
  const dialog = page.getByRole('dialog', { name: 'Figure for print' });
  await dialog.getByText(size, { exact: true }).click();
  await dialog.getByText(format, { exact: true }).click();
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save figure' }).click();
  const file = await download;
  await expect(dialog).toBeHidden();
  expect(file.suggestedFilename()).toMatch(new RegExp(`\\.${format.toLowerCase()}$`));
  return readFile(await file.path());
}

test.describe('on a dark screen', () => {
  test.use({ colorScheme: 'dark' });
  test('a figure has its width, axis titles and key, and light colours in any theme', async ({
    page,
    compare,
  }) => {
    await compare(VIEW);
    const before = await page.getByTestId('zigzag').boundingBox();
    const svg = (await figure(page, ZIGZAG, 'Single column, 89 mm', 'SVG')).toString();
    const head = svg.slice(0, 300);
    expect(head).toMatch(/^<svg [^>]*width="89mm"/);
    // Text of 12 pixels on 378 that are 89 mm is 8 point.
    expect(head).toMatch(/viewBox="0 0 378 \d+"/);
    expect(head).toMatch(/<rect width="378" height="\d+" fill="#fff"/);
    for (const text of [
      'Training step (both passes aligned)',
      'Device memory (GiB)',
      'Chen √n',
      'Live: Gradients',
    ])
      expect(svg.includes(`>${text}</text>`), text).toBe(true);
    expect(svg.includes('var(--')).toBe(false);
    await expect.poll(() => page.getByTestId('zigzag').boundingBox()).toEqual(before);
    await expect(page.locator('[data-print]')).toHaveCount(0);
  });
});

test('bars are horizontal in a column, each with its full name', async ({ page, open }) => {
  await open('tables?v.table=theory');
  await expect(page.locator('h1')).toContainText('Solved in');
  const svg = (await figure(page, 'Theoretical memory cut-off', 'Single column, 89 mm', 'SVG')).toString();
  expect(svg.slice(0, 300)).toMatch(/^<svg [^>]*width="89mm"/);
  for (const name of ['VGG-16', 'ResNet-152', 'DenseNet-201', 'Inception-v3', 'CustomNet'])
    expect(svg.split(`>${name}<`).length - 1, name).toBe(1);
});

test('a PDF is vectors with text in a standard font, as wide as the column', async ({ page, compare }) => {
  await compare(VIEW);
  const pdf = (await figure(page, ZIGZAG, 'Double column, 183 mm', 'PDF')).toString('latin1');
  expect(pdf).toMatch(/^%PDF-1\./);
  const [, , , width, height] = /\/MediaBox \[(\S+) (\S+) (\S+) (\S+)\]/.exec(pdf)!.map(Number);
  expect(width).toBeCloseTo((183 / 25.4) * 72, 0);
  expect(height).toBeGreaterThan(150);
  expect(pdf).toContain('/BaseFont /Helvetica');
  expect(pdf).not.toContain('/Subtype /Image');
});

test('a PNG has 300 pixels per inch, and says so', async ({ page, compare }) => {
  await compare(VIEW);
  const png = await figure(page, 'Memory against recompute', 'Single column, 89 mm', 'PNG');
  expect(png.readUInt32BE(16)).toBeGreaterThanOrEqual(1050);
  expect(png.readUInt32BE(16)).toBeLessThanOrEqual(1052);
  const at = png.indexOf('pHYs');
  expect(png.readUInt32BE(at + 4)).toBe(11811);
  // Still a picture: the browser reads it, checksum and all.
  const size = await page.evaluate(
    async (bytes) => {
      const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: 'image/png' }));
      return bitmap.width;
    },
    [...png],
  );
  expect(size).toBe(png.readUInt32BE(16));
});

test('a figure keeps its own style', async ({ page, compare }) => {
  await compare(VIEW);
  const chart = 'Memory against recompute';
  const drawn = page.getByRole('img', { name: /^Device memory against recompute/ });
  await drawn.evaluate((element) => {
    element.style.opacity = '0.9';
  });
  await figure(page, chart, 'Single column, 89 mm', 'SVG');
  await expect(drawn).toHaveAttribute('style', 'opacity: 0.9;');
});

test('a name beside a point is not repeated in the key', async ({ page, compare }) => {
  await compare('compare?model=resnet18&batch=8&strategies=regular,chen-sqrt,optimal');
  const chart = 'Memory against recompute';
  const region = page.getByRole('region', { name: chart });
  await expect(region.locator('[data-proof]')).toBeAttached();
  await expect(region.locator('[data-point="front"]').first()).toBeAttached();
  for (const size of ['Single column, 89 mm', 'Double column, 183 mm']) {
    const svg = (await figure(page, chart, size, 'SVG')).toString();
    for (const name of ['Regular', 'Chen √n', 'Optimal', 'The front', 'Device memory (GiB)'])
      expect(svg.split(`>${name}</text>`).length - 1, `${name}, ${size}`).toBe(1);
  }
});

test('a graph is a PDF of vectors and text', async ({ page, open }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await open('graph?model=tiny-residual&batch=4&strategies=regular,optimal');
  await expect(page.locator('h1')).not.toContainText('Drawing');
  await page.getByRole('button', { name: 'Save the graph' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Save as PDF' }).click();
  const pdf = (await readFile(await (await download).path())).toString('latin1');
  expect(pdf.slice(0, 5)).toBe('%PDF-');
  const fonts = [...pdf.matchAll(/\/BaseFont \/(\S+)/g)].map(([, name]) => name).sort();
  expect(fonts).toEqual(['Helvetica', 'Helvetica-Bold']);
  expect(pdf.includes('/Subtype /Image')).toBe(false);
});

test('a slide is 16:9', async ({ page, compare }) => {
  await compare(VIEW);
  const png = await figure(page, 'Time overhead', 'Slide, 16:9', 'PNG');
  expect(Math.abs(png.readUInt32BE(16) / png.readUInt32BE(20) - 16 / 9)).toBeLessThan(0.005);
  expect(Math.abs(png.readUInt32BE(16) - 1920)).toBeLessThan(3);
});

test('the dialog is accessible, and its key opens and closes it', async ({ page, compare }) => {
  await compare(VIEW);
  await opened(page, ZIGZAG);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Figure for print' })).toBeHidden();
});
