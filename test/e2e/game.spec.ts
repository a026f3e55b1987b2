import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './support/lab-test.ts';

const LEVEL = 'graph?model=game-chain&batch=32&strategies=regular&v.panel=game';

const canvas = (page: Page) => page.getByTestId('graph-canvas');
const effect = (page: Page) => page.getByTestId('game-effect');
const score = (page: Page, measure: string) => page.locator(`[data-measure="${measure}"]`);
const cell = (page: Page, measure: string, column: number) =>
  score(page, measure).getByRole('cell').nth(column);

async function played(page: Page): Promise<void> {
  await expect(canvas(page).locator('.react-flow__node').first()).toBeVisible();
  await expect(score(page, 'peak')).not.toContainText('…');
}

/** Walks down the chain and keeps what is so many tensors further. */
async function keep(page: Page, steps: number): Promise<void> {
  for (let i = 0; i < steps; i++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
}

test('a level is played by the keyboard alone, from the list to both optima', async ({ page, open }) => {
  await open('learn?v.lesson=game');
  await expect(page.locator('h1')).toHaveText('The checkpoint game');
  await expect(page.getByText('0 of 72')).toBeVisible();
  await page.getByRole('button', { name: /^1 A short chain/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('h1')).toContainText('Level 1 of 12: A short chain');
  await played(page);
  await expect(effect(page)).toContainText(
    /No checkpoints yet: everything is stored\. Eq\. 2 5\.00\sMiB; peak 8\.00\sMiB\./,
  );

  await canvas(page).focus();
  await page.keyboard.press('ArrowDown');
  await keep(page, 3);
  await expect(effect(page)).toContainText(
    /Kept f3\. Eq\. 2 3\.00\sMiB, 2\.00\sMiB less; peak 6\.00\sMiB, 2\.00\sMiB less\./,
  );
  await expect(effect(page)).toContainText('no set costs less');
  await expect(cell(page, 'cost', 1).locator('[data-stars="3"]')).toBeVisible();
  await expect(cell(page, 'peak', 1).locator('[data-stars="1"]')).toBeVisible();

  await keep(page, 2);
  await expect(effect(page)).toContainText('No set has a lower peak.');
  await expect(cell(page, 'peak', 2).locator('[data-stars="3"]')).toBeVisible();
  await expectAccessible(page);

  const moves = page.getByRole('region', { name: 'Moves' }).getByRole('listitem');
  await expect(moves).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(effect(page)).toContainText('Kept f3');
  await expect(canvas(page).locator('[data-ring="manual"]')).toHaveCount(1);
  await page.keyboard.press('Control+Shift+z');
  await page.getByRole('button', { name: 'Redo' }).last().click();
  await expect(canvas(page).locator('[data-ring="manual"]')).toHaveCount(2);
  await expect(moves).toHaveCount(2);

  await page.getByRole('button', { name: 'Go on to level 2: A long chain' }).click();
  await expect(page.locator('h1')).toContainText('Level 2 of 12');
  await played(page);
  await page.reload();
  await played(page);
  await page.getByRole('button', { name: 'All levels' }).click();
  await expect(page.getByText('6 of 72')).toBeVisible();
});

test('the answer is nowhere on the page before it is requested', async ({ page, open }) => {
  await open('graph?model=game-unequal&batch=32&strategies=regular,optimal,live&v.panel=game');
  await played(page);
  await canvas(page).locator('[data-vertex="f4"]').click();
  await expect(effect(page)).toContainText('Kept f4');
  // Eq. 2 of 16 and a peak of 21 MiB are the least; f3, f6 and f9 are kept for the one.
  const text = await page.locator('main').evaluate((main) => {
    const copy = main.cloneNode(true) as HTMLElement;
    // Its table has the player's own bytes at many steps.
    for (const chart of copy.querySelectorAll('section[aria-label^="Your zigzag"]')) chart.remove();
    return copy.outerHTML.replaceAll(/\s/g, ' ');
  });
  for (const told of ['16.0 MiB', '21.0 MiB', 'data-ring="optimal"', 'data-ring="l']) {
    expect(text.includes(told), told).toBe(false);
  }
  await expect(canvas(page).locator('[data-ring]')).toHaveCount(1);

  await page.getByRole('button', { name: 'Hint', exact: true }).click();
  await expect(page.getByText(/The largest segment lies between/)).toBeVisible();
  await page.getByRole('button', { name: 'Show the answers' }).click();
  await page.getByRole('button', { name: 'Show answers' }).click();
  await expect(page.getByTestId('game-answers')).toContainText(/16\.0\sMiB.*21\.0\sMiB/s);
  await expect(canvas(page).locator('[data-ring="optimal"]')).toHaveCount(3);
  await expectAccessible(page);
  // Nodes found from here on do not count.
  for (const id of ['f4', 'f3', 'f6', 'f9']) await canvas(page).locator(`[data-vertex="${id}"]`).click();
  await expect(cell(page, 'cost', 1).locator('[data-stars="3"]')).toBeVisible();
  await expect(cell(page, 'cost', 2).locator('[data-stars="3"]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Reset score' }).click();
  await expect(page.getByTestId('game-answers')).toHaveCount(0);
});

test('invalid links are refused in one sentence', async ({ page, open }) => {
  await open('graph?model=random-99999999999&batch=32&strategies=regular&v.panel=game');
  await expect(
    page.getByText(/A random network has a seed from 0 to 4294967295, got "99999999999"/),
  ).toBeVisible();
  await open('graph?model=game-99&batch=32&strategies=regular&v.panel=game');
  await expect(page.getByText(/No model is named "game-99"/)).toBeVisible();
  await open(`${LEVEL}&v.rival=zzzzzzzzzz`);
  await played(page);
  await expect(page.getByText('The link’s score belongs to another network')).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'To beat' })).toHaveCount(0);
});

test('damaged or forged scores in storage are corrected', async ({ page, open }) => {
  await open(LEVEL);
  await played(page);
  await page.evaluate(() => {
    const forged = { cost: { stars: 3, set: 'CA' }, peak: { stars: 3, set: '!!' }, revealed: false };
    const entries = [['game-chain at 32', forged], ['game-dense at 32', { cost: 7 }], 'nonsense'];
    localStorage.setItem('zigzag-game', JSON.stringify(entries));
  });
  await page.reload();
  await played(page);
  // Keeping f1 alone: 1 + 4 MiB, which saves nothing.
  await expect(cell(page, 'cost', 2)).toHaveText('none yet');
  await expect(cell(page, 'peak', 2)).toHaveText('none yet');
});

test.describe('without motion', () => {
  test.use({ reducedMotion: 'reduce' });
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 820, height: 1180 },
    // 1280 x 800 at twice the size.
    { width: 640, height: 400 },
  ]) {
    test(`levels and game are accessible and complete at ${viewport.width} pixels`, async ({
      page,
      open,
    }, info) => {
      await page.setViewportSize(viewport);
      const wide = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      await open('learn?v.lesson=game');
      await expect(page.locator('h1')).toHaveText('The checkpoint game');
      await expectAccessible(page);
      expect(await wide()).toBeLessThanOrEqual(0);
      await page.screenshot({ path: info.outputPath('levels.png') });
      await open('graph?model=game-branch&batch=32&strategies=regular&v.panel=game&v.rival=KA');
      await played(page);
      await canvas(page).locator('[data-vertex="left1"]').click();
      await expect(effect(page)).toContainText('Eq. 2 does not apply');
      await page.getByRole('button', { name: 'Hint', exact: true }).click();
      await expect(page.getByText(/is not an independent segment because/)).toBeVisible();
      await expectAccessible(page);
      expect(await wide()).toBeLessThanOrEqual(0);
      await page.screenshot({ path: info.outputPath('game.png') });
    });
  }
});

test('a challenge is opened on a phone and solved by touch', async ({ browser, lab }) => {
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await lab.driver?.adopt(page);
  await page.goto(`${lab.url}#/${LEVEL}&v.rival=CA`);
  await played(page);
  const banner = page.getByText('You were challenged: beat');
  await expect(banner).toContainText(/beat [\d.]+\sMiB\./);
  await expect(banner).toBeInViewport();
  await expect(canvas(page).locator('[data-vertex="f3"]')).toHaveText(/f3/);
  await expect(canvas(page), 'names are drawn').toHaveAttribute('data-zoom', 'near');
  await canvas(page).locator('[data-vertex="f3"]').tap();
  await expect(effect(page)).toContainText('Kept f3');
  await expect(page.getByText('You beat the challenge: ')).toBeVisible();
  await context.close();
});
