import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, still, test } from './support/lab-test.ts';

const RESNET = 'graph?model=resnet50&batch=64&strategies=regular,chen-sqrt,optimal,live';

const canvas = (page: Page) => page.getByTestId('graph-canvas');
const vertex = (page: Page, id: string) => canvas(page).locator(`[data-vertex="${id}"]`);
const block = (page: Page, path: string) => canvas(page).locator(`[data-block="${path}"]`);

async function drawn(page: Page): Promise<void> {
  await expect(page.locator('h1')).toContainText('tensors joined by');
  await expect(canvas(page).locator('.react-flow__node').first()).toBeVisible();
}

/** Box of an element once the drawing has settled in the window. */
async function settledBox(box: Locator) {
  await still(box);
  return box.boundingBox();
}

test('opens with large blocks closed, and opens and closes one in place', async ({ page, open }) => {
  await open(RESNET);
  await drawn(page);
  await expect(block(page, 'layer1.0')).toBeVisible();
  await expect(vertex(page, 'layer1.0.conv1')).toHaveCount(0);
  const before = await settledBox(block(page, 'layer2.1'));
  await block(page, 'layer2.1').click();
  await expect(vertex(page, 'layer2.1.conv1')).toBeVisible();
  const frame = canvas(page).locator('[data-frame="layer2.1"]');
  const after = await settledBox(frame);
  expect(Math.abs((after?.x ?? 0) - (before?.x ?? 0))).toBeLessThan(4);
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(4);
  await frame.getByRole('button').click();
  await expect(block(page, 'layer2.1')).toBeVisible();
});

test('rings checkpoints in the colours of their strategies', async ({ page, open }) => {
  await open('graph?model=alexnet&batch=64&strategies=regular,chen-sqrt,optimal');
  await drawn(page);
  await expect(canvas(page).locator('[data-ring="optimal"]').first()).toBeAttached();
  await expect(canvas(page).locator('[data-ring="chen-sqrt"]').first()).toBeAttached();
  await page.getByRole('checkbox', { name: /Chen/ }).uncheck();
  await expect(canvas(page).locator('[data-ring="chen-sqrt"]')).toHaveCount(0);
});

test('finds a tensor inside closed blocks and centres it', async ({ page, open }) => {
  await open(RESNET);
  await drawn(page);
  await page.getByRole('textbox', { name: 'Find a tensor' }).fill('layer3.4.conv2');
  await page.getByRole('option', { name: /layer3\.4\.conv2/ }).click();
  await expect(vertex(page, 'layer3.4.conv2')).toHaveAttribute('data-current', 'true');
  await expect(page.getByRole('region', { name: 'Chosen tensor' })).toContainText('conv2d');
  const window = await canvas(page).boundingBox();
  await expect
    .poll(async () => {
      const place = await vertex(page, 'layer3.4.conv2').boundingBox();
      if (place === null || window === null) return 1e9;
      return Math.abs(place.x + place.width / 2 - window.x - window.width / 2);
    })
    .toBeLessThan(80);
  await expect(page).toHaveURL(/v\.at=layer3\.4\.conv2/);
});

test('walks along edges with the arrow keys', async ({ page, open }) => {
  await open('graph?model=customnet&batch=8&strategies=regular,optimal');
  await drawn(page);
  await canvas(page).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('region', { name: 'Chosen tensor' })).toContainText('input');
  await page.keyboard.press('ArrowDown');
  await expect(canvas(page).locator('[data-current]')).toHaveAttribute('data-vertex', /wide|deep/);
  await page.keyboard.press('ArrowUp');
  await expect(canvas(page).locator('[data-current]')).toHaveAttribute('data-vertex', 'input');
});

test('slides the max term: fewer checkpoints above the optimum, more below', async ({ page, open }) => {
  await open('graph?model=resnet50&batch=64&strategies=regular,optimal&v.panel=division');
  await drawn(page);
  const slider = page.getByRole('slider', { name: /Max term C/ });
  await expect(slider).toHaveAttribute('aria-valuetext', /the optimum$/);
  const count = async (): Promise<number> =>
    Number(/(\d+) checkpoints/.exec((await slider.getAttribute('aria-valuetext')) ?? '')?.[1]);
  const optimum = await count();
  await slider.focus();
  await page.keyboard.press('PageUp');
  expect(await count()).toBeLessThan(optimum);
  await page.keyboard.press('o');
  await page.keyboard.press('PageDown');
  expect(await count()).toBeGreaterThan(optimum);
  await page.getByRole('button', { name: 'Go to the optimum' }).click();
  expect(await count()).toBe(optimum);
  const tree = page.getByRole('tree');
  await tree.getByRole('treeitem').nth(1).click();
  await expect(tree.getByRole('treeitem').nth(1)).toHaveAttribute('aria-selected', 'true');
});

test('compares own checkpoints, and says which of them Eq. 2 does not cover', async ({ page, open }) => {
  await open(`${RESNET}&v.panel=yours`);
  await drawn(page);
  await block(page, 'layer1.1').click();
  await page.getByRole('button', { name: 'See the whole graph' }).click();
  await vertex(page, 'layer1.1.relu').click();
  const verdict = page.locator('[role="status"]', { hasText: 'independent segment' });
  await expect(verdict).toContainText(/because layer1\S+ needs layer1\S+/);
  await expect(page.getByTestId('own-zigzag').locator('[data-curve="manual"]')).toBeAttached();
  await vertex(page, 'layer1.1.relu').click();
  await expect(verdict).toHaveCount(0);
  await vertex(page, 'layer1.1.relu_2').click();
  await expect(page.getByText(/against the optimum/)).toBeVisible();
  await expect(page.getByTestId('own-zigzag').locator('[data-curve="manual"]')).toBeAttached();
  await expect(page).toHaveURL(/checkpoints=layer1\.1\.relu_2/);
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByText('Start from the optimum')).toBeVisible();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(vertex(page, 'layer1.1.relu_2').locator('[data-ring="manual"]')).toBeAttached();
});

test('a block that is still opening is seen whole too', async ({ page, open }) => {
  await open(RESNET);
  await drawn(page);
  await still(block(page, 'layer1.1'));
  await page.evaluate(() => {
    document.querySelector<HTMLElement>('[data-block="layer1.1"]')?.click();
    document.querySelector<HTMLElement>('[aria-label="See the whole graph"]')?.click();
  });
  for (const name of ['conv1', 'relu_2']) await expect(vertex(page, `layer1.1.${name}`)).toBeVisible();
});

test('draws the tree of bags, each of which lights its tensors', async ({ page, open }) => {
  await open('graph?model=tiny-residual&batch=8&strategies=regular,optimal&v.panel=bags');
  await drawn(page);
  await expect(page.getByText(/treewidth at most 2, found by min-fill/)).toBeVisible();
  const tree = page.getByRole('tree', { name: 'Bags' });
  await tree.getByRole('treeitem').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(tree.getByRole('treeitem').nth(2)).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('[data-vertex]:not([data-dim])')).toHaveCount(3);
  await expect(page).toHaveURL(/v\.bag=\d+/);
  await expectAccessible(page);
});

test('draws 1,500 tensors without blocking the page', async ({ page, open }) => {
  await page.addInitScript(() => {
    const tasks: number[] = [];
    Object.assign(globalThis, { tasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: 'longtask', buffered: true });
  });
  await open('graph?model=chain-1500&batch=8&strategies=regular');
  await drawn(page);
  await page.getByRole('textbox', { name: 'Find a tensor' }).fill('v1234');
  await page.getByRole('option', { name: /v1234/ }).click();
  await expect(vertex(page, 'v1234')).toBeVisible();
  const tasks = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks);
  // Nothing that a key or a drag would have to wait for as long as the 2 s that the whole may take.
  expect(Math.max(...tasks)).toBeLessThan(2000);
});

test('says what to do about a network that it cannot draw', async ({ page, open }) => {
  await open('graph?model=nosuchnet&batch=8&strategies=regular');
  await expect(page.locator('h1')).toContainText('No drawing of');
  await expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible();
  await open('graph?model=densenet201&batch=8&input=1&strategies=regular');
  await expect(page.locator('h1')).toHaveText('No drawing of DenseNet-201');
  await expect(page.getByText('densenet201 needs 29 or more (an image of 29x29), got 1')).toBeVisible();
});

test('has no accessibility violations', async ({ page, open }) => {
  for (const panel of ['strategies', 'division', 'bags', 'yours']) {
    await open(
      `graph?model=customnet&batch=8&strategies=regular,optimal,live&v.panel=${panel}&v.at=wide.cat`,
    );
    await page.reload();
    await drawn(page);
    await still(canvas(page).locator('.react-flow__node').first());
    await expectAccessible(page);
  }
});
