import type { Page } from '@playwright/test';
import { planFile, planOptions } from '../../engine/exchange/plan-file.ts';
import type { Profile } from '../../engine/ops/definition.ts';
import { createProblem } from '../../engine/problem.ts';
import { solveRow } from '../../engine/strategies/solve.ts';
import { buildModel } from '../../engine/zoo/zoo.ts';
import { expect, expectAccessible, test } from './support/lab-test.ts';

const TINY = 'train?model=tiny-residual&batch=4&strategies=regular,chen-sqrt,optimal';

const start = (page: Page) => page.getByRole('button', { name: 'Start', exact: true });
const more = (page: Page) => page.getByRole('button', { name: /^More options/ });
/** A plan file for tiny-residual, made elsewhere. */
function planText(profile: Profile): string {
  const problem = createProblem(buildModel('tiny-residual', { batch: 1 }), profile);
  const { checkpoints, schedule, timeline } = solveRow(problem, 'chen-sqrt', { seed: 0 });
  if (schedule === null || timeline === null) throw new Error('chen-sqrt does not apply');
  const options = planOptions(problem, { batch: 1, seed: 0 });
  return JSON.stringify(
    planFile(problem.graph, { strategy: 'chen-sqrt', options, checkpoints, schedule, timeline }),
  );
}

async function openPlan(page: Page, text: string): Promise<void> {
  await page.evaluate((content) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([content], 'mine.plan.json'));
    for (const type of ['dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }
  }, text);
  await expect(page.getByRole('dialog')).toContainText('zigzag-plan/1');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** By its key, once a run before lets go of the options: a click may miss it while they still unfold. */
async function switchOn(page: Page, name: string): Promise<void> {
  const control = page.getByRole('switch', { name });
  await expect(control).toBeEnabled();
  await control.press('Space');
  await expect(control).toBeChecked();
}

const facts = (page: Page) => page.getByRole('complementary', { name: 'Facts of the run' });

test('measured memory follows the prediction to the byte, and the overhead is measured', async ({
  page,
  open,
}) => {
  // At a batch of its own: comparable runs of other tests, which share the history, would be drawn beside these two.
  await open(TINY.replace('batch=4', 'batch=3'));
  await expect(start(page)).toBeVisible();
  await page.getByLabel('Iterations').fill('3');
  await page.getByLabel('Run regular first').check();
  await more(page).click();
  await page.getByLabel('Pairs').fill('2');
  await switchOn(page, 'Difference of two batch sizes');
  await start(page).click();
  await expect(page.locator('h1')).toContainText(/Optimal on .*just as predicted, at every step\./);

  const chart = page.getByTestId('measured');
  const predictions = chart.locator('[data-curve^="predicted-"]');
  await expect(predictions).toHaveCount(2);
  const drawn = await predictions.all();
  for (const curve of drawn) {
    const predicted = await curve.getAttribute('d');
    const run = (await curve.getAttribute('data-curve'))?.replace('predicted-', '');
    expect(predicted).toMatch(/^M/);
    expect(await chart.locator(`[data-curve="measured-${run}"]`).getAttribute('d')).toBe(predicted);
  }
  await expect(facts(page)).toContainText('yes, at every step');
  const overhead = facts(page).getByRole('img', { name: /By FLOPs: [+−]?\d.*; Measured: [+−]?\d/ });
  await expect(overhead.locator('.recharts-bar-rectangle path')).toHaveCount(2);
  await expect(facts(page)).toContainText(/Per sample, measured\d/);

  const loss = page.getByRole('region', { name: 'Loss' });
  await expect(loss).toContainText('The losses of Regular and Optimal are bit-identical over 3 iterations.');
  const losses = await loss.locator('td').allTextContents();
  expect(losses).toHaveLength(9);
  // Iteration, then regular and optimal: the same loss, because the gradients are the same.
  for (let i = 0; i < 9; i += 3) expect(losses[i + 1]).toBe(losses[i + 2]);

  await page.getByRole('link', { name: 'Compare' }).click();
  await expect(page.getByRole('region', { name: 'Time overhead' })).toContainText('measured');
});

test('the chart zooms, holds its cursor, and shows measured milliseconds', async ({ page, open }) => {
  await open(TINY);
  const axis = page.getByRole('button', { name: 'Horizontal axis' });
  const measuredTime = page.getByRole('menuitemradio', { name: /^Measured time/ });
  await page.getByLabel('Iterations').fill('1');
  await start(page).click();
  await expect(page.locator('h1')).toContainText('just as predicted');
  await axis.click();
  await expect(measuredTime).toBeDisabled();
  await expect(measuredTime).toHaveAccessibleName(/“Optimise for this device”/);
  await axis.click();
  await more(page).click();
  await switchOn(page, 'Optimise for this device');
  await start(page).click();
  await axis.click();
  await expect(measuredTime).toBeEnabled();
  await axis.click();
  await expect(page.locator('h1')).toContainText('just as predicted');

  const chart = page.getByTestId('measured');
  const ticks = chart.locator('[data-layer="axes"]');
  const cursor = page.getByRole('slider', { name: 'Step of the training step' });
  await cursor.focus();
  await page.keyboard.press('p');
  const peak = await cursor.getAttribute('aria-valuetext');
  expect(peak).toMatch(/: predicted .*, measured /);
  await axis.click();
  await measuredTime.click();
  await expect(ticks).toContainText(/\d\sm?s/);
  // The cursor is held on the same step of another axis.
  await expect(cursor).toHaveAttribute('aria-valuetext', peak ?? '');
  await expect(facts(page)).toContainText('Difference0\u202fB');

  const whole = await ticks.textContent();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect(ticks).not.toHaveText(whole ?? '');
  await expect(page.getByTestId('overview').locator('[data-curve^="measured-"]').first()).toBeAttached();
  for (const id of ['predicted', 'measured']) {
    await expect(chart.locator(`[data-curve^="${id}-"]`).last()).toHaveAttribute('d', /H/);
  }
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show the whole step' }).click();
  await expect(ticks).toHaveText(whole ?? '');
});

test('a plan of a file is trained step by step; one that the kernels cannot run is refused in a sentence', async ({
  page,
  open,
}) => {
  await open(TINY);
  await expect(start(page)).toBeVisible();
  await page.getByRole('combobox', { name: 'Strategy' }).click();
  await expect(page.getByRole('option', { name: 'Optimal', exact: true })).toBeVisible();
  await expect(page.getByRole('option', { name: 'Your plan' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await openPlan(page, planText('tfjs'));
  await page.getByRole('combobox', { name: 'Strategy' }).click();
  await page.getByRole('option', { name: 'Your plan' }).click();
  await page.getByLabel('Iterations').fill('1');
  await start(page).click();
  await expect(page.locator('h1')).toContainText(/Your plan on .*just as predicted, at every step\./);
  await openPlan(page, planText('tfjs').replace('"forward","', '"forward","no '));
  await start(page).click();
  await expect(page.getByText(/the plan does not fit this network/)).toBeVisible();
  await expect(page.locator('h1')).toContainText('just as predicted');
});

test('a run is paused, resumed and stopped, and keeps its curve', async ({ page, open }) => {
  await open(TINY);
  await page.getByLabel('Iterations').fill('100000');
  await start(page).click();
  await expect(page.locator('h1')).toContainText(/iteration \d+ of 100.000/);
  await expect(page.getByRole('progressbar', { name: 'Progress of the run' })).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  const held = await page.locator('h1').textContent();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.locator('h1')).not.toHaveText(held ?? '');
  const measured = page.locator('[data-curve^="measured-"]').last();
  await expect(measured).toHaveAttribute('d', /H/);
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('h1')).toContainText('cancelled after');
  await expect(page.getByText('The measurements so far stay.')).toBeVisible();
  await expect(measured).toHaveAttribute('d', /H/);
  await expect(start(page)).toBeVisible();
});

test('a killed trainer is one sentence on screen, and the lab trains again', async ({ page, open, lab }) => {
  test.skip(process.platform !== 'linux', 'finds the trainer in /proc');
  await open(TINY);
  await page.getByLabel('Iterations').fill('100000');
  await start(page).click();
  await expect(page.locator('h1')).toContainText(/iteration \d+ of 100.000/);
  expect(lab.killTrainers()).toBeGreaterThan(0);
  await expect(page.getByRole('alert')).toContainText('trainer');
  await expect(page.locator('h1')).toContainText('stopped after');
  await page.getByLabel('Iterations').fill('1');
  await page.getByRole('button', { name: 'Start again' }).click();
  await expect(page.locator('h1')).toContainText('just as predicted');
});

test('a network that takes minutes to train offers a smaller size', async ({ page, open }) => {
  await open('train?model=resnet50&batch=64&strategies=regular,optimal');
  await page.getByRole('button', { name: 'Use a size that trains in seconds' }).click();
  await expect(page).toHaveURL(/model=resnet\d+&batch=8&input=32/);
  await expect(page.getByRole('button', { name: 'Use a size that trains in seconds' })).toHaveCount(0);
});

test('naive statistics drift, by an amount shown in facts and chart', async ({ page, open }) => {
  await open(TINY);
  await page.getByLabel('Iterations').fill('2');
  await more(page).click();
  await switchOn(page, 'Naive statistics');
  await start(page).click();
  await expect(page.locator('h1')).toContainText(/Optimal, naive statistics on .*just as predicted/);
  await expect(facts(page)).toContainText(/Statistics drift\d/);
  await expect(page.getByRole('region', { name: 'Drift of the running statistics' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Loss' })).toContainText('away from those of a careful run');
});

test('the largest batch within a cap is found, trial by trial', async ({ page, open }) => {
  await open(TINY);
  await page.getByText('Find the largest batch').click();
  await page.getByLabel('Memory cap').fill('6 MiB');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.locator('h1')).toContainText(/batch \d+ is the largest that runs within 6\.00/);
  expect(await page.getByTestId('probes').locator('[data-probe]').count()).toBeGreaterThan(3);
  await expect(page.getByRole('region', { name: 'History of runs' })).toContainText(/largest batch \d+/);
});
