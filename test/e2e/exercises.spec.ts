import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, test } from './support/lab-test.ts';

const EXPERIMENT = 'model=tiny-residual&batch=8&strategies=regular,optimal';
const lesson = (page: string): string => `learn?${EXPERIMENT}&v.lesson=${page}`;
const exercise = (page: Page, name: RegExp): Locator => page.getByRole('form', { name });

test('a number is answered with the keyboard: unreadable, wrong with a reason, right, and stored', async ({
  page,
  open,
}) => {
  await open(lesson('regular'));
  const card = exercise(page, /The peak of a chain/);
  const layers = Number(/chain of (\d+) layers/.exec((await card.textContent()) ?? '')?.[1]);
  expect(layers).toBeGreaterThan(0);
  await expect(page.getByText('0 of 3 solved on this device')).toBeVisible();
  expect(await page.locator('article').innerHTML()).not.toMatch(new RegExp(`\\b${layers + 3}\\b`));
  const field = card.getByLabel('Your answer, in pebbles');
  await field.focus();
  const said = card.getByRole('status');
  await page.keyboard.type('a dozen');
  await page.keyboard.press('Enter');
  await expect(said).toHaveText('“a dozen” is not a number. Use digits, for example 12.');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('Control+a');
  await page.keyboard.type(String(layers + 1));
  await page.keyboard.press('Enter');
  await expect(said).toContainText('add the gradients');
  await page.keyboard.press('Control+a');
  await page.keyboard.type(`${layers + 3} pebbles`);
  await page.keyboard.press('Enter');
  await expect(said).toContainText('Right.');
  await expect(page.getByText('1 of 3 solved on this device')).toBeVisible();
  await page.reload();
  await expect(page.getByText('1 of 3 solved on this device')).toBeVisible();
  await expect(said).toHaveText('');
});

test('a new question is in the link, which opens it elsewhere; hints and answers appear on request', async ({
  page,
  open,
}) => {
  await open(lesson('regular'));
  const card = exercise(page, /One pebble in bytes/);
  const first = await card.textContent();
  await card.getByRole('button', { name: 'Another one like it' }).click();
  await expect(page).toHaveURL(/v\.seed-bytes=\d+/);
  const second = await card.locator('p').first().textContent();
  expect(first).not.toContain(second ?? '');
  await page.reload();
  await expect(card.locator('p').first()).toHaveText(second ?? '');
  await card.getByRole('button', { name: 'Give a hint' }).click();
  await expect(card.getByText(/^Hint: Batch × channels/)).toBeVisible();
  const field = card.getByLabel('Your answer, with its unit');
  await field.fill('12');
  await card.getByRole('button', { name: 'Check' }).click();
  await expect(card.getByRole('status')).toContainText('“12” has no unit');
  await card.getByRole('button', { name: 'Show the answer' }).click();
  const answer = /It is ([\d.]+ [KMG]iB)\./.exec(
    ((await card.getByRole('status').textContent()) ?? '').replaceAll(/\s/g, ' '),
  )?.[1];
  await field.fill(answer ?? '');
  await page.keyboard.press('Enter');
  await expect(card.getByRole('status')).toContainText('Right.');
  // Told is not solved.
  await expect(page.getByText('0 of 3 solved on this device')).toBeVisible();
});

test('tensors are placed on a drawing with the keyboard, and judged by the engine', async ({
  page,
  open,
}) => {
  await open(lesson('unequal'));
  const card = exercise(page, /The minimum of Eq\. 1/);
  const first = card.getByRole('button', { name: /^Mark v1, size/ });
  await first.focus();
  await page.keyboard.press(' ');
  await expect(first).toHaveAttribute('aria-pressed', 'true');
  await card.getByRole('button', { name: 'Show the answer' }).click();
  const told = (await card.getByRole('status').textContent()) ?? '';
  const kept: string[] = /Keep (.*?):/.exec(told)?.[1]?.match(/v\d/g) ?? [];
  if (!kept.includes('v1')) await first.press('Enter');
  for (const name of kept) {
    const button = card.getByRole('button', { name: new RegExp(`^Mark ${name},`) });
    if ((await button.getAttribute('aria-pressed')) === 'false') await button.press(' ');
  }
  await card.getByRole('button', { name: 'Check' }).press('Enter');
  await expect(card.getByRole('status')).toContainText('the minimum.');
});

test('options are chosen with the arrow keys, and a wrong one gets a reason', async ({ page, open }) => {
  await open(lesson('poor'));
  const card = exercise(page, /A chain of other length/);
  await card.getByRole('button', { name: 'Check' }).click();
  await expect(card.getByRole('status')).toHaveText('Choose an answer first.');
  await card.getByRole('radio').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(card.getByRole('status')).toContainText('Right. From');
  await page.keyboard.press('ArrowUp');
  await expect(card.getByRole('status')).toHaveText('');
  await page.keyboard.press('Enter');
  await expect(card.getByRole('status')).toContainText('times as many sweeps');
});

test.describe('without motion', () => {
  test.use({ reducedMotion: 'reduce' });
  for (const name of ['pebbles', 'orders'])
    test(`the exercises of ${name} are accessible, judged ones too`, async ({ page, open }) => {
      await open(lesson(name));
      await expect(page.getByRole('form').first()).toBeVisible();
      for (const card of await page.getByRole('form').all()) {
        await card.getByRole('button', { name: 'Give a hint' }).click();
        await card.getByRole('button', { name: 'Check' }).click();
      }
      await expectAccessible(page, 'article');
    });
});
