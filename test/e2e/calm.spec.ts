import type { Page } from '@playwright/test';
import { expect, test } from './support/lab-test.ts';

test.use({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });

const CONTROLS = [
  ...['a[href]', 'button', 'input', 'select', 'textarea', 'summary'],
  ...['button', 'tab', 'slider', 'link', 'switch', 'checkbox', 'radio', 'combobox'].map(
    (role) => `[role="${role}"]`,
  ),
].join();

/**
 * Names of the controls in the window. Links to the glossary are words, and parts of a drawing have its own keys; what
 * is faded shows when it is pointed at or focused.
 */
const controlsInView = (page: Page): Promise<string[]> =>
  page.evaluate((selector) => {
    const isFaded = (element: Element | null): boolean =>
      element !== null && (getComputedStyle(element).opacity === '0' || isFaded(element.parentElement));
    return [...document.querySelectorAll<HTMLInputElement>(selector)]
      .filter((element) => {
        if (
          element.matches('a[href*="lesson=glossary"], [tabindex="-1"]') ||
          getComputedStyle(element).visibility !== 'visible'
        )
          return false;
        // A radio button of a row of them is its label.
        const shown = element.type === 'radio' ? (element.labels?.[0] ?? element) : element;
        const { left, right, top, bottom } = shown.getBoundingClientRect();
        const isInView = right > left && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
        return isInView && !isFaded(shown);
      })
      .map((element) => element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent ?? '');
  }, CONTROLS);

const SCREENS = [
  ['graph', /tensors joined by/],
  ['tables', /cut-offs/],
  ['limits', /trains regularly up to batch/],
  ['learn', /./],
  ['train', /./],
  ['graph?model=game-branch&batch=32&strategies=regular&v.panel=game', /Level 4/],
] as const;

test('at first sight a screen has 30 controls, Compare 40, and the rest comes when it is reached', async ({
  page,
  open,
  compare,
}) => {
  await compare('');
  const first = await controlsInView(page);
  expect(first.length, first.join(', ')).toBeLessThanOrEqual(40);
  for (const name of ['Zoom in', 'Vertical axis', 'Remove Random']) expect(first).not.toContain(name);
  await page.getByRole('button', { name: 'Zoom in' }).focus();
  expect(await controlsInView(page)).toEqual(expect.arrayContaining(['Zoom in', 'Vertical axis']));
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Peak' }).click();
  await expect(page).toHaveURL(/v\.columns=peakBytes/);
  await expect(page.getByRole('columnheader', { name: 'Peak' })).toBeVisible();
  // The most at once: a plan to use, and a search to cancel.
  await open('compare?model=resnet50&batch=160');
  await expect(page.getByRole('button', { name: 'Use this plan' })).toBeVisible();
  await expect(page.getByText('Searching the front')).toBeVisible();
  const busy = await controlsInView(page);
  expect(busy).toEqual(expect.arrayContaining(['Use this plan', 'Cancel']));
  expect(busy.length, busy.join(', ')).toBeLessThanOrEqual(40);
  for (const [view, ready] of SCREENS) {
    await open(view);
    await expect(page.locator('h1')).toContainText(ready);
    const found = await controlsInView(page);
    expect(found.length, `${view}: ${found.join(', ')}`).toBeLessThanOrEqual(30);
  }
});
