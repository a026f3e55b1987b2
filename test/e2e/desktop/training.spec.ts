import { existsSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { Driver } from '../../electron/standin/driver.ts';
import { expect, goTo, test, trainLong } from '../support/desktop-test.ts';

test.skip(process.platform !== 'linux', 'looks for processes in /proc');

const isAlive = ({ pid }: { readonly pid: number }): boolean => existsSync(`/proc/${pid}`);

test('quitting during training leaves no process behind and keeps the run', async ({ start }) => {
  const driver = await start();
  const { page } = await driver.labWindow();
  await trainLong(page);
  const { utilities } = await driver.state();
  expect(utilities.map(({ file }) => /\w+(?=\.js$)/.exec(file)?.[0]).sort()).toEqual(['history', 'trainer']);
  expect(await driver.quit()).toBe(0);
  await expect.poll(() => utilities.filter(isAlive)).toEqual([]);

  const again = await start();
  const { page: next } = await again.labWindow();
  await goTo(next, 'train?model=tiny-residual&batch=4&strategies=regular');
  const runs = next.getByRole('region', { name: 'History of runs' });
  await expect(runs.getByRole('checkbox', { name: /^Select run/ })).toHaveCount(1);
});

test('closing the visible window ends the program, even during training', async ({ start }) => {
  const driver = await start();
  const { page } = await driver.labWindow();
  await trainLong(page);
  const { utilities } = await driver.state();
  await page.close();
  expect(await driver.exited).toBe(0);
  await expect.poll(() => utilities.filter(isAlive)).toEqual([]);
});

async function trainTwo(page: Page): Promise<void> {
  const runs = page.getByRole('checkbox', { name: /^Select run/ });
  const before = await runs.count();
  await page.getByLabel('Iterations').fill('2');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(runs).toHaveCount(before + 1);
  await expect(page.locator('h1')).toContainText('just as predicted');
}

const trainerWindow = ({ windows }: Driver) =>
  [...windows.values()].findLast(({ partition }) => partition === 'zigzag-trainer');

test('an emulated GPU is left for the faster processor, and the page says so', async ({ start }) => {
  const driver = await start();
  const { page } = await driver.labWindow();
  await goTo(page, 'train?model=tiny-residual&batch=4&strategies=optimal');
  await trainTwo(page);
  const reason =
    /webgpu: [^;]*swiftshader[^;]* is no GPU but the processor, which wasm uses better; using (tensorflow|wasm)/i;
  await expect(page.getByText(reason)).toBeVisible();
});

test('the hidden window trains on WebGPU as predicted, after a stop too, stays for the next run, and has no network', async ({
  start,
}) => {
  const driver = await start();
  const { page } = await driver.labWindow();
  await trainLong(page, 'WebGPU');
  await page.getByRole('button', { name: 'Stop' }).click();
  await trainTwo(page);
  const hidden = trainerWindow(driver);
  await trainTwo(page);
  expect(trainerWindow(driver)).toBe(hidden);
  const isReached = (url: string) =>
    fetch(url)
      .then(() => true)
      .catch(() => false);
  expect(await hidden?.page.evaluate(isReached, hidden.page.url())).toBe(false);
});

for (const [what, happen, sentence] of [
  ['a crash', 'crash', 'its window crashed'],
  ['the loss of its GPU', 'loseGpu', /the GPU was lost \(.+\); the next run opens it again/i],
] as const) {
  test(`the hidden window reports ${what}; the next run opens another`, async ({ start }) => {
    const driver = await start();
    const { page } = await driver.labWindow();
    await trainLong(page, 'WebGPU');
    const hidden = trainerWindow(driver);
    void hidden?.[happen]();
    await expect(page.getByRole('alert')).toContainText(sentence);
    await trainTwo(page);
    expect(trainerWindow(driver)).not.toBe(hidden);
  });
}
