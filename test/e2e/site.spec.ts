import type { Page } from '@playwright/test';
import { graphFile } from '../../engine/exchange/graph-file.ts';
import { buildModel } from '../../engine/zoo/zoo.ts';
import { snapshotFile } from '../support/snapshots.ts';
import { drop } from './support/drop.ts';
import { compared, expectAccessible, figures } from './support/lab-test.ts';
import { startLab } from './support/lab-server.ts';
import { type Screen, SCREENS } from './support/screens.ts';
import { expect, test } from './support/site-test.ts';

const SMALL = 'model=tiny-residual&batch=4&strategies=regular,chen-sqrt,optimal,live';

/** A network of the zoo as a file of one's own, by the palette. */
async function openModelFile(page: Page, model: string, name: string): Promise<void> {
  const chosen = page.waitForEvent('filechooser');
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder(/./).last().fill('Open a model file');
  await page.keyboard.press('Enter');
  const text = JSON.stringify(graphFile(buildModel(model, { batch: 1 })));
  await (await chosen).setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
}

test('includes the documentation, which is searched without a server and readable on a phone', async ({
  page: lab,
  site,
}) => {
  await lab.goto(site.url);
  await lab.getByRole('button', { name: 'Menu', exact: true }).click();
  await lab.getByRole('menuitem', { name: 'About Zigzag' }).click();
  const opened = lab.waitForEvent('popup');
  await lab.getByRole('link', { name: 'Documentation' }).click();
  const page = await opened;
  await page.waitForURL(`${site.url}docs/index.html`);
  const search = page.getByRole('searchbox').or(page.locator('#localsearch-input')).first();
  // A key pressed before the page's script runs is lost.
  await expect(async () => {
    await page.keyboard.press('Control+k');
    await expect(search).toBeVisible({ timeout: 1000 });
  }).toPass();
  await search.fill('slurm');
  await page
    .getByRole('option', { name: /Sweeps on Slurm/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sweeps on Slurm and Ray' })).toBeVisible();
  for (const name of ['guides/sweeps', 'reference/command-line', 'explanation/strategies']) {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${site.url}docs/${name}.html`);
    await expect(page.locator('h1')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  }
});

test('compares ResNet-50 with every strategy, with the numbers of the served lab', async ({
  page,
  browser,
  open,
}) => {
  const all =
    'regular,memory-poor,chen-sqrt,chen-greedy,chen-memonger,articulation,random,linear-optimal,optimal,sequential,revolve,bptt,chain-dp,live,budget,milp,speed';
  const view = `compare?model=resnet50&batch=64&budgetBytes=4294967296&strategies=${all}`;
  const rows = async (on: typeof page): Promise<string[]> => {
    await expect(on.locator('h1')).toContainText('(needs ');
    await expect(on.locator('h1')).toHaveAttribute('aria-busy', 'false');
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

test('a memory snapshot is laid over the prediction; larger ones are compressed for transfer', async ({
  page,
  compare,
}) => {
  await compare('compare?model=resnet18&batch=8&input=64&strategies=regular,optimal');
  const card = page.getByTestId('measured-file');
  await drop(page, 'snapshot.pickle', snapshotFile('resnet18-stacks'));
  await expect(card.getByRole('status')).toContainText(/148\sMiB allocated at the peak, 152\sMiB predicted/);
  // Above a megabyte the page packs what it sends; what follows a pickle's end is no part of it.
  const snapshot = snapshotFile('resnet18-stacks');
  const padded = new Uint8Array(3 * 2 ** 20);
  padded.set(snapshot);
  await drop(page, 'padded.pickle', padded);
  await expect(card.getByRole('heading', { name: 'Measured: padded.pickle' })).toBeVisible();
  await expect(card.getByRole('status')).toContainText(/148\sMiB allocated at the peak/);
});

test('a cancelled request ends, and the next one is answered', async ({ page, open }) => {
  await open(
    'compare?model=two-towers-crossed&batch=16&strategies=regular,milp&budgetBytes=3538944&timeLimitSeconds=600',
  );
  await expect(page.locator('h1')).toHaveAttribute('aria-busy', 'true');
  await page.keyboard.press('Escape');
  // Its own limit lets the search go on for minutes.
  await expect(page.locator('h1')).toHaveAttribute('aria-busy', 'false');
  await page.evaluate((view) => {
    location.hash = `#/${view}`;
  }, `compare?${SMALL}`);
  await compared(page);
  await expect(page.locator('h1')).toContainText('Tiny residual network');
});

test('a lesson by link plays, and “Try it” leads to its screen', async ({ page, open }) => {
  await open('learn?v.lesson=sqrt');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const slider = page.getByRole('slider').first();
  const before = await page.locator('article').innerText();
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.locator('article').innerText()).not.toBe(before);
});

test('a lesson embedded in a page of another host plays, without the rest of the lab', async ({
  page,
  hosts,
}) => {
  const [{ url }] = hosts;
  await page.setContent(
    `<!doctype html><html lang="en"><title>My course</title><main><h1>My course</h1>
    <iframe src="${url}?embed#/learn?v.lesson=sqrt" title="A lesson" width="760" height="640"></iframe></main></html>`,
  );
  const lesson = page.frameLocator('iframe');
  await expect(lesson.locator('h1')).toBeVisible();
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

test('a lecture by link, embedded too, has its keys; an exercise is solved without a server', async ({
  page,
  open,
}) => {
  await open('learn?v.lesson=regular&v.lecture=1', '?embed');
  const bar = page.getByRole('navigation', { name: 'Lecture' });
  await expect(bar).toContainText('1. Why training stores every activation, section 1 of');
  await page.keyboard.press('PageDown');
  await expect(bar).toContainText('section 2 of');
  await page.keyboard.press('Shift+PageDown');
  await expect(page.locator('h1')).toHaveText('The pebble game');
  await page.keyboard.press('Escape');
  await expect(bar).toHaveCount(0);
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await open('learn?v.lesson=poor&v.seed-total=5');
  const card = page.getByRole('form', { name: /All forwards of a step/ });
  const layers = Number(/chain of (\d+) layers/.exec((await card.textContent()) ?? '')?.[1]);
  await card.getByLabel('Your answer, in forwards').fill(String(layers + (layers * (layers + 1)) / 2));
  await page.keyboard.press('Enter');
  await expect(card.getByRole('status')).toContainText('Right.');
});

test('a file is opened by the page itself, and a link brings its network to another browser', async ({
  page,
  browser,
  compare,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await compare(`compare?${SMALL}`);
  await openModelFile(page, 'tiny-unet', 'my-unet.json');
  await expect(page.getByRole('dialog', { name: 'my-unet' })).toContainText('A link carries it');
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
  await expect(
    other.getByText(/The link’s network cannot be read: it is incomplete or damaged/),
  ).toBeVisible();
  await other.context().close();
});

test('a challenge brings the game and the sender’s score to another browser, without the answer', async ({
  page,
  browser,
  open,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open('learn?v.lesson=game&v.seed=7');
  await page.getByRole('button', { name: 'Play seed 7' }).click();
  await expect(page.locator('h1')).toContainText('Random network 7');
  for (const id of ['f3', 'f9']) await page.locator(`[data-vertex="${id}"]`).click();
  const effect = page.getByTestId('game-effect');
  await expect(effect).toContainText(/Kept f9\. .*peak/);
  const figures = (on: typeof page, column: number) =>
    Promise.all(
      ['cost', 'peak'].map((of) =>
        on.locator(`[data-measure="${of}"]`).getByRole('cell').nth(column).innerText(),
      ),
    );
  const mine = await figures(page, 1);
  await page.getByRole('button', { name: 'Copy a challenge' }).click();
  await expect(page.getByText('Challenge copied. It carries your score')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/#\/graph\?model=random-7&batch=32&.*v\.panel=game&v\.rival=[\w-]+$/);
  expect(link).not.toMatch(/f3|f9|optimal/);

  const other = await (await browser.newContext()).newPage();
  for (const go of [() => other.goto(link), () => other.reload()]) {
    await go();
    await expect(other.getByRole('columnheader', { name: 'To beat' })).toBeVisible();
    await expect.poll(() => figures(other, 3)).toEqual(mine);
    await expect(other.getByTestId('game-effect')).toContainText('No checkpoints yet');
    await expect(other.locator('[data-ring]')).toHaveCount(0);
  }
  // A score is what the set costs: one that claims more is judged like any other.
  await other.goto('about:blank');
  await other.goto(link.replace(/rival=.*$/, 'rival=AA'));
  await expect(
    other.locator('[data-measure="cost"]').getByRole('cell').nth(3).locator('[data-stars="0"]'),
  ).toBeVisible();
  await expectAccessible(other);
  await other.context().close();
});

test('a network from a file is played, and its challenge contains it', async ({
  page,
  browser,
  open,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(`graph?${SMALL}&v.panel=yours`);
  await expect(page.locator('h1')).toContainText('tensors joined by');
  await openModelFile(page, 'game-skip', 'my-skips.json');
  await expect(page.getByRole('dialog', { name: 'my-skips' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('h1')).toContainText('my-skips is');
  await page.getByRole('button', { name: 'play it as a game' }).click();
  await expect(page.locator('h1')).toContainText('my-skips. Click some of 12 tensors');
  await page.locator('[data-vertex="down1"]').click();
  await expect(page.getByTestId('game-effect')).toContainText(/Kept down1\. .*peak/);
  await page.getByRole('button', { name: 'Copy a challenge' }).click();
  await expect(page.getByText('Challenge copied.')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/model=file%3Alink-1&.*&net=[\w-]+$/);
  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await expect(other.locator('h1')).toContainText('my-skips. Click some of 12 tensors');
  await expect(other.getByRole('columnheader', { name: 'To beat' })).toBeVisible();
  await other.goto('about:blank');
  await other.goto(link.slice(0, -40));
  await expect(
    other.getByText(/The link’s network cannot be read: it is incomplete or damaged/),
  ).toBeVisible();
  await other.context().close();
});

/** The site trains nothing, and says where that is possible. */
const readyOf = ({ id, ready }: Screen): RegExp => (id === 'train' ? /desktop/ : ready);

test.describe('without motion', () => {
  test.use({ reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } });
  for (const screen of SCREENS) {
    test(`${screen.id} answers and is accessible`, async ({ page, open }, info) => {
      await open(`${screen.id}?${SMALL}${screen.view ?? ''}`);
      await expect(page.locator('h1')).toContainText(readyOf(screen));
      await expect(page.locator('h1[aria-busy="true"]')).toHaveCount(0);
      await page.screenshot({ path: info.outputPath(`site-${screen.id}.png`) });
      await expectAccessible(page);
    });
  }
});

test.describe('in a folder of a host', () => {
  test.use({ folder: true });

  test('opens, solves with HiGHS, and draws every screen', async ({ page, compare }) => {
    await compare('compare?model=chain-8&batch=8&strategies=regular,milp&budgetBytes=100000000');
    for (const screen of SCREENS) {
      await page
        .getByRole('navigation', { name: 'Screens' })
        .getByRole('link')
        .filter({ hasText: new RegExp(screen.id, 'i') })
        .click();
      if (screen.id !== 'tables') await expect(page.locator('h1')).toContainText(readyOf(screen));
    }
  });
});
