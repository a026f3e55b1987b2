import { compared, expect, expectAccessible, figures, test } from './support/lab-test.ts';

// Among the last files: both workers take tests of it.
test.describe.configure({ mode: 'parallel' });

const VIEW = 'compare?model=resnet18&batch=64&strategies=regular,chen-sqrt&deviceGiB=2';

test('every row says if it fits, with the terms of its sum', async ({ page, compare }) => {
  await compare(VIEW);
  const regular = figures(page).getByRole('row', { name: /^Regular/ });
  await expect(regular).toContainText(/over by \d+.MiB/);
  await expect(figures(page).getByRole('row', { name: /^Chen/ })).toContainText('yes');
  await regular.click();
  await regular.getByRole('button', { name: /: memory of Regular, part by part$/ }).focus();
  await page.keyboard.press('Enter');
  const terms = page.getByRole('dialog');
  for (const term of ['weights', 'gradients of weights', 'optimizer', 'activations', 'context', 'Total'])
    await expect(terms).toContainText(term);
  await expect(terms).toContainText(/Over by \d+.MiB; the largest batch is \d+\./);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(terms).toBeHidden();
});

test('a network that does not fit gets one sentence, and its button leads to the plan in PyTorch', async ({
  page,
  open,
}) => {
  await open('');
  await page.getByLabel('Batch', { exact: true }).fill('96');
  await page.getByRole('combobox', { name: 'Network' }).fill('resnet-152');
  await page.getByRole('option', { name: /ResNet-152/ }).click();
  const headline = page.locator('h1');
  const start = 'ResNet-152 at batch 96 does not fit 11';
  await expect(headline).toContainText(start);
  await expect(headline).toHaveText(
    /^ResNet-152 at batch 96 does not fit 11.GiB \(needs 17\.2.GiB\)\. It fits under Budget with .+ more time \(predicted\): keep \d+ of 516 tensors\.$/,
  );
  await expect(page.getByRole('complementary')).toContainText('At the peak of Budget');
  await page.getByRole('button', { name: 'Use this plan' }).click();
  await expect(page.getByRole('dialog')).toContainText('PyTorch');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/select=budget/);
});

test('the limit is dragged from 17 to 9 GiB: curve, time and plan follow, and the plan is for PyTorch', async ({
  page,
  compare,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await compare('compare?model=resnet152&batch=96&strategies=regular,live,budget&budgetBytes=17110220288');
  const handle = page.getByRole('slider', { name: /^Memory limit/ });
  const front = page.getByRole('region', { name: 'Memory against recompute' });
  await expect(front.locator('[data-point="front"]').nth(8)).toBeVisible();
  await expect(front).not.toContainText('Searching', { timeout: 120_000 });
  await expect(handle).toHaveAttribute('aria-valuetext', /^17\.\d GiB: no extra time/);
  const curve = page.getByTestId('zigzag').locator('path[data-curve="budget"]');
  const before = await curve.getAttribute('d');
  const { x, y, width, height } = (await handle.boundingBox())!;
  const now = async (): Promise<number> => Number(await handle.getAttribute('aria-valuenow'));
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  for (let down = 3; (await now()) > 9.1; down += 3)
    await page.mouse.move(x + width / 2, y + height / 2 + down);
  await expect(curve).not.toHaveAttribute('d', before ?? '');
  const said = (await handle.getAttribute('aria-valuetext')) ?? '';
  expect(said).toMatch(/^(9|8\.9).* GiB: [\d.]+.% more time, \d+ tensors kept$/);
  const [, time] = /: ([\d.]+)/.exec(said) ?? [];
  // Table, sentence and front say the same plan before anything is searched.
  await expect(figures(page).getByRole('row', { name: /^Budget/ })).toContainText('yes');
  await expect(page.locator('h1')).toContainText(`${time} % more time`.replace(' %', '\u202f%'));
  await expect(front.getByRole('slider', { name: /^Plans by memory/ })).toHaveAttribute(
    'aria-valuetext',
    new RegExp(`${time}.% more time`),
  );
  expect(page.url()).toContain('budgetBytes=17110220288');
  await page.mouse.up();
  await expect(page).not.toHaveURL(/budgetBytes=17110220288/);
  await compared(page);
  expect(await now()).toBeLessThan(9.3);
  await expectAccessible(page, 'main');

  await handle.focus();
  const dragged = page.url();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(dragged);
  expect(await now()).toBeLessThan(8);
  await page.keyboard.press('Control+z');
  await expect(page).toHaveURL(dragged);
  await compared(page);
  await page.getByRole('button', { name: 'Use this plan' }).click();
  await expect(page.getByRole('dialog')).toContainText('PyTorch');
});

test('without a fitting plan the button is a change that makes it fit, and one undo takes it back', async ({
  page,
  compare,
}) => {
  await compare(VIEW.replace('deviceGiB=2', 'deviceGiB=1.2'));
  const headline = page.locator('h1');
  await expect(headline).toContainText(
    /No strategy in this comparison makes it fit. The smallest, Chen √n, needs .+\.$/,
  );
  const before = page.url();
  const way = page.getByRole('region', { name: 'Result' }).getByRole('button', { name: /^Use / });
  await expect(page.getByRole('region', { name: 'Result' })).toContainText(/(same|changes the) result/);
  await way.click();
  await expect(headline).toContainText(/ fits 1\.2|It fits under /);
  await page.keyboard.press('Control+z');
  await expect(page).toHaveURL(before);
});

test('a network that fits has the best trade of memory for time, and a button that uses it', async ({
  page,
  compare,
}) => {
  await compare(VIEW.replace('deviceGiB=2', 'deviceGiB=11'));
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toContainText(/Best trade: .+ for .+ more time \(predicted\)/);
  const sentence = (await result.textContent()) ?? '';
  const [, amount = ''] = /Best trade: ([\d.]+)/.exec(sentence) ?? [];
  await page.getByRole('button', { name: 'Use this plan' }).click();
  await expect(page).toHaveURL(/budgetBytes=\d+/);
  const budget = figures(page).getByRole('row', { name: /^Budget/ });
  await expect(budget.getByRole('button', { name: /memory of Budget/ })).toContainText(amount);
  await expect(page.getByRole('button', { name: 'Use this plan' })).toHaveCount(0);
});

test('the default budget is the free device memory', async ({ page, compare }) => {
  await compare(VIEW.replace('chen-sqrt', 'budget'));
  const budget = page.getByLabel('Budget', { exact: true });
  await expect(budget).toHaveValue('');
  await expect(budget).toHaveAttribute('placeholder', /^[\d.]+\s(MiB|GiB)$/);
  await expect(figures(page).getByRole('row', { name: /^Budget/ })).toContainText('yes');
  await budget.fill('1 MiB');
  await expect(figures(page).getByRole('row', { name: /^Budget/ })).toContainText(/least|needs/);
});

test('training settings are chosen in the bar and change the verdict', async ({ page, compare }) => {
  await compare(VIEW);
  const regular = figures(page).getByRole('row', { name: /^Regular/ });
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('combobox', { name: 'Precision' }).click();
  await page.getByRole('option', { name: 'AMP bf16' }).click();
  await expect(page).toHaveURL(/precision=amp-bf16/);
  await expect(regular).toContainText('yes');
  await page.getByRole('combobox', { name: 'Optimizer' }).click();
  const adamw = page.getByRole('option', { name: 'AdamW', exact: true });
  // The list reaches beyond the popover that it is in.
  await expect(adamw).toBeInViewport({ ratio: 1 });
  await adamw.click();
  await expect(page).toHaveURL(/optimizer=adamw/);
  await page.getByLabel('Accumulation', { exact: true }).fill('4');
  await expect(page.getByText('gradients of 4 steps add up to 256 samples an update')).toBeVisible();
  await expectAccessible(page);
});
