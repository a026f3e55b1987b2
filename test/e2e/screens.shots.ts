import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './support/lab-test.ts';
import { OUTLINE, outlineOf, PICTURED, pictured } from './support/pictures.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Ignored by git. */
const FOLDER = join(ROOT, 'screenshots');
const SIZES = [PICTURED.size, { width: 1920, height: 1080 }] as const;

interface Shot {
  readonly name: string;
  /** Address of the view, without `#/`. */
  readonly view: string;
  readonly ready: (page: Page) => Promise<void>;
}

/** Every screen as a visitor meets it; a new screen is one entry. */
const SHOTS: readonly Shot[] = [
  { ...PICTURED, ready: pictured },
  {
    name: 'graph',
    view: 'graph?model=resnet50&batch=64&strategies=regular,chen-sqrt,optimal,live',
    ready: drawn,
  },
  { name: 'tables', view: 'tables?model=resnet50&batch=64', ready: settledOn(/cut-offs are within/) },
  {
    name: 'limits',
    view: 'limits?model=resnet50&batch=64&strategies=regular,chen-sqrt,random,optimal,live',
    ready: settledOn(/^On an /),
  },
  { name: 'learn', view: 'learn?model=resnet50&batch=64&v.lesson=sqrt&v.k=6', ready: titled },
  { name: 'train', view: 'train?model=resnet18&batch=8&input=32&strategies=regular,optimal', ready: trained },
];

/** Waits for a screen's headline, and until nothing more comes. */
function settledOn(sentence: RegExp): (page: Page) => Promise<void> {
  return async (page) => {
    await expect(page.locator('h1')).toContainText(sentence);
    await expect(page.locator('h1')).toHaveAttribute('aria-busy', 'false');
  };
}

async function drawn(page: Page): Promise<void> {
  await expect(page.locator('h1')).toContainText('tensors joined by');
  await expect(page.getByTestId('graph-canvas').locator('[data-ring="optimal"]').first()).toBeAttached();
}

async function titled(page: Page): Promise<void> {
  await expect(page.locator('h1')).toBeVisible();
}

async function trained(page: Page): Promise<void> {
  await page.getByLabel('Iterations').fill('6');
  await page.getByLabel('Run regular first').check();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.locator('h1')).toContainText(/Optimal on .* just as predicted/);
}

/** Keeps the first picture that is like the one before it. */
async function takePicture(page: Page, file: string): Promise<void> {
  let former = await page.screenshot();
  const isStill = async (): Promise<boolean> => {
    const picture = await page.screenshot();
    const same = picture.equals(former);
    former = picture;
    return same;
  };
  await expect.poll(isStill).toBe(true);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(file, former);
}

for (const { name, view, ready } of SHOTS) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(() => {
      test.use({ colorScheme, reducedMotion: 'reduce' });

      test(`${name}, ${colorScheme}`, async ({ page, open }) => {
        await page.setViewportSize(SIZES[0]);
        await open(view);
        await ready(page);
        for (const size of SIZES) {
          await page.setViewportSize(size);
          await page.mouse.move(0, 0);
          const file = join(FOLDER, `${name}-${colorScheme}-${size.width}x${size.height}.png`);
          await takePicture(page, file);
          if (name !== PICTURED.name || size !== PICTURED.size) continue;
          copyFileSync(file, join(ROOT, 'docs', `${name}-${colorScheme}.png`));
          if (colorScheme === 'light') writeFileSync(OUTLINE, await outlineOf(page));
        }
      });
    });
  }
}
