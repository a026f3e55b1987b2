import { coloursOf, type Pixels } from '../../support/png.ts';
import { expect, goTo, painted, test } from '../support/desktop-test.ts';
import { compared } from '../support/lab-test.ts';

/** The pixels of a part of the page, whose place is in CSS pixels. */
function partOf(
  { width, rgba }: Pixels,
  box: { x: number; y: number; width: number; height: number },
): Pixels {
  const [left, top] = [Math.ceil(box.x), Math.ceil(box.y)];
  const [columns, rows] = [Math.floor(box.width), Math.floor(box.height)];
  const part = new Uint8Array(columns * rows * 4);
  for (let y = 0; y < rows; y++) {
    const from = ((top + y) * width + left) * 4;
    part.set(rgba.subarray(from, from + columns * 4), y * columns * 4);
  }
  return { width: columns, height: rows, rgba: part };
}

test('the lab is painted, its charts too, and the page sees nothing of Node', async ({ start }) => {
  const driver = await start();
  const { page, id } = await driver.labWindow();
  await compared(page);
  const whole = await painted(page);
  expect(coloursOf(whole)).toBeGreaterThan(100);
  // A blank page of this size has one colour; the text of a page without charts has shades of one.
  for (const chart of ['zigzag']) {
    const box = await page.getByTestId(chart).boundingBox();
    expect(box).not.toBeNull();
    expect(coloursOf(partOf(whole, box!)), chart).toBeGreaterThan(20);
  }
  await goTo(page, 'graph?model=vgg11&batch=8&strategies=regular,optimal');
  await expect(page.locator('h1')).toContainText('VGG-11');
  await expect.poll(async () => coloursOf(await painted(page))).toBeGreaterThan(50);

  expect(
    await page.evaluate(() => [
      typeof globalThis.process,
      typeof globalThis.require,
      'hearShell' in globalThis,
      Object.keys((window as unknown as { zigzagDesktop: object }).zigzagDesktop),
    ]),
  ).toEqual(['undefined', 'undefined', false, ['requestPort', 'listen']]);
  const state = await driver.state();
  expect(state.isSandboxed).toBe(true);
  expect(state.windows).toEqual([
    { id, url: expect.stringMatching(/^zigzag:\/\/lab\/#\/graph/), isShown: true },
  ]);
  expect(await driver.permits(id, 'clipboard-sanitized-write', 'zigzag://lab/')).toBe(true);
  expect(await driver.permits(id, 'media', 'zigzag://lab/')).toBe(false);
});

test('links leave for the system’s browser, and only over https', async ({ start }) => {
  const driver = await start();
  const { page } = await driver.labWindow();
  await compared(page);
  for (const url of ['http://example.org/', 'file:///etc/passwd', 'https://arxiv.org/abs/1604.06174']) {
    await page.evaluate((address) => void window.open(address), url);
  }
  await expect.poll(() => driver.external).toEqual(['https://arxiv.org/abs/1604.06174']);
});

test('a second start brings the first to the front and ends', async ({ start }) => {
  const first = await start();
  await compared((await first.labWindow()).page);
  const second = await start();
  expect(await second.exited).toBe(0);
  expect(second.windows.size).toBe(0);
  expect((await first.state()).windows).toHaveLength(1);
});
