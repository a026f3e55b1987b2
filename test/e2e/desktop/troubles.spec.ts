import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, trainLong } from '../support/desktop-test.ts';
import { compared } from '../support/lab-test.ts';

const logOf = (home: string): string =>
  readFileSync(join(home, '.config', 'Zigzag', 'logs', 'zigzag.log'), 'utf8');

test('a crashed page is reloaded; a second crash shows a dialog that restarts the program', async ({
  start,
  home,
}) => {
  const driver = await start();
  const first = await driver.labWindow();
  await compared(first.page);
  first.crash();
  await expect.poll(async () => (await driver.labWindow()).page === first.page).toBe(false);
  const second = await driver.labWindow();
  await second.page.waitForLoadState();
  expect(driver.dialogs).toEqual([]);

  second.crash();
  const dialog = await driver.dialog();
  expect(dialog).toMatchObject({
    message: 'The page of Zigzag stopped twice',
    buttons: ['Start again', 'Quit'],
  });
  const launched = new Promise<void>((resolve) => driver.once('launch', resolve));
  dialog.press('Start again');
  await launched;
  await compared((await driver.labWindow()).page);
  expect(driver.launches).toBe(2);
  expect(logOf(home)).toMatch(/Zigzag \d.*the page crashed.*stopped twice: It crashed.*Zigzag \d/s);
});

test('a page that does not respond is waited for or reloaded', async ({ start }) => {
  const driver = await start();
  const shown = await driver.labWindow();
  await compared(shown.page);
  shown.tell({ type: 'unresponsive' });
  expect((await driver.dialog()).message).toBe('Zigzag does not respond');
  const closed = new Promise<void>((resolve) => driver.once('dialog-closed', resolve));
  shown.tell({ type: 'responsive' });
  await closed;

  shown.tell({ type: 'unresponsive' });
  (await driver.dialog()).press('Reload the page');
  await expect.poll(async () => (await driver.labWindow()).page === shown.page).toBe(false);
  await compared((await driver.labWindow()).page);
  expect(driver.dialogs).toEqual([]);
});

test('a failed start ends with a sentence', async ({ start, home }) => {
  writeFileSync(join(home, '.config'), 'a file where the folder of all settings should be');
  const driver = await start();
  expect(await driver.exited).toBe(70);
  expect(driver.dialogs).toMatchObject([
    {
      title: 'Zigzag could not start',
      message: expect.stringMatching(/^E[A-Z]+: .*\.config.* is written in /),
    },
  ]);
  expect(driver.windows.size).toBe(0);
});

test('a trainer ended by the system reports memory or a signal as the reason', async ({ start, home }) => {
  const driver = await start();
  const { page } = await driver.labWindow();
  await trainLong(page);
  const trainer = (await driver.state()).utilities.find(({ file }) => file.endsWith('trainer.js'));
  process.kill(trainer?.pid ?? 0, 'SIGKILL');
  await expect(page.getByRole('alert')).toContainText('killed by SIGKILL, probably because memory ran out');
  await driver.quit();
  expect(logOf(home)).not.toContain('mistake');
});
