import { readFileSync } from 'node:fs';
import { expect, test } from './support/lab-test.ts';
import { OUTLINE, outlineOf, PICTURED, pictured } from './support/pictures.ts';

test.use({ colorScheme: 'light', reducedMotion: 'reduce' });

test('pictures of the documents show the screen of today', async ({ page, open }) => {
  await page.setViewportSize(PICTURED.size);
  await open(PICTURED.view);
  await pictured(page);
  expect(await outlineOf(page), 'take the pictures again: npm run screenshots').toBe(
    readFileSync(OUTLINE, 'utf8'),
  );
});
