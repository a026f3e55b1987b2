import { existsSync } from 'node:fs';
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
