import { compared, expect, expectAccessible, expectNothingCut, test } from './support/lab-test.ts';

const VIEW = 'compare?model=vgg11&batch=8&strategies=regular,chen-sqrt,linear-optimal,optimal';

test('the palette does everything by name, and number keys change the screen', async ({ page, compare }) => {
  await compare(VIEW);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('alexnet');
  await page.keyboard.press('Enter');
  await expect(page.locator('h1')).toContainText('AlexNet');
  await page.keyboard.press('2');
  await expect(page.getByRole('navigation').getByRole('link').nth(1)).toHaveAttribute('aria-current', 'page');
  await page.goBack();
  await expect(page.getByRole('link', { name: 'Compare' })).toHaveAttribute('aria-current', 'page');
  await page.keyboard.press(']');
  await expect(page.getByLabel('Batch', { exact: true })).toHaveValue('16');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('menuitem', { name: 'About Zigzag' }).click();
  await expect(page.getByRole('dialog', { name: 'About Zigzag' })).toContainText('linux');
});

test('Compare is accessible, with its menus and dialogs', async ({ page, compare }) => {
  await compare(VIEW);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Strategies', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('checkbox').first()).toBeVisible();
  // The whole page again: an overlay must be part of its landmarks.
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save the chart Time overhead' }).click();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  await expectAccessible(page, '[role="menu"]');
  await page.keyboard.press('Escape');
  await page.getByLabel('Network', { exact: true }).click();
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByLabel('Batch', { exact: true }).fill('0');
  await expectAccessible(page, 'header');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible();
  await expectAccessible(page, '[role="dialog"]');
});

test('Train is accessible, before and after a run', async ({ page, open }) => {
  await open('train?model=tiny-residual&batch=2&strategies=regular,optimal');
  await expect(page.getByText(/No runs yet|No run is open/)).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Iterations').fill('1');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.locator('h1')).toContainText('just as predicted');
  await expectAccessible(page);
});

for (const screen of ['compare', 'train']) {
  test(`${screen} fits the smallest window`, async ({ page, open }) => {
    await page.setViewportSize({ width: 1024, height: 640 });
    await open(`${screen}?model=resnet50&batch=64&strategies=regular,chen-sqrt,random,optimal`);
    if (screen === 'compare') await compared(page);
    else await expect(page.locator('h1')).toBeVisible();
    await expectNothingCut(page);
  });
}
