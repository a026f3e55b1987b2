import { execFileSync, spawnSync } from 'node:child_process';
import type { Page } from '@playwright/test';
import { LESSONS } from '../../renderer/state/learn/lessons.ts';
import { expect, expectAccessible, still, test } from './support/lab-test.ts';

const EXPERIMENT = 'model=tiny-residual&batch=8&strategies=regular,optimal';
const lesson = (page: string): string => `learn?${EXPERIMENT}&v.lesson=${page}`;
const bar = (page: Page) => page.getByRole('navigation', { name: 'Lecture' });

test('a lecture is given with the keyboard: entered, sections, lessons, steps, left', async ({
  page,
  open,
}) => {
  await open(lesson('regular'));
  const enter = page.getByRole('button', { name: 'Lecturer’s mode' });
  await expect(enter).toBeVisible();
  const size = (): Promise<number> =>
    page
      .locator('article p')
      .nth(1)
      .evaluate((one) => one.getBoundingClientRect().height);
  const usual = await size();
  await page.keyboard.press('l');
  await expect(bar(page)).toContainText('1. Why training stores every activation, section 1 of');
  await expect(page.locator('h1')).toBeFocused();
  expect(await size()).toBeGreaterThan(usual);
  await expect(page.getByRole('navigation', { name: 'Screens' })).toHaveCount(0);
  await expect(page.getByText('Network', { exact: true })).toHaveCount(0);
  await expect(page.getByText('solved on this device')).toHaveCount(0);
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText(/^Step 2 of/)).toBeVisible();
  await page.keyboard.press('PageDown');
  await expect(bar(page)).toContainText('section 2 of');
  const frame = (): Promise<number> => page.evaluate(() => document.documentElement.scrollTop);
  expect(await frame()).toBe(0);
  await page.keyboard.press('PageUp');
  await expect(bar(page)).toContainText('section 1 of');
  for (let i = 0; i < 12 && (await page.locator('h1').textContent()) !== 'The pebble game'; i++)
    await page.keyboard.press('PageDown');
  await expect(page.locator('h1')).toHaveText('The pebble game');
  await expect(bar(page)).toContainText('section 1 of');
  await page.keyboard.press('Shift+PageDown');
  await expect(page.locator('h1')).toHaveText('Store nothing, recompute everything');
  // The address follows within half a second, and a reload reads it.
  await expect(page).toHaveURL(/v\.lesson=poor/);
  await page.reload();
  await expect(bar(page)).toContainText('3. Store nothing');
  // A field takes its letters, and Escape first leaves the field.
  const field = page.getByLabel('Your answer, in forwards');
  await field.focus();
  await page.keyboard.type('l2');
  await expect(field).toHaveValue('l2');
  await page.keyboard.press('Escape');
  await expect(bar(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(bar(page)).toHaveCount(0);
  await expect(enter).toBeFocused();
  await expect(page.getByRole('navigation', { name: 'Screens' })).toBeVisible();
  await expect(page).not.toHaveURL(/v\.lecture/);
});

test('a lesson fits its window, so that only the lesson scrolls', async ({ page, open }) => {
  for (const name of ['branches', 'orders', 'sqrt']) {
    await open(lesson(name));
    await expect(page.getByRole('form').first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0);
  }
});

test('the enlarged zigzag and curve follow the pointer', async ({ page, open }) => {
  await open(`${lesson('sqrt')}&v.lecture=1`);
  const curve = page.getByRole('slider', { name: 'Segment length k' }).last();
  await still(curve);
  const box = (await curve.boundingBox())!;
  await page.mouse.click(box.x + box.width * 0.5, box.y + box.height / 2);
  // The axis ends at 40.
  await expect(page.getByRole('heading', { name: 'Segments of 20' })).toBeVisible();
});

test.describe('without motion', () => {
  test.use({ reducedMotion: 'reduce' });
  for (const name of ['sqrt', 'branches', 'orders'])
    test(`a lecture on ${name} is accessible`, async ({ page, open }) => {
      await open(`${lesson(name)}&v.lecture=1`);
      await expect(bar(page)).toBeVisible();
      await expectAccessible(page);
    });
});

const READS_PDF = spawnSync('pdftotext', ['-v']).error === undefined;

/** The text of a PDF, page by page, with single spaces. */
function textOf(pdf: Buffer): string[] {
  const text = execFileSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' });
  return text.split('\f').map((page) => page.replaceAll(/\s+/g, ' ').trim());
}

test.describe('on paper', () => {
  test.use({ colorScheme: 'dark' });
  for (const { id, title } of LESSONS) {
    test(`${id} is printed whole`, async ({ page, open }, info) => {
      test.skip(info.project.name === 'desktop', 'one Chromium prints as the other');
      test.skip(!READS_PDF, 'pdftotext is not installed; it comes with poppler-utils');
      await open(lesson(id));
      await expect(page.locator('h1')).toHaveText(title);
      if (id === 'theory') await expect(page.getByText(/^Sum of all bars/)).toBeVisible();
      const wanted = await page.evaluate(() => ({
        headings: [...document.querySelectorAll('article h1, article h2, article h3')].map(
          (one) => one.textContent ?? '',
        ),
        sentences: [...document.querySelectorAll('article p')]
          .filter((one) => one.closest('nav') === null && !one.matches('[role="status"] p'))
          .map((one) => (one.textContent ?? '').slice(0, 24).trim())
          .filter((text) => text.length > 16),
      }));
      const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
      const pages = textOf(pdf);
      const all = pages.join(' ').replaceAll(/\s/g, '');
      for (const text of [...wanted.headings, ...wanted.sentences])
        expect(all, text).toContain(text.replaceAll(/\s/g, ''));
      expect(all).toContain(`v.lesson=${id}`);
      for (const control of ['Checkwith', 'Givea hint', 'Showtheanswer', 'Leave(Esc)', 'Goonto', 'Playback'])
        expect(all).not.toContain(control.replaceAll(/\s/g, ''));
      // Print-only elements are gone, and the colours are back.
      await expect(page.locator('[data-printed]')).toHaveCount(0);
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
    });
  }

  test('Compare prints its current state, as wide as the page, in the light theme', async ({
    page,
    compare,
  }, info) => {
    test.skip(info.project.name === 'desktop', 'one Chromium prints as the other');
    await compare('compare?model=chain-8&batch=8&strategies=regular,optimal');
    const heightOf = () =>
      page
        .getByTestId('zigzag')
        .locator('svg[data-layer="curves"]')
        .evaluate((svg) => svg.clientHeight);
    const height = await heightOf();
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await page.setViewportSize({ width: 720, height: 900 });
    await page.emulateMedia({ media: 'print' });
    expect(await heightOf()).toBeGreaterThan(height / 2);
    const seen = await page.locator('main').evaluate((main) => ({
      width: main.getBoundingClientRect().width,
      buttons: [...main.querySelectorAll('[aria-haspopup="menu"], .mantine-Button-root')].filter(
        (one) => one.getClientRects().length > 0,
      ).length,
    }));
    expect(seen.width).toBeLessThanOrEqual(701);
    expect(seen.buttons).toBe(0);
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
  });

  test('a printed page has complete pictures on white, and the steps of a player', async ({
    page,
    open,
  }, info) => {
    test.skip(info.project.name === 'desktop', 'one Chromium prints as the other');
    await open(lesson('regular'));
    await expect(page.getByText(/^Step 1 of 20/)).toBeVisible();
    // As the browser does before it prints, at the width of a page.
    await page.setViewportSize({ width: 688, height: 900 });
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await expect(page.locator('[data-printed="6"] figure')).toHaveCount(6);
    const seen = await page.evaluate(() => {
      const main = document.querySelector('main')!;
      const room = main.getBoundingClientRect();
      const wide = [...main.querySelectorAll('svg')]
        .map((one) => one.getBoundingClientRect())
        .filter((box) => box.width > 0 && box.right > room.right + 1);
      const clipped = [...main.querySelectorAll('*')].filter(
        (one) =>
          ['auto', 'scroll', 'hidden'].includes(getComputedStyle(one).overflowX) &&
          one.clientWidth > 8 &&
          one.scrollWidth > one.clientWidth + 1,
      );
      const shown = [...main.querySelectorAll('button, [role="slider"]')].filter(
        (one) => one.getClientRects().length > 0,
      );
      return {
        wide: wide.length,
        clipped: clipped.map(({ outerHTML }) => outerHTML.slice(0, 100)),
        shown: shown.map(({ textContent }) => textContent),
        ink: getComputedStyle(document.body).color,
      };
    });
    expect(seen).toEqual({ wide: 0, clipped: [], shown: [], ink: 'rgb(22, 25, 29)' });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  });

  test('the button prints', async ({ page, open }) => {
    await open(lesson('poor'));
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-asked', '');
    });
    await page.getByRole('button', { name: 'Print or save as PDF' }).click();
    await expect(page.locator('body')).toHaveAttribute('data-asked', '');
  });
});
