import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, type Page } from '@playwright/test';
import type { Driver, DriverOptions } from '../../electron/standin/driver.ts';
import { type Pixels, readPng } from '../../support/png.ts';
import { startDesktopLab } from './desktop-lab.ts';

type StartOptions = Partial<Omit<DriverOptions, 'browser' | 'built'>>;

interface DesktopFixtures {
  /** Folder in which the programs of a test may write. */
  home: string;
  /** Starts the program with a window of its own; it has ended when the test has. */
  start: (options?: StartOptions) => Promise<Driver>;
}

/** Tests of the program itself, each with one of its own. */
export const test = base.extend<DesktopFixtures, { carrier: 'browser' | 'desktop' }>({
  carrier: ['browser', { option: true, scope: 'worker' }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names
  home: async ({}, use) => {
    const home = mkdtempSync(join(tmpdir(), 'zigzag-desktop-'));
    await use(home);
    rmSync(home, { recursive: true, force: true });
  },
  start: async ({ browser, home }, use) => {
    const started: { close(): Promise<void> }[] = [];
    await use(async (options) => {
      const lab = await startDesktopLab(browser, { home, ...options });
      started.push(lab);
      return lab.driver;
    });
    for (const lab of started) await lab.close();
  },
});

export { expect } from '@playwright/test';

export async function painted(page: Page): Promise<Pixels> {
  return readPng(await page.screenshot());
}

/** Opens a view of the lab, as its own links do. */
export async function goTo(page: Page, view: string): Promise<void> {
  await page.locator('main').waitFor();
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, `#/${view}`);
}

/** Starts a run that goes on for longer than a test, and waits until it is under way. */
export async function trainLong(page: Page, backend = 'WebAssembly'): Promise<void> {
  await goTo(page, 'train?model=tiny-residual&batch=4&strategies=regular');
  await page.getByRole('combobox', { name: 'Backend' }).click();
  await page.getByRole('option', { name: backend }).first().click();
  await page.getByLabel('Iterations').fill('100000');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page
    .locator('h1')
    .filter({ hasText: /iteration \d+ of/ })
    .waitFor();
}
