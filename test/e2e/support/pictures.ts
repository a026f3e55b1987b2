import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { compared, expect } from './lab-test.ts';

/** The view that README and the documents show: docs/compare-light.png and docs/compare-dark.png. */
export const PICTURED = {
  name: 'compare',
  view: 'compare?model=resnet152&batch=96',
  size: { width: 1280, height: 800 },
};

export const OUTLINE = join(import.meta.dirname, '../../../docs/compare.outline.txt');

/** Waits until all that the picture shows is there; ways to fit and the best trade come after the verdict. */
export async function pictured(page: Page): Promise<void> {
  await compared(page);
  await expect(page.getByRole('button', { name: 'More ways' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Best trade');
}

/**
 * The content of a picture of a page as text: all that can be read in it, the figures behind its curves, and where its
 * cards stand in which colours. Places are twentieths of the page, so that another machine's letters change nothing.
 */
export async function outlineOf(page: Page): Promise<string> {
  await page.mouse.move(0, 0);
  const look = await page.evaluate(() =>
    [...document.querySelectorAll('body, nav, header, section, svg path[stroke]')]
      .filter((element) => element.getClientRects().length > 0)
      .map((element) => {
        const { left, width } = element.getBoundingClientRect();
        const share = (pixels: number): number => Math.round((20 * pixels) / window.innerWidth);
        const { backgroundColor, stroke } = getComputedStyle(element);
        const place = element.matches('path') ? stroke : `${share(left)} ${share(width)} ${backgroundColor}`;
        return `${element.tagName.toLowerCase()} ${place}`;
      }),
  );
  const shown = [
    'nav',
    'header',
    'main section[aria-label="Result"]',
    'main section[aria-label^="Live memory"]',
  ];
  const read = await Promise.all(shown.map((part) => page.locator(part).first().ariaSnapshot()));
  // A cell is said again by its row.
  const lines = read
    .join('\n')
    .split('\n')
    .filter((line) => !/^ *- (cell|\/url)/.test(line));
  return `${[...lines, ...new Set(look)].join('\n')}\n`;
}
