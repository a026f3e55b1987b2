import { graphFile } from '../../engine/exchange/graph-file.ts';
import { buildModel } from '../../engine/zoo/zoo.ts';
import { compared, expectAccessible, figures } from './support/lab-test.ts';
import { startLab } from './support/lab-server.ts';
import { expect, test } from './support/site-test.ts';

const SMALL = 'model=tiny-residual&batch=4&strategies=regular,chen-sqrt,optimal,live';

test('compares ResNet-50 with every strategy, and says the numbers of the served lab', async ({
  page,
  browser,
  open,
}) => {
  test.setTimeout(400_000);
  const all =
    'regular,memory-poor,chen-sqrt,chen-greedy,chen-memonger,articulation,random,linear-optimal,optimal,sequential,revolve,bptt,chain-dp,live,budget,milp,speed';
  const view = `compare?model=resnet50&batch=64&budgetBytes=4294967296&strategies=${all}`;
  const rows = async (on: typeof page): Promise<string[]> => {
    await expect(on.locator('h1')).toContainText(' needs ', { timeout: 120_000 });
    await expect(on.locator('h1')).toHaveAttribute('aria-busy', 'false', { timeout: 180_000 });
    const cells = await figures(on).getByRole('row').allInnerTexts();
    // How long a solve took is the one thing that differs.
    return cells.map((row) => row.replace(/\s[\d.,]+\s*(?:ms|s)\b/g, ' TIME').trim());
  };
  await open(view);
  const own = await rows(page);
  expect(own.length).toBe(all.split(',').length + 1);
  const lab = await startLab();
  try {
    const served = await (await browser.newContext()).newPage();
    await served.goto(`${lab.url}#/${view}`);
    expect(own).toEqual(await rows(served));
    await served.context().close();
  } finally {
    await lab.close();
  }
});

test('what is cancelled ends, and the next question is answered', async ({ page, open }) => {
  await open('compare?model=nasnet-a-large&batch=16&strategies=regular,milp,live&budgetBytes=100');
  await expect(page.locator('h1')).toHaveAttribute('aria-busy', 'true', { timeout: 60_000 });
  await page.keyboard.press('Escape');
  await expect(page.locator('h1')).toHaveAttribute('aria-busy', 'false', { timeout: 60_000 });
  await page.evaluate((view) => {
    location.hash = `#/${view}`;
  }, `compare?${SMALL}`);
  await compared(page);
  await expect(page.locator('h1')).toContainText('Tiny residual network');
});

test('a lesson by link plays, and its trial leads to the screen that it is for', async ({ page, open }) => {
  await open('learn?v.lesson=sqrt');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const slider = page.getByRole('slider').first();
  const before = await page.locator('article').innerText();
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.locator('article').innerText()).not.toBe(before);
});

test('a lesson is embedded in a page of another host: alone, and it plays', async ({ page, hosts }) => {
  const [{ url }] = hosts;
  await page.setContent(
    `<!doctype html><html lang="en"><title>My course</title><main><h1>My course</h1>
    <iframe src="${url}?embed#/learn?v.lesson=sqrt" title="A lesson" width="760" height="640"></iframe></main></html>`,
  );
  const lesson = page.frameLocator('iframe');
  await expect(lesson.locator('h1')).toBeVisible({ timeout: 60_000 });
  await expect(lesson.getByRole('navigation')).toHaveCount(0);
  await expect(lesson.getByText('Network', { exact: true })).toHaveCount(0);
  const text = () => lesson.locator('article').innerText();
  const before = await text();
  await lesson.getByRole('slider').first().focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(text).not.toBe(before);
  const whole = lesson.getByRole('link', { name: 'Open in Zigzag' });
  await expect(whole).toHaveAttribute('href', /^\.\/#\/learn\?.*v\.lesson=sqrt/);
  await expectAccessible(page, 'iframe');
  await page.screenshot({ path: test.info().outputPath('embedded.png') });
});

test('a file is opened by the page itself, and a link brings its network to another browser', async ({
  page,
  browser,
  open,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(`compare?${SMALL}`);
  await compared(page);
  const chosen = page.waitForEvent('filechooser');
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder(/./).last().fill('Open a model file');
  await page.keyboard.press('Enter');
  const text = JSON.stringify(graphFile(buildModel('tiny-unet', { batch: 1 })));
  await (await chosen).setFiles({
    name: 'my-unet.json',
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  });
  await expect(page.getByRole('dialog', { name: 'my-unet' })).toContainText(
    'a link that you copy brings it along',
  );
  await page.keyboard.press('Escape');
  await compared(page);
  const headline = await page.locator('h1').innerText();
  expect(headline).toContain('my-unet');
  await page.getByRole('button', { name: 'Copy a link to this view' }).click();
  await expect(page.getByRole('button', { name: 'The link is copied' })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/&net=[\w-]+$/);

  const other = await (await browser.newContext()).newPage();
  for (const go of [() => other.goto(link), () => other.reload()]) {
    await go();
    await compared(other);
    expect(await other.locator('h1').innerText()).toBe(headline);
  }
  await other.goto('about:blank');
  await other.goto(link.slice(0, -40));
  await compared(other);
  await expect(other.getByText(/The link’s network cannot be read: it was cut off or damaged/)).toBeVisible();
  await other.context().close();
});

const SCREENS = [
  { id: 'compare', ready: / needs / },
  { id: 'graph', ready: /tensors joined by/ },
  { id: 'tables', view: '&v.table=theory', ready: /Solved in/ },
  { id: 'limits', ready: /trains regularly up to batch/ },
  { id: 'learn', view: '&v.lesson=sqrt', ready: /./ },
  { id: 'train', ready: /desktop/ },
] as const;

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme, reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } });
    for (const screen of SCREENS) {
      test(`${screen.id} answers and is accessible`, async ({ page, open }, info) => {
        await open(`${screen.id}?${SMALL}${'view' in screen ? screen.view : ''}`);
        await expect(page.locator('h1')).toContainText(screen.ready, { timeout: 60_000 });
        await expect(page.locator('h1[aria-busy="true"]')).toHaveCount(0, { timeout: 60_000 });
        await page.screenshot({ path: info.outputPath(`site-${screen.id}-${colorScheme}.png`) });
        await expectAccessible(page);
      });
    }
  });
}

test.describe('in a folder of a host', () => {
  test.use({ folder: true });

  test('opens, solves with HiGHS, and draws every screen', async ({ page, open }) => {
    await open('compare?model=chain-8&batch=8&strategies=regular,milp&budgetBytes=100000000');
    await compared(page);
    for (const { id, ready } of SCREENS) {
      await page
        .getByRole('navigation', { name: 'Screens' })
        .getByRole('link')
        .filter({ hasText: new RegExp(id, 'i') })
        .click();
      if (id !== 'tables') await expect(page.locator('h1')).toContainText(ready, { timeout: 60_000 });
    }
  });
});
