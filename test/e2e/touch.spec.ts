import type { CDPSession, Locator, Page } from '@playwright/test';
import { compared, expect, test } from './support/lab-test.ts';

test.use({ viewport: { width: 820, height: 1180 }, hasTouch: true });

type Finger = readonly [x: number, y: number];
const line = (x: number, y: number, toX: number, toY: number): readonly [from: Finger, to: Finger] => [
  [x, y],
  [toX, toY],
];

/** Moves fingers along straight lines, from the first of their places to the last. */
async function touch(
  page: Page,
  ...fingers: readonly (readonly [from: Finger, to: Finger])[]
): Promise<void> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', share: number, count = fingers.length) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: fingers.slice(0, count).map(([[x, y], [toX, toY]], id) => ({
        x: x + (toX - x) * share,
        y: y + (toY - y) * share,
        id,
      })),
    });
  // One after another, as they come down.
  for (let count = 1; count <= fingers.length; count++) await send('touchStart', 0, count);
  for (let i = 1; i <= 8; i++) await send('touchMove', i / 8);
  await send('touchEnd', 1, 0);
  await session.detach();
}

async function middle(part: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  await part.scrollIntoViewIfNeeded();
  const box = await part.boundingBox();
  if (box === null) throw new Error('it is not there');
  const { x, y, width, height } = box;
  return { x: x + width / 2, y: y + height / 2, width, height };
}

const value = (part: Locator, name = 'aria-valuenow'): Promise<number> =>
  part.getAttribute(name).then((text) => Number(text));

test('on a zigzag one finger moves the cursor or scrolls the page, and two zoom and move', async ({
  page,
  compare,
}) => {
  await compare('compare?model=resnet18&batch=8&input=64&strategies=regular,chen-sqrt');
  const cursor = page.getByRole('slider', { name: 'Step of the training step' });
  const { x, y, width } = await middle(cursor);
  await touch(page, line(x - 100, y, x + 100, y + 4));
  await expect(page.getByText('Held at the cursor')).toBeVisible();
  const held = (await value(cursor)) / (await value(cursor, 'aria-valuemax'));
  expect(held).toBeCloseTo(0.5 + 100 / width, 1);

  const [from, to] = ['Start of the part in view', 'End of the part in view'].map((name) =>
    page.getByRole('slider', { name }),
  ) as [Locator, Locator];
  const whole = await value(to);
  await touch(page, line(x - 60, y, x - 120, y), line(x + 60, y, x + 120, y));
  const [left, right] = [await value(from), await value(to)];
  expect((right - left) / whole).toBeCloseTo(0.5, 1);
  expect((left + right) / 2 / whole).toBeCloseTo(0.5, 1);

  await touch(page, line(x - 60, y, x - 120, y), line(x + 60, y, x, y));
  const [moved, end] = [await value(from), await value(to)];
  expect(moved).toBeGreaterThan(left);
  expect((end - moved) / (right - left)).toBeCloseTo(1, 1);

  const scrolled = (): Promise<number> => page.locator('main').evaluate((main) => main.scrollTop);
  const before = await scrolled();
  await touch(page, line(x, y + 100, x, y - 200));
  await expect.poll(scrolled).toBeGreaterThan(before);
  expect([await value(from), await value(to)]).toEqual([moved, end]);
});

test('a finger on the limit’s grip drags it, and the plan within it becomes the budget', async ({
  page,
  compare,
}) => {
  await compare('compare?model=resnet18&batch=8&input=64&strategies=regular,chen-sqrt,budget');
  const handle = page.getByRole('slider', { name: /^Memory limit/ });
  const top = await value(handle);
  const { x, y } = await middle(handle.locator('i'));
  await touch(page, line(x, y, x, y + 80));
  await expect(page).toHaveURL(/budgetBytes=\d+/);
  await compared(page);
  expect(await value(handle)).toBeLessThan(top);
  expect(await page.locator('main').evaluate((main) => main.scrollTop)).toBe(0);
});

test('a graph is moved by one finger, zoomed by two, and a tensor chosen by a tap', async ({
  page,
  open,
}) => {
  await open('graph?model=tiny-residual&batch=4&strategies=regular,optimal');
  await expect(page.locator('h1')).toContainText('tensors joined by');
  const canvas = page.getByTestId('graph-canvas');
  const view = canvas.locator('.react-flow__viewport');
  await expect(canvas.locator('.react-flow__node').first()).toBeVisible();
  const place = (): Promise<number[]> =>
    view.evaluate((element) => {
      const { a, e, f } = new DOMMatrix(getComputedStyle(element).transform);
      return [a, e, f];
    });
  const { x, y, width } = await middle(canvas);
  const free = x - width / 2 + 24;
  const [zoom, left] = (await place()) as [number, number];
  await touch(page, line(free, y, free + 80, y));
  await expect.poll(async () => (await place())[1]).toBeGreaterThan(left + 40);
  await touch(page, line(x - 40, y, x - 120, y), line(x + 40, y, x + 120, y));
  await expect.poll(async () => (await place())[0]).toBeGreaterThan(zoom * 1.5);
  const node = canvas.locator('[data-vertex]').first();
  await page.getByRole('button', { name: 'See the whole graph' }).tap();
  await node.tap();
  await expect(page).toHaveURL(/v\.at=/);
});

test('a lesson’s sliders and zigzag follow a finger', async ({ page, open }) => {
  await open('learn?v.lesson=sqrt&v.k=6');
  const step = page.getByRole('slider', { name: 'Step', exact: true }).first();
  await expect(step).toBeVisible();
  const box = await middle(step);
  await touch(page, line(box.x - box.width * 0.4, box.y, box.x + box.width * 0.3, box.y));
  const share = (await value(step)) / (await value(step, 'aria-valuemax'));
  expect(share).toBeGreaterThan(0.6);
  expect(share).toBeLessThan(0.95);
  const size = page.getByRole('slider', { name: 'Layers N' });
  const before = Number(await size.inputValue());
  const field = await middle(size);
  expect(field.height).toBeGreaterThanOrEqual(36);
  await touch(page, line(field.x, field.y, field.x + field.width * 0.4, field.y));
  await expect.poll(() => size.inputValue().then(Number)).toBeGreaterThan(before);
});
