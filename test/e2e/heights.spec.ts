import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, saved, test } from './support/lab-test.ts';

const LIMITS = 'limits?model=resnet18&batch=16&strategies=regular,chen-greedy,optimal';
const COMPARE = 'compare?model=resnet18&batch=8&strategies=regular,chen-sqrt,optimal';

const axisOf = (page: Page, chart: string | RegExp): Locator =>
  page.getByRole('region', { name: chart }).getByRole('slider', { name: 'Vertical axis in view' });
const curve = (page: Page): Locator =>
  page.getByTestId('memory').locator('.recharts-line-curve[data-curve="regular"]');

async function limited(page: Page): Promise<void> {
  await expect(page.locator('h1')).toContainText(/^On an? /);
  await expect(page.locator('h1')).toHaveAttribute('aria-busy', 'false');
}

/** Drags along an axis from one share of its length, from its lower end, to another. */
async function dragged(page: Page, axis: Locator, from: number, to: number): Promise<void> {
  await axis.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await axis.boundingBox())!;
  await page.mouse.move(x + width / 2, y + (1 - from) * height);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + (1 - (from + to) / 2) * height);
  await page.mouse.move(x + width / 2, y + (1 - to) * height);
  await page.mouse.up();
}

test('a drag along the axis of memory against batch zooms to its range, a double click shows all', async ({
  page,
  open,
}) => {
  await open(LIMITS);
  await limited(page);
  const axis = axisOf(page, 'Memory against batch');
  const all = (await axis.getAttribute('aria-valuetext')) ?? '';
  const whole = (await curve(page).getAttribute('d')) ?? '';
  await dragged(page, axis, 0.5, 0.75);
  await expect(axis).toHaveAttribute('aria-valuenow', '50');
  await expect(curve(page)).not.toHaveAttribute('d', whole);
  await axis.dblclick();
  await expect(axis).toHaveAttribute('aria-valuetext', all);
  await expect(curve(page)).toHaveAttribute('d', whole);

  await axis.focus();
  await page.keyboard.press('+');
  await expect(curve(page)).not.toHaveAttribute('d', whole);
  await page.keyboard.press('0');
  await expect(curve(page)).toHaveAttribute('d', whole);
  await page.getByRole('slider', { name: 'Batch size' }).first().focus();
  await page.keyboard.press('Alt+Equal');
  await expect(curve(page)).not.toHaveAttribute('d', whole);
  await page.keyboard.press('Alt+0');
  await expect(curve(page)).toHaveAttribute('d', whole);
});

test('memory against batch is logarithmic, and a saved figure says so', async ({ page, open }) => {
  await open(LIMITS);
  await limited(page);
  const card = page.getByRole('region', { name: 'Memory against batch' });
  await card.getByRole('button', { name: 'Vertical axis' }).click();
  await page.getByRole('menuitemradio', { name: 'Logarithmic' }).click();
  await expect(axisOf(page, 'Memory against batch')).toHaveAttribute('aria-valuetext', /logarithmic$/);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save the chart Memory against batch' }).click();
  const svg = await saved(page, 'Save as SVG');
  expect(svg).toContain('>Memory on the device (GiB, logarithmic)</text>');
});

test('the front zooms, without a logarithmic axis, because zero recompute has no logarithm', async ({
  page,
  compare,
}) => {
  await compare(COMPARE);
  const card = page.getByRole('region', { name: 'Memory against recompute' });
  const named = card.locator('[data-point="regular"]');
  await expect(named).toHaveCount(1);
  await dragged(page, axisOf(page, 'Memory against recompute'), 0.4, 0.9);
  await expect(named).toHaveCount(0);
  await card.getByRole('button', { name: 'Vertical axis' }).click();
  await expect(page.getByRole('menuitemradio', { name: /Not logarithmic/ })).toBeDisabled();
  await page.getByRole('menuitem', { name: /Show the whole height/ }).click();
  await expect(named).toHaveCount(1);
});

test('the zigzag’s vertical view is in the link', async ({ page, compare }) => {
  await compare(`${COMPARE}&v.height=log-0.5-1`);
  const axis = axisOf(page, 'Live memory');
  await expect(axis).toHaveAttribute('aria-valuenow', '50');
  await expect(axis).toHaveAttribute('aria-valuetext', /logarithmic$/);
  await axis.focus();
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/v\.height=log-0\.45-0\.95/);
  await page.keyboard.press('0');
  await expect(page).toHaveURL(/v\.height=log(&|$)/);
});

test.describe('with fingers', () => {
  test.use({ hasTouch: true });

  test('one finger along the axis zooms to its range', async ({ page, open }) => {
    await open(LIMITS);
    await limited(page);
    const axis = axisOf(page, 'Memory against batch');
    const { x, y, width, height } = (await axis.boundingBox())!;
    const touches = await page.context().newCDPSession(page);
    const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', share: number) =>
      touches.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: x + width / 2, y: y + (1 - share) * height }],
      });
    await finger('touchStart', 0.8);
    for (const share of [0.7, 0.6, 0.5, 0.4]) await finger('touchMove', share);
    await finger('touchEnd', 0.4);
    await expect(axis).toHaveAttribute('aria-valuenow', '40');
  });
});
