import type { Locator, Page } from '@playwright/test';
import { compared, expect, expectAccessible, test } from './support/lab-test.ts';

// Among the last files: both workers take tests of it.
test.describe.configure({ mode: 'parallel' });

const RESNET = 'compare?model=resnet50&batch=64&strategies=regular,chen-sqrt,optimal&select=optimal';

const cursorOf = (page: Page): Locator => page.getByRole('slider', { name: 'Step of the training step' });
const inView = (page: Page): Locator => page.getByRole('slider', { name: 'Part in view', exact: true });
const curve = (page: Page): Locator => page.getByTestId('zigzag').locator('path[data-curve="optimal"]');
const sum = (page: Page): Locator => page.getByTestId('live-sum');

test('zooms by wheel, keys, buttons and drag; the overview follows, and a link restores it', async ({
  page,
  compare,
}) => {
  await compare(RESNET);
  const cursor = cursorOf(page);
  const whole = await curve(page).getAttribute('d');
  await expect(inView(page)).toHaveAttribute('aria-valuetext', 'the whole step');

  await cursor.hover({ position: { x: 500, y: 110 } });
  await page.mouse.wheel(0, -400);
  await expect(inView(page)).toHaveAttribute('aria-valuetext', /%.* to .*%/);
  expect(await curve(page).getAttribute('d')).not.toBe(whole);
  await cursor.focus();
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await expect(page).toHaveURL(/v\.zoom=[\d.]+-[\d.]+/);
  await page.keyboard.press('0');
  await expect(inView(page)).toHaveAttribute('aria-valuetext', 'the whole step');
  await expect(curve(page)).toHaveAttribute('d', whole ?? '');
  await expect(page).not.toHaveURL(/v\.zoom/);

  await page.getByRole('button', { name: 'Zoom in' }).click();
  await inView(page).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('slider', { name: 'End of the part in view' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page).toHaveURL(/v\.zoom=/);
  await cursor.dblclick({ position: { x: 300, y: 110 } });
  await expect(inView(page)).toHaveAttribute('aria-valuetext', 'the whole step');
  await expect(page).not.toHaveURL(/v\.zoom/);

  const box = (await cursor.boundingBox())!;
  await page.mouse.move(box.x + 200, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y + 50, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/v\.zoom=/);
  const sent = page.url();
  const seen = await inView(page).getAttribute('aria-valuetext');
  await page.goto('about:blank');
  await page.goto(sent);
  await compared(page);
  await expect(inView(page)).toHaveAttribute('aria-valuetext', seen ?? '');
  expect(await curve(page).getAttribute('d')).not.toBe(whole);
});

test('zooms vertically by keys, wheel and menu, and takes the logarithm without areas', async ({
  page,
  compare,
}) => {
  await compare(`${RESNET}&v.memory=activations`);
  const chart = page.getByTestId('zigzag');
  const whole = await curve(page).getAttribute('d');
  const bands = await chart.locator('path[data-band]').count();
  expect(bands).toBeGreaterThan(0);
  const cursor = cursorOf(page);
  await cursor.focus();
  await page.keyboard.press('Alt+Equal');
  await expect(curve(page)).not.toHaveAttribute('d', whole ?? '');
  await expect(inView(page)).toHaveAttribute('aria-valuetext', 'the whole step');
  const middle = await curve(page).getAttribute('d');
  await page.keyboard.press('Alt+ArrowDown');
  await expect(curve(page)).not.toHaveAttribute('d', middle ?? '');
  await page.keyboard.press('Alt+0');
  await expect(curve(page)).toHaveAttribute('d', whole ?? '');

  await cursor.hover({ position: { x: 300, y: 100 } });
  await page.keyboard.down('Alt');
  await page.mouse.wheel(0, -300);
  await page.keyboard.up('Alt');
  await expect(curve(page)).not.toHaveAttribute('d', whole ?? '');
  await cursor.dblclick({ position: { x: 300, y: 110 } });
  await expect(curve(page)).toHaveAttribute('d', whole ?? '');

  const menu = page
    .getByRole('region', { name: 'Live memory' })
    .getByRole('button', { name: 'Vertical axis' });
  await menu.click();
  await page.getByRole('menuitemradio', { name: /Logarithmic/ }).click();
  await expect(chart.locator('path[data-band]')).toHaveCount(0);
  await expect(chart.locator('svg[data-layer="axes"]')).toContainText('0.1');
  await expectAccessible(page);
  await menu.click();
  await page.getByRole('menuitemradio', { name: 'Linear from zero' }).click();
  await expect(curve(page)).toHaveAttribute('d', whole ?? '');
  await expect(chart.locator('path[data-band]')).toHaveCount(bands);
});

test('draws details of a part that the whole view leaves out', async ({ page, compare }) => {
  await compare(`${RESNET}&v.zoom=1.4-1.44`);
  const levels = async () => ((await curve(page).getAttribute('d')) ?? '').split('V').length;
  const close = await levels();
  await cursorOf(page).focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press('+');
  expect(await levels()).toBeLessThan(close);
  const labels = await page.getByTestId('zigzag').locator('svg[data-layer="axes"] text').allTextContents();
  expect(new Set(labels).size).toBe(labels.length);
});

test('holds the cursor on a click, steps it with keys, and releases it with Escape', async ({
  page,
  compare,
}) => {
  await compare(RESNET);
  const inspector = page.getByRole('complementary');
  await cursorOf(page).click({ position: { x: 400, y: 110 } });
  await page.mouse.move(10, 10);
  await expect(inspector).toContainText('Held at the cursor, Optimal');
  await expect(page).toHaveURL(/v\.at=/);
  await page.keyboard.press('End');
  await expect(cursorOf(page)).toHaveAttribute('aria-valuetext', /^backward/);
  const last = await cursorOf(page).getAttribute('aria-valuenow');
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(cursorOf(page)).not.toHaveAttribute('aria-valuenow', last ?? '');
  await inspector.getByRole('button', { name: 'List every tensor' }).focus();
  await page.keyboard.press('Escape');
  await expect(inspector).toContainText('At the peak of Optimal');
  await expect(page).not.toHaveURL(/v\.at=/);
});

test('shows predicted milliseconds, and keeps the cursor’s step', async ({ page, compare }) => {
  await compare(RESNET);
  await cursorOf(page).click({ position: { x: 400, y: 110 } });
  const step = await cursorOf(page).getAttribute('aria-valuetext');
  await page.getByRole('button', { name: 'Horizontal axis' }).click();
  await page.getByRole('menuitemradio', { name: 'Predicted time' }).click();
  const axes = page.getByTestId('zigzag').locator('svg[data-layer="axes"]');
  await expect(axes).toContainText(/\d.ms/);
  await expect(cursorOf(page)).toHaveAttribute('aria-valuetext', step ?? '');
  await expect(page).toHaveURL(/v\.axis=time/);
});

test('names the device’s limit, and draws it once it is in view', async ({ page, compare }) => {
  await compare(RESNET);
  const notes = page.getByTestId('zigzag').locator('svg[data-layer="notes"]');
  await expect(notes).toContainText(/RTX 2080 Ti: 11\.0.GiB, above/);
  await page.getByRole('button', { name: 'Double the batch' }).click();
  await expect(notes.locator('line[data-limit]')).toBeAttached();
  await expect(notes).not.toContainText('above');
});

test('shows activations only, and folds constant memory away, in the link', async ({ page, compare }) => {
  await compare(RESNET);
  const chart = page.getByTestId('zigzag');
  const notes = chart.locator('svg[data-layer="notes"]');
  const axis = page.getByRole('slider', { name: 'Vertical axis in view' }).first();
  await expect(notes).toContainText('Device memory (GiB)');
  await expect(notes).toContainText(/2\.56.GiB at/);
  await page.getByRole('button', { name: /^Weights, optimizer, context \d+.MiB/ }).click();
  await expect(chart.locator('path[data-band="constant"]')).toHaveCount(0);
  await expect(axis).toHaveAttribute('aria-valuetext', /^0\.\d+ to 8 GiB$/);
  await expect(page).toHaveURL(/v\.base=folded/);
  await page.getByRole('switch', { name: 'Activations only' }).click();
  await expect(notes).toContainText('Activations only (GiB)');
  await expect(notes).toContainText(/1\.52.GiB at/);
  await expect(page).toHaveURL(/v\.memory=activations/);
  await expectAccessible(page, 'main');
});

test('lists every live tensor; their sum is the curve, and each leads to its place in Graph', async ({
  page,
  compare,
}) => {
  await compare(`${RESNET}&v.memory=activations`);
  const inspector = page.getByRole('complementary');
  await inspector.getByRole('button', { name: 'List every tensor' }).click();
  const list = page.getByRole('region', { name: 'Live tensors' });
  await expect(list.getByRole('row')).not.toHaveCount(0);
  const figure = () => inspector.locator('[title$="B"]').first().getAttribute('title');
  for (const x of [120, 380, 520]) {
    await cursorOf(page).hover({ position: { x, y: 110 } });
    await expect
      .poll(async () => (await sum(page).textContent())?.endsWith(`, ${await figure()}`))
      .toBe(true);
  }
  await page
    .getByTestId('treemap')
    .locator('text', { hasText: /^layer1/ })
    .first()
    .click();
  await expect(page.getByRole('textbox', { name: 'Filter the tensors' })).toHaveValue(/^layer1/);
  await expect(sum(page)).toContainText(' of ');
  await page.getByRole('button', { name: 'Show all tensors' }).click();
  await page.getByRole('textbox', { name: 'Filter the tensors' }).fill('checkpoint');
  const first = list.getByRole('rowheader').first();
  const id = await first.getAttribute('title');
  await first.getByRole('button').click();
  await expect(page).toHaveURL(/#\/graph/);
  await expect(page).toHaveURL(new RegExp(`v\\.at=${id?.replaceAll('.', '\\.')}`));
});

test('the zoomed zigzag with its list is accessible', async ({ page, compare }) => {
  await compare(`${RESNET}&v.zoom=1.2-1.6&v.at=1.35&v.list=1`);
  await expect(page.getByTestId('treemap').locator('rect')).not.toHaveCount(0);
  await expectAccessible(page, 'main');
});
