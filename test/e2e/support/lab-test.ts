import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { complaints } from './complaints.ts';
import { type DesktopLab, startDesktopLab } from './desktop-lab.ts';
import { type LabServer, startLab } from './lab-server.ts';
import { THEMES } from './themes.ts';

interface LabFixtures {
  /** Opens a view of the lab by its address, without the leading `#/`. */
  open: (view: string) => Promise<void>;
  /** Opens a view whose headline is of a comparison, and waits until it is complete. */
  compare: (view: string) => Promise<void>;
  /** Messages that the page wrote as errors: refused by its security policy, thrown, not found. */
  complaints: string[];
}

interface LabWorker {
  /** The way to the lab: a browser's, or the desktop program's on a stand-in for Electron. */
  carrier: 'browser' | 'desktop';
  lab: Pick<LabServer, 'url' | 'killTrainers'> & Partial<Pick<DesktopLab, 'driver'>>;
}

/** Tests against one real server for all; every test fails when its page complains. */
export const test = base.extend<LabFixtures, LabWorker>({
  carrier: ['browser', { option: true, scope: 'worker' }],
  lab: [
    async ({ carrier, browser }, use) => {
      const lab: LabWorker['lab'] & { close(): Promise<unknown> } =
        carrier === 'desktop' ? await startDesktopLab(browser) : await startLab();
      await use(lab);
      await lab.close();
    },
    { scope: 'worker' },
  ],
  page: async ({ page, lab }, use) => {
    await lab.driver?.adopt(page);
    await use(page);
  },
  complaints: [complaints, { auto: true }],
  open: async ({ page, lab }, use) => {
    await use(async (view) => {
      await page.goto(`${lab.url}#/${view}`);
    });
  },
  compare: async ({ page, open }, use) => {
    await use(async (view) => {
      await open(view);
      await compared(page);
    });
  },
});

export { expect } from '@playwright/test';

/** Waits until the comparison on screen is complete. */
export async function compared(page: Page): Promise<void> {
  await expect(page.locator('h1')).toContainText('(needs ');
  await expect(page.locator('h1')).toHaveAttribute('aria-busy', 'false');
}

/** The text of the file that an item of an open menu saves. */
export async function saved(page: Page, item: string): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: item }).click();
  return readFile(await (await download).path(), 'utf8');
}

/** No part of the page is wider than its place. */
export async function expectNothingCut(page: Page): Promise<void> {
  const overflowing = await page.evaluate(() =>
    ['html', 'body', 'header', '#content'].filter((selector) => {
      const element = document.querySelector(selector);
      return element !== null && element.scrollWidth > element.clientWidth;
    }),
  );
  expect(overflowing).toEqual([]);
}

/** The table of the comparison, not the ones behind the charts. */
export const figures = (page: Page): Locator => page.getByRole('region', { name: 'Figures' });

/** Counts the requests for a procedure of the contract that the page sends from now on. */
export function countCalls(page: Page, procedure: string): () => number {
  let calls = 0;
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      if (payload.toString().includes(`/${procedure}"`)) calls += 1;
    }),
  );
  return () => calls;
}

/** Waits until no animation runs and a part of the page has stayed in its place for some frames. */
export async function still(part: Locator): Promise<void> {
  await part.evaluate(async (element) => {
    const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
    let place = '';
    for (let frames = 0; frames < 20; frames++) {
      const runs = document
        .getAnimations()
        .some((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
      const { x, y, width, height } = element.getBoundingClientRect();
      const now = [x, y, width, height].join(' ');
      if (runs || now !== place) frames = 0;
      place = now;
      await frame();
    }
  });
}

/** Gives a page another theme, and ends the fading of its colours; a page around a frame has no theme of its own. */
async function turnTo(page: Page, colorScheme: (typeof THEMES)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const themed = page.locator('html[data-mantine-color-scheme]');
  if ((await themed.count()) > 0)
    await expect(themed).toHaveAttribute('data-mantine-color-scheme', colorScheme);
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    for (const animation of document.getAnimations())
      if (animation instanceof CSSTransition) animation.finish();
  });
}

/**
 * Violations that axe finds. A second theme is checked for colours only, since a theme changes nothing else. On a page
 * without frames axe runs within the page and lists violations alone: copying what it passes to a second page is slow.
 */
async function violationsOf(page: Page, within: string | undefined, isSecond: boolean): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
  if (page.frames().length === 1) axe.setLegacyMode();
  if (within !== undefined) axe.include(within);
  if (isSecond) axe.withRules(['color-contrast', 'link-in-text-block']);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/**
 * Looks in every theme of the tier, and leaves the page in the theme that it had.
 *
 * @param within a selector, where the rest of the page was looked at before
 */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  expect(await violationsOf(page, within, false)).toEqual([]);
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const own = isDark ? 'dark' : 'light';
  for (const theme of THEMES.filter((other) => other !== own)) {
    await turnTo(page, theme);
    expect(await violationsOf(page, within, true), `in the ${theme} theme`).toEqual([]);
    await turnTo(page, own);
  }
}
