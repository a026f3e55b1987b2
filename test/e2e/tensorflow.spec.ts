import type { Page } from '@playwright/test';
import { type Manners, StubTools } from '../app/start/support/stub-tools.ts';
import { startDesktopLab } from './support/desktop-lab.ts';
import { startLab } from './support/lab-server.ts';
import { expect, expectAccessible, test as base } from './support/lab-test.ts';

/** TensorFlow is fetched by programs that only pretend to. */
const test = base.extend<{ openWith: (manners?: Manners) => Promise<void> }>({
  openWith: async ({ page, browser, carrier }, use) => {
    const open: { close(): unknown }[] = [];
    await use(async (manners = {}) => {
      const tools = new StubTools(manners);
      open.unshift({ close: () => tools.remove() });
      const env = tools.env();
      if (carrier === 'desktop') {
        const lab = await startDesktopLab(browser, { env, opensLab: false });
        open.unshift(lab);
        await lab.driver.adopt(page);
        await page.goto(`${lab.url}#/train?model=tiny-residual&batch=4&strategies=regular`);
      } else {
        const lab = await startLab({ env });
        open.unshift(lab);
        await page.goto(`${lab.url}#/train?model=tiny-residual&batch=4&strategies=regular`);
      }
    });
    // A page whose lab is gone looks for it, and complains.
    await page.goto('about:blank');
    for (const one of open) await one.close();
  },
  // The lab of all tests is not looked at.
  page: async ({ context }, use) => {
    await use(await context.newPage());
  },
});

test.skip(
  process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch),
  'what is fetched is known for Linux',
);

const run = (page: Page) => page.getByRole('region', { name: 'Run', exact: true });
const addButton = (page: Page) => run(page).getByRole('button', { name: /^Add TensorFlow \(/ });

test('TensorFlow is added by a button, and the next run trains on it', async ({ page, openWith }) => {
  await openWith();
  await expect(run(page)).toContainText(
    /TensorFlow is not installed\. Adding it downloads .* and takes .* in /,
  );
  await page.getByRole('combobox', { name: 'Backend' }).click();
  await expect(page.getByRole('option', { name: 'TensorFlow' })).toHaveAttribute(
    'data-combobox-disabled',
    'true',
  );
  await page.keyboard.press('Escape');
  // A trainer that runs already knows what was there before.
  await page.getByLabel('Iterations').fill('1');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.locator('h1')).toContainText('just as predicted');
  await expectAccessible(page);

  await addButton(page).click();
  await expect(run(page)).toContainText(/Fetching TensorFlow: .* of /);
  await expect(run(page).getByRole('status')).toContainText(
    'TensorFlow is installed. The next run can use it.',
  );
  await expect(addButton(page)).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Backend' }).click();
  await page.getByRole('option', { name: 'TensorFlow' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByRole('complementary', { name: 'Facts of the run' })).toContainText(
    'TensorFlow on the processor, built by npm run setup:tensorflow',
  );
});

test('adding TensorFlow is cancelled, and offered again', async ({ page, openWith }) => {
  await openWith({ python: 'stalling' });
  await addButton(page).click();
  await expect(run(page)).toContainText(/Fetching TensorFlow: .* of /);
  await run(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(run(page).getByRole('status')).toContainText('Cancelled. Nothing was installed.');
  await expect(addButton(page)).toBeVisible();
});

test('without a network one sentence says so', async ({ page, openWith }) => {
  await openWith({ npm: 'offline' });
  await addButton(page).click();
  await expect(run(page).getByRole('alert')).toContainText(
    "TensorFlow was not added: the addon's sources could not be fetched, because the name of its server could not be resolved",
  );
  await expect(addButton(page)).toBeVisible();
});
