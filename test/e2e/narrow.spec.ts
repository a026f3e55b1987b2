import type { Page } from '@playwright/test';
import { LESSONS } from '../../renderer/state/learn/lessons.ts';
import { layoutFaults } from './support/layout-faults.ts';
import { expect, expectAccessible, test } from './support/lab-test.ts';
import { WALK } from './support/walk.ts';

const PHONE = { width: 390, height: 844 };
const TABLET = { width: 820, height: 1180 };
/** 1280 x 800 at twice the size. */
const ZOOMED = { width: 640, height: 400 };

const LOOKS = [
  { viewport: PHONE, looks: ['layout'] },
  { viewport: TABLET, looks: ['layout'] },
  { viewport: ZOOMED, looks: ['layout', 'axe'] },
] as const;

for (const { viewport, looks } of LOOKS) {
  test.describe(`at ${viewport.width} pixels`, () => {
    test.use({ reducedMotion: 'reduce', viewport, hasTouch: true });

    test(`every screen and dialog: ${looks.join(' and ')}`, async ({ page, open }) => {
      const faults: Record<string, readonly string[]> = {};
      for (const { name, view, ready, isDialog = false, isLarge = false } of WALK) {
        const top = isDialog ? '[role="dialog"]' : undefined;
        if (view !== undefined) await open(view);
        await ready(page);
        if (looks.some((look) => look === 'axe') && !isLarge) await expectAccessible(page, top);
        if (looks.some((look) => look === 'layout')) {
          const found = await layoutFaults(page, top);
          if (found.length > 0) faults[name] = found;
        }
        if (isDialog) await page.keyboard.press('Escape');
      }
      expect(faults).toEqual({});
    });
  });
}

/** Boxes of the screen that scroll, and texts of charts that are cut. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const scrollers = [...document.querySelectorAll<HTMLElement>('main *:not(svg, svg *)')].filter((box) => {
      const { overflowX, overflowY } = getComputedStyle(box);
      const scrolls = (how: string): boolean => how === 'auto' || how === 'scroll';
      const isHigh = scrolls(overflowY) && box.scrollHeight > box.clientHeight;
      return box.clientWidth > 1 && (isHigh || (scrolls(overflowX) && box.scrollWidth > box.clientWidth));
    });
    const texts = [...document.querySelectorAll<SVGTextElement>('main svg:not(.react-flow *) text')];
    const cut = texts.filter((text) => {
      const [own, whole] = [text, text.ownerSVGElement!].map((one) => one.getBoundingClientRect());
      return own!.width > 0 && (own!.right > whole!.right + 1 || own!.left < whole!.left - 1);
    });
    return [...scrollers.map(({ className }) => className), ...cut.map(({ textContent }) => textContent)];
  });

test('nothing within a card scrolls and no text of a chart is cut', async ({ page, open }) => {
  const compare = 'compare?model=resnet50&batch=64';
  const views = [
    'limits?model=resnet18&batch=8&strategies=regular,optimal',
    'graph?model=game-branch&batch=32&strategies=regular&v.panel=game',
    ...LESSONS.map(({ id }) => `learn?v.lesson=${id}`),
    compare,
  ];
  // A classic scrollbar takes 15 pixels from the screen.
  await page.setViewportSize({ width: 1425, height: 900 });
  for (const view of views) {
    await open(view);
    await expect(page.locator('h1[aria-busy="true"]')).toHaveCount(0);
    await expect(page.locator('main svg').first()).toBeVisible();
    expect(await cutOff(page), view).toEqual([]);
  }
  const step = page.getByRole('slider', { name: 'Step of the training step' });
  await step.hover();
  expect(await cutOff(page), 'with a step pointed at').toEqual([]);
  await page.setViewportSize({ width: 1265, height: 800 });
  await expect.poll(() => cutOff(page), { message: 'at 1280 by 800' }).toEqual([]);
  await page.mouse.move(0, 0);
  await expect(step).toHaveAttribute('aria-valuetext', /^No step/);
  expect(await cutOff(page), 'at 1280 by 800').toEqual([]);
});

test('the experiment is one line that expands to all fields', async ({ page, open }) => {
  const line = page.getByRole('banner').getByRole('button', { name: /^ResNet-18, batch 8/ });
  const batch = page.getByRole('textbox', { name: 'Batch', exact: true });
  for (const viewport of [TABLET, ZOOMED]) {
    await page.setViewportSize(viewport);
    await open('learn?model=resnet18&batch=8&input=64&strategies=regular,optimal,budget&v.lesson=glossary');
    await expect(line).toHaveAttribute('aria-expanded', 'false');
    await expect(batch).toHaveCount(0);
    await line.click();
    await expect(line).toHaveAttribute('aria-expanded', 'true');
    await expect(batch).toBeVisible();
    expect(await layoutFaults(page, 'header:has(~ main)')).toEqual([]);
    await expectAccessible(page, 'header:has(~ main)');
    await page.getByRole('button', { name: 'Double the batch' }).click();
    await expect(
      page.getByRole('banner').getByRole('button', { name: /^ResNet-18, batch 16/ }),
    ).toBeVisible();
    await page.goto('about:blank');
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await open('learn?model=resnet18&batch=8&v.lesson=glossary');
  await expect(line).toBeVisible();
  await expect(batch).toHaveCount(0);
  await open('train?model=resnet18&batch=8');
  await expect(batch).toBeVisible();
  await expect(page.getByLabel('Input size', { exact: true })).toHaveCount(0);
});
