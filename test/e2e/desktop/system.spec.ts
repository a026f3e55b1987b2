import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { graphFile } from '../../../engine/exchange/graph-file.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { expect, test } from '../support/desktop-test.ts';
import { compared } from '../support/lab-test.ts';

const dialogOf = (page: Page) => page.getByRole('dialog');

/** A network in a file, as the system has it. */
function networkIn(folder: string, name: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(graphFile(buildModel('tiny-unet', { batch: 1 }))));
  return file;
}

test('a file and a link of the command line open; those of a second start open in the first', async ({
  start,
  home,
}) => {
  const file = networkIn(home, 'net.zigzag');
  const first = await start({ args: [file, 'zigzag://lab/#/limits?model=tiny-residual&batch=4'] });
  const { page } = await first.labWindow();
  await expect(dialogOf(page)).toContainText('net.zigzag');
  await expect(dialogOf(page)).toContainText('zigzag-graph/1');
  expect(first.recentFiles).toEqual([file]);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/#\/limits/);

  const second = await start({ args: [join(home, 'gone.onnx')] });
  expect(await second.exited).toBe(0);
  await expect(dialogOf(page)).toContainText('There is no such file any more; choose it where it is now.');
  await page.keyboard.press('Escape');
  const third = await start({ args: ['zigzag://lab/#/learn'] });
  expect(await third.exited).toBe(0);
  await expect(page).toHaveURL(/#\/learn/);
});

test('hostile links and arguments change nothing', async ({ start }) => {
  const driver = await start({
    args: [
      'zigzag://trainer/window.html#x',
      'https://example.org/#/learn',
      'javascript:alert(1)',
      '--inspect-x',
    ],
  });
  const { page } = await driver.labWindow();
  await compared(page);
  await expect(page).toHaveURL(/#\/compare/);
  // What is no address is a file that is not there.
  await expect(dialogOf(page)).toContainText('There is no such file any more');
});

test('the menu acts in the page, opens files and windows, goes back, and shows the log', async ({
  start,
  home,
}) => {
  const driver = await start();
  const { page } = await driver.labWindow();
  await compared(page);
  await driver.choose('Go/Graph');
  await expect(page).toHaveURL(/#\/graph/);
  await driver.choose('Go/Back');
  await expect(page).toHaveURL(/#\/compare/);
  await driver.choose('Edit/All Actions…');
  await expect(page.getByRole('combobox', { name: /action/i })).toBeFocused();
  await page.keyboard.press('Escape');

  driver.chosenFiles = [networkIn(home, 'chosen.json')];
  await driver.choose('File/Open…');
  await expect(dialogOf(page)).toContainText('chosen.json');
  await page.keyboard.press('Escape');
  expect(driver.recentFiles).toEqual(driver.chosenFiles);

  await driver.choose('Help/Show Log File');
  const [log = ''] = driver.shownItems;
  expect(readFileSync(log, 'utf8')).toContain('Zigzag');

  await driver.choose('File/New Window');
  await expect.poll(async () => (await driver.state()).windows.length).toBe(2);
  const keys = (await driver.state()).menu.map(({ accelerator }) => accelerator).filter((key) => key !== '');
  expect(keys).toContain('CmdOrCtrl+O');
});

test('a run shows its progress, and keeps the system awake while it lasts', async ({ start }) => {
  const driver = await start({
    args: ['zigzag://lab/#/train?model=tiny-residual&batch=4&strategies=regular'],
  });
  const { page } = await driver.labWindow();
  await page.getByLabel('Iterations').fill('4');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.locator('h1')).toContainText(/just as predicted, at every step\./, { timeout: 60_000 });
  await expect.poll(() => driver.progress.at(-1)).toBe(-1);
  expect(driver.progress).toEqual([2, 0.25, 0.5, 0.75, 1, -1]);
  expect(driver.isKeptAwake).toBe(false);
});

test('the self-test of a packed program compares, trains and ends with 0', async ({ start }) => {
  const driver = await start({ args: ['--self-test'] });
  expect(await driver.exited).toBe(0);
  expect(driver.printed).toMatch(/self-test: .* needs /);
  expect(driver.printed).toContain('just as predicted, at every step.');
  expect(driver.printed).toContain('self-test: passed');
});
