import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from './support/lab-test.ts';
import { WALK } from './support/walk.ts';

/** Ignored by git, as those of the wide windows. */
const FOLDER = join(import.meta.dirname, '..', '..', 'screenshots');
const ONLY = process.env['ZIGZAG_SHOTS']?.split(',');

for (const { size, viewport, scale } of [
  { size: 'tablet', viewport: { width: 820, height: 1180 }, scale: 1 },
  // 1280 x 800 at twice the size.
  { size: 'zoomed', viewport: { width: 640, height: 400 }, scale: 2 },
] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(() => {
      test.use({
        actionTimeout: 15_000,
        hasTouch: true,
        colorScheme,
        reducedMotion: 'reduce',
        viewport,
        deviceScaleFactor: scale,
      });

      test(`${size}, ${colorScheme}`, async ({ page, open }) => {
        mkdirSync(FOLDER, { recursive: true });
        for (const { name, view, ready, isDialog } of WALK) {
          if (ONLY !== undefined && view !== undefined && !ONLY.some((one) => name.startsWith(one))) continue;
          if (view !== undefined) await open(view);
          await ready(page).catch((error) => console.log(name, String(error).slice(0, 400)));
          await page.waitForTimeout(300);
          const path = (part: string) => join(FOLDER, `${name}-${colorScheme}-${size}${part}.png`);
          await page.screenshot({ path: path('') });
          if (isDialog) {
            await page.keyboard.press('Escape');
            continue;
          }
          if (size === 'zoomed') {
            await page.screenshot({ path: path('-whole'), fullPage: true });
            continue;
          }
          // The screen scrolls within the window: a window as high as it is.
          const height = await page
            .locator('main')
            .evaluate((main) => main.scrollHeight + main.getBoundingClientRect().top);
          await page.setViewportSize({ width: viewport.width, height: Math.ceil(height) });
          await page.waitForTimeout(300);
          await page.screenshot({ path: path('-whole') });
          await page.setViewportSize(viewport);
        }
      });
    });
  }
}
