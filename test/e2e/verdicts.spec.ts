import { compared, expect, expectAccessible, figures, test } from './support/lab-test.ts';

const VIEW = 'compare?model=resnet18&batch=64&strategies=regular,chen-sqrt&deviceGiB=2';

test('every row says whether it fits, and of what its sum consists', async ({ page, open }) => {
  await open(VIEW);
  await compared(page);
  const regular = figures(page).getByRole('row', { name: /^Regular/ });
  await expect(regular).toContainText(/over by \d+.MiB/);
  await expect(figures(page).getByRole('row', { name: /^Chen/ })).toContainText('yes');
  await regular.getByRole('button', { name: /: what Regular holds$/ }).focus();
  await page.keyboard.press('Enter');
  const terms = page.getByRole('dialog');
  for (const term of ['weights', 'gradients of weights', 'optimizer', 'activations', 'context', 'All in all'])
    await expect(terms).toContainText(term);
  await expect(terms).toContainText(/Over by \d+.MiB; the largest batch is \d+\./);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(terms).toBeHidden();
});

test('the headline leads with the bargain, and a button makes it the budget', async ({ page, open }) => {
  await open(VIEW);
  await compared(page);
  const headline = page.locator('h1');
  await expect(headline).toContainText(
    /ResNet-18 at batch 64 needs .+ instead of .+ for .+ more predicted time\.$/,
    { timeout: 60_000 },
  );
  const sentence = (await headline.textContent()) ?? '';
  const [, amount = ''] = /needs ([\d.]+)/.exec(sentence) ?? [];
  await page.getByRole('button', { name: 'Make it the budget' }).click();
  await expect(page).toHaveURL(/budgetBytes=\d+/);
  const budget = figures(page).getByRole('row', { name: /^Budget/ });
  await expect(budget.getByRole('button', { name: /what Budget holds$/ })).toContainText(amount, {
    timeout: 60_000,
  });
  await expect(headline).toHaveText(sentence);
  await expect(page.getByRole('button', { name: 'Make it the budget' })).toHaveCount(0);
});

test('a budget that nobody gave is what the device leaves', async ({ page, open }) => {
  await open(VIEW.replace('chen-sqrt', 'budget'));
  await compared(page);
  const budget = page.getByLabel('Budget', { exact: true });
  await expect(budget).toHaveValue('');
  await expect(budget).toHaveAttribute('placeholder', /^[\d.]+\s(MiB|GiB)$/);
  await expect(figures(page).getByRole('row', { name: /^Budget/ })).toContainText('yes');
  await budget.fill('1 MiB');
  await expect(figures(page).getByRole('row', { name: /^Budget/ })).toContainText(/least|needs/, {
    timeout: 60_000,
  });
});

test('how the network is trained is chosen in the bar and changes the verdict', async ({ page, open }) => {
  await open(VIEW);
  await compared(page);
  const regular = figures(page).getByRole('row', { name: /^Regular/ });
  await page.getByRole('combobox', { name: 'Precision' }).click();
  await page.getByRole('option', { name: 'AMP bf16' }).click();
  await expect(page).toHaveURL(/precision=amp-bf16/);
  await expect(regular).toContainText('yes');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('combobox', { name: 'Optimizer' }).click();
  await page.getByRole('option', { name: 'AdamW' }).click();
  await expect(page).toHaveURL(/optimizer=adamw/);
  await page.getByLabel('Accumulation', { exact: true }).fill('4');
  await expect(page.getByText('gradients of 4 steps add up to 256 samples an update')).toBeVisible();
  await expectAccessible(page);
});
