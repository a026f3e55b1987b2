import type { Page } from '@playwright/test';
import { graphFile } from '../../engine/exchange/graph-file.ts';
import { MAX_IMPORT_BYTES } from '../../engine/exchange/read-limits.ts';
import { planFile } from '../../engine/exchange/plan-file.ts';
import { createProblem } from '../../engine/problem.ts';
import { solveRow } from '../../engine/strategies/solve.ts';
import { buildModel } from '../../engine/zoo/zoo.ts';
import { onnxBytes } from '../app/bridges/onnx-files.ts';
import { compared, expect, expectAccessible, test } from './support/lab-test.ts';

const VIEW = 'compare?model=tiny-residual&batch=4&strategies=regular,chen-sqrt,optimal';
const NETWORK = JSON.stringify(graphFile(buildModel('vgg11', { batch: 1, input: 64 })));

const SMALL = JSON.stringify(graphFile(buildModel('tiny-residual', { batch: 1 })));
const ONNX = onnxBytes({
  nodes: [
    { op: 'Conv', name: 'conv', inputs: ['x', 'w'] },
    { op: 'Relu', name: 'relu', inputs: ['conv'] },
    { op: 'Fold', name: 'fold', inputs: ['relu'] },
  ],
  weights: { w: { shape: [4, 3, 3, 3] } },
  values: { fold: ['batch', 10] },
});
const KERAS = JSON.stringify({
  class_name: 'Sequential',
  config: {
    layers: [
      {
        class_name: 'Conv2D',
        config: { name: 'c', filters: 8, kernel_size: 3, batch_input_shape: [null, 16, 16, 3] },
      },
      { class_name: 'Flatten', config: { name: 'f' } },
      { class_name: 'Dense', config: { name: 'd', units: 4 } },
    ],
  },
});

function planText(model: string): string {
  const problem = createProblem(buildModel(model, { batch: 1 }), 'pytorch');
  const { checkpoints, schedule, timeline } = solveRow(problem, 'optimal', { seed: 0 });
  if (schedule === null || timeline === null) throw new Error(`optimal does not apply to ${model}`);
  return JSON.stringify(
    planFile(problem.graph, { strategy: 'optimal', options: {}, checkpoints, schedule, timeline }),
  );
}

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
const field = (tag: number, content: readonly number[], more = 0): number[] => [
  tag,
  ...varint(content.length + more),
  ...content,
];

/** The start of an ONNX file that ends with so many bytes of a weight: the parts of its graph are joined. */
function weighty(model: Uint8Array, bytes: number): Uint8Array {
  const tensor = [0x08, ...varint(bytes / 4), 0x10, 1, ...field(0x42, [0x76]), ...field(0x4a, [], bytes)];
  return Uint8Array.from([...model, ...field(0x3a, field(0x2a, tensor, bytes), bytes)]);
}

/** Drags a file over the window, and drops it there; it may end with zeros. */
async function drag(
  page: Page,
  name: string,
  content: string | Uint8Array,
  { drop = true, zeros = 0 } = {},
): Promise<void> {
  const bytes = Array.from(typeof content === 'string' ? new TextEncoder().encode(content) : content);
  await page.evaluate(
    (given) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(
        new File([Uint8Array.from(given.bytes), new Uint8Array(given.zeros)], given.name),
      );
      for (const type of given.drop ? ['dragover', 'drop'] : ['dragover']) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      }
    },
    { name, bytes, drop, zeros },
  );
}

test('a dropped file becomes the network; a broken one is refused in one sentence', async ({
  page,
  compare,
}) => {
  await compare(VIEW);
  await drag(page, 'mine.json', NETWORK, { drop: false });
  await expect(page.getByText('Drop a network to open it')).toBeVisible();
  await drag(page, 'mine.json', NETWORK);
  const dialog = page.getByRole('dialog', { name: 'mine' });
  await expect(dialog).toContainText('zigzag-graph/1');
  await expect(dialog).toContainText('Kept for backward');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await compared(page);
  await expect(page.locator('h1')).toContainText('mine at batch');

  await page.getByLabel('Network', { exact: true }).click();
  await expect(page.getByRole('group', { name: 'Your files' }).getByRole('option')).toContainText('mine');
  await expect(page.getByRole('option', { name: 'Open a model file…' })).toBeAttached();
  await page.keyboard.press('Escape');

  await drag(page, 'broken.json', NETWORK.slice(0, 400));
  const refused = page.getByRole('dialog', { name: 'broken.json' });
  await expect(refused.getByRole('alert')).toContainText('not valid JSON');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.locator('h1')).toContainText('mine at batch');
});

test('a file is opened from the palette, and a link to a missing one says so', async ({
  page,
  open,
  compare,
}) => {
  await compare(VIEW);
  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search for an action' }).fill('open a model file');
  await expect(page.getByRole('option', { name: 'Open a model file…' }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  const asked = await chooser;
  // It is held while the system's dialog is open: what is collected then would never hear of the file.
  const field = page.locator('input[type="file"]');
  await expect(field).toHaveCount(1);
  const client = await page.context().newCDPSession(page);
  await client.send('HeapProfiler.collectGarbage');
  await asked.setFiles({
    name: 'chosen.json',
    mimeType: 'application/json',
    buffer: Buffer.from(NETWORK),
  });
  await expect(page.getByRole('dialog', { name: 'chosen' })).toContainText('zigzag-graph/1');
  await expect(field).toHaveCount(0);
  await page.keyboard.press('Escape');
  await compared(page);
  await page.getByRole('link', { name: 'Graph' }).click();
  await expect(page.locator('h1')).toContainText('chosen');
  await page.getByRole('link', { name: 'Limits' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/batch/);
  await expect(page.getByRole('cell', { name: /^\d/ }).first()).toBeVisible();
  await open('compare?model=file:0123456789abcdef&batch=4&strategies=regular');
  await expect(page.getByText(/drop the file again/)).toBeVisible();
});

test('an ONNX file beyond the limit is dropped: it is read without its weights', async ({
  page,
  compare,
}) => {
  await compare(VIEW);
  const zeros = MAX_IMPORT_BYTES;
  await drag(page, 'large.onnx', weighty(ONNX, zeros), { zeros });
  await expect(page.getByRole('dialog', { name: 'large' })).toContainText('ONNX');
  await expect(page.locator('h1')).toContainText('large at batch');
  await drag(page, 'large.bin', 'PK', { zeros });
  await expect(page.getByRole('dialog', { name: 'large.bin' })).toContainText(
    'The file is larger than 64 MiB and not ONNX',
  );
});

test('an ONNX file and a Keras file are dropped, with notes on what was read', async ({ page, compare }) => {
  await compare(VIEW);
  await drag(page, 'seen.onnx', ONNX);
  const onnx = page.getByRole('dialog', { name: 'seen' });
  for (const fact of [
    'ONNX',
    'Operations',
    'Merged into others',
    'Unsupported operations (size only)',
    'Fold',
    'Kept for backward',
  ]) {
    await expect(onnx).toContainText(fact);
  }
  await expect(onnx).toContainText('Largest tensors');
  await page.keyboard.press('Escape');
  await expect(page.locator('h1')).toContainText('seen at batch');
  await drag(page, 'model.json', KERAS);
  await expect(page.getByRole('dialog', { name: 'model' })).toContainText('Keras or TensorFlow.js');
  await page.keyboard.press('Escape');
  await expect(page.locator('h1')).toContainText('model at batch');
});

test('a reloaded page finds the files that were opened, and trains them', async ({ page, compare }) => {
  // A run starts a process and, where the machine has them, tries faster backends first.
  test.slow();
  await compare(VIEW);
  await drag(page, 'stays.json', SMALL);
  await expect(page.getByRole('dialog', { name: 'stays' })).toContainText('Kept for backward');
  await page.keyboard.press('Escape');
  await expect(page.locator('h1')).toContainText('stays at batch');
  await page.reload();
  await compared(page);
  await expect(page.locator('h1')).toContainText('stays at batch');
  await page.getByLabel('Network', { exact: true }).click();
  await expect(page.getByRole('group').first()).toContainText('stays');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Train' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.locator('h1')).toContainText('just as predicted, at every step');
});

test('a dropped plan gets its own curve and can set my checkpoints; one for another network is refused', async ({
  page,
  compare,
}) => {
  await compare(VIEW);
  await drag(page, 'best.plan.json', planText('tiny-residual'));
  const dialog = page.getByRole('dialog', { name: 'best.plan' });
  await expect(dialog).toContainText('The plan runs on the network in front.');
  await expect(dialog).toContainText('zigzag-plan/1');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row', { name: /^Your plan/ }).first()).toBeVisible();
  await drag(page, 'best.plan.json', planText('tiny-residual'));
  await dialog.getByRole('button', { name: 'Use its checkpoints as mine' }).click();
  await expect(page.getByRole('row', { name: /^Manual/ }).first()).toBeVisible();
  await drag(page, 'other.plan.json', planText('vgg11'));
  const other = page.getByRole('dialog', { name: 'other.plan' });
  await expect(other.getByRole('alert')).toContainText('The plan does not fit this network');
  await expect(other.getByRole('alert')).toContainText('the plan is for "vgg11"');
});

test('the selected plan is saved from the palette', async ({ page, compare }) => {
  await compare(`${VIEW}&select=optimal`);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search for an action' }).fill('save plan');
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await download).suggestedFilename()).toBe('tiny-residual-optimal.plan.json');
});
