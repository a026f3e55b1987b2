import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { graphFile } from '../../../engine/exchange/graph-file.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { expect, goTo, test, trainLong } from '../support/desktop-test.ts';
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
  await expect(dialogOf(page)).toContainText('The file no longer exists. Choose it at its new place.');
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
  // Anything but an address is treated as a missing file.
  await expect(dialogOf(page)).toContainText('The file no longer exists');
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

test('another folder for runs is chosen in the menu, and runs move there, also one in progress', async ({
  start,
  home,
}) => {
  const usual = join(home, 'share');
  const driver = await start({ env: { ZIGZAG_DATA: '', XDG_DATA_HOME: usual } });
  const { page } = await driver.labWindow();
  await goTo(page, 'train?model=tiny-residual&batch=4&strategies=regular');
  await page.getByLabel('Iterations').fill('2');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.locator('h1')).toContainText(/just as predicted/);
  await trainLong(page);

  await driver.choose('File/Data Folder…');
  const asked = await driver.dialog();
  expect(asked.message).toBe(`Runs are kept in ${join(usual, 'zigzag')}`);
  driver.chosenFiles = [join(home, 'mine')];
  asked.press('Choose Another…');
  const told = await driver.dialog();
  expect(told.message).toBe(`Runs are kept in ${join(home, 'mine')} from now on`);
  expect(told.detail).toContain('The existing runs were copied there');
  told.press('OK');
  expect(readdirSync(join(home, 'mine'))).toContain('runs.db');
  expect(await driver.quit()).toBe(0);

  const next = await start({ env: { ZIGZAG_DATA: '', XDG_DATA_HOME: usual } });
  const { page: later } = await next.labWindow();
  await goTo(later, 'train?model=tiny-residual&batch=4&strategies=regular');
  const kept = later.getByRole('region', { name: 'History of runs' });
  await expect(kept.getByRole('checkbox', { name: /^Select run/ })).toHaveCount(2);
});

test('a program with an update feed checks it on request', async ({ start, home }) => {
  const feed = createServer((_request, response) => {
    response.end('version: 99.0.0\nfiles:\n  - url: https://example.org/zigzag.deb\n');
  });
  await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve));
  const { port } = feed.address() as AddressInfo;
  const app = join(home, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), JSON.stringify({ updates: `http://127.0.0.1:${port}` }));
  const driver = await start({ env: { STANDIN_APP_PATH: app } });
  await driver.labWindow();
  await driver.choose('Help/Check for Updates…');
  const found = await driver.dialog();
  expect(found.message).toBe('Zigzag 99.0.0 is out');
  if (process.platform === 'linux') {
    found.press('Download in the Browser');
    await expect.poll(() => driver.external).toEqual(['https://example.org/zigzag.deb']);
  }
  feed.close();
  feed.closeAllConnections();
});

test('a run shows its progress and keeps the system awake', async ({ start }) => {
  const driver = await start({
    args: ['zigzag://lab/#/train?model=tiny-residual&batch=4&strategies=regular'],
  });
  const { page } = await driver.labWindow();
  await page.getByLabel('Iterations').fill('4');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.locator('h1')).toContainText(/just as predicted, at every step\./);
  await expect.poll(() => driver.progress.at(-1)).toBe(-1);
  expect(driver.progress).toEqual([2, 0.25, 0.5, 0.75, 1, -1]);
  expect(driver.isKeptAwake).toBe(false);
});

test('the self-test of a packed program compares, trains and ends with 0', async ({ start }) => {
  const driver = await start({ args: ['--self-test'] });
  const code = await driver.exited;
  expect(code, driver.printed).toBe(0);
  expect(driver.printed).toMatch(/self-test: .* fits? /);
  expect(driver.printed).toContain('just as predicted, at every step.');
  expect(driver.printed).toContain('self-test: passed');
});
