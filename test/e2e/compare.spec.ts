import { countCalls, expect, figures, saved, test } from './support/lab-test.ts';

const RESNET = 'compare?model=resnet50&batch=64&strategies=regular,chen-sqrt,random,optimal';

test('a first visit compares strategies on ResNet-50', async ({ page, compare }) => {
  await compare('');
  await expect(page.locator('h1')).toContainText(
    /^ResNet-50 at batch 64 fits 11.GiB \(needs 6\.12.GiB\)\. The largest batch is \d+\.$/,
  );
  const zigzag = page.getByTestId('zigzag');
  await expect(zigzag.locator('path[data-curve]')).not.toHaveCount(0);
  await expect(zigzag.locator('path[data-band]')).toHaveCount(8);
  await expect(figures(page).getByRole('row', { name: /Chen/ })).toBeVisible();
  expect(page.url()).not.toContain('token');
  expect(page.url()).toContain('#/compare?model=resnet50&batch=64');
});

test('a network is found by name and compared', async ({ page, compare }) => {
  await compare(RESNET);
  const picker = page
    .getByRole('combobox', { name: 'Network' })
    .or(page.getByLabel('Network', { exact: true }));
  await picker.first().fill('vgg 16');
  await page.getByRole('option', { name: /VGG-16/ }).click();
  await expect(page.locator('h1')).toContainText('VGG-16 at batch 64 fits');
  expect(page.url()).toContain('model=vgg16');
  await picker.first().fill('resnet-152');
  await picker.first().press('Enter');
  await expect(page.locator('h1')).toContainText('ResNet-152 at batch 64');
});

test('another batch size scales chart, table and sentence without a new solution', {
  tag: '@socket',
}, async ({ page, compare }) => {
  await page.clock.install();
  const calls = countCalls(page, 'compare');
  await compare(`${RESNET}&v.columns=peakBytes`);
  expect(calls()).toBe(1);
  const peak = figures(page)
    .getByRole('row', { name: /^Regular/ })
    .getByRole('cell')
    .nth(4);
  const unitAndTicks = () => page.getByTestId('zigzag').locator('svg[data-layer="axes"]').textContent();
  const before = await unitAndTicks();
  await expect(peak).toHaveText(/5\.17.GiB/);
  await page.getByRole('button', { name: 'Double the batch' }).click();
  await expect(peak).toHaveText(/10\.3.GiB/);
  await expect(page.locator('h1')).toContainText(/batch 128 does not fit 11.GiB \(needs 11\.3.GiB\)/);
  expect(await unitAndTicks()).not.toBe(before);
  const batch = page.getByLabel('Batch', { exact: true });
  await batch.fill('1');
  await expect(peak).toHaveText(/82\.[0-9].MiB/);
  await expect(page.locator('h1')).toContainText(/batch 1 fits 11.GiB \(needs 1\.10.GiB\)/);
  // Whatever waited for a pause in typing would be sent now.
  await page.clock.fastForward(5000);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+z');
  await expect(batch).toHaveValue('128');
  await page.keyboard.press('Control+Shift+Z');
  await expect(batch).toHaveValue('1');
  expect(calls()).toBe(1);
});

test('an invalid batch size is refused in one sentence and changes nothing', async ({ page, compare }) => {
  await compare(RESNET);
  const batch = page.getByLabel('Batch', { exact: true });
  for (const text of ['0', '-1', '1.5', '1e9', 'many']) {
    await batch.fill(text);
    await expect(page.getByText(/^Batch must be a whole number from 1 to 65.536\.$/)).toBeVisible();
    await expect(page.locator('h1')).toContainText('batch 64');
  }
  await batch.blur();
  await expect(batch).toHaveValue('64');
});

test('the cursor names the step, the tensor and what is live', async ({ page, compare }) => {
  await compare(RESNET);
  const inspector = page.getByRole('complementary');
  await expect(inspector).toContainText('At the peak of Optimal');
  const cursor = page.getByRole('slider', { name: 'Step of the training step' });
  await cursor.hover({ position: { x: 40, y: 110 } });
  await expect(inspector).toContainText('At the cursor, Optimal');
  await expect(inspector).toContainText('forward');
  await cursor.focus();
  await page.keyboard.press('p');
  await expect(cursor).toHaveAttribute(
    'aria-valuetext',
    /^(backward|recompute|forward) \S+: 2\.56.GiB on the device$/,
  );
  const atPeak = await cursor.getAttribute('aria-valuetext');
  await page.keyboard.press('ArrowRight');
  await expect(cursor).not.toHaveAttribute('aria-valuetext', atPeak ?? '');
  await page.keyboard.press('Home');
  await expect(cursor).toHaveAttribute('aria-valuetext', /^forward conv1/);
});

test('rows sort, and the one chosen comes to the front everywhere', async ({ page, compare }) => {
  await compare(RESNET);
  const names = () => figures(page).getByRole('rowheader').allTextContents();
  expect(await names()).toEqual(['Regular', 'Chen √n', 'Random', 'Optimal']);
  await page.getByRole('button', { name: 'Needs', exact: true }).click();
  expect(await names()).toEqual(['Optimal', 'Chen √n', 'Random', 'Regular']);
  await figures(page).getByRole('rowheader', { name: 'Chen √n' }).click();
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Chen √n needs');
  await expect(page.getByRole('complementary')).toContainText('At the peak of Chen √n');
  await expect(page).toHaveURL(/select=chen-sqrt/);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Chen √n needs');
});

test('strategies come and go; only new ones are solved, and those that do not apply say why', {
  tag: '@socket',
}, async ({ page, compare }) => {
  const calls = countCalls(page, 'compare');
  await compare('compare?model=resnet50&batch=64&strategies=regular,optimal');
  await page.getByRole('button', { name: 'Strategies', exact: true }).click();
  await page.getByRole('checkbox', { name: /Linear optimal/ }).check();
  await page.keyboard.press('Escape');
  await expect(figures(page).getByRole('row', { name: /Linear optimal/ })).toContainText('not linear');
  expect(calls()).toBe(2);
  await page.getByRole('button', { name: 'Remove Linear optimal' }).click();
  await expect(figures(page).getByRole('row', { name: /Linear optimal/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Horizontal axis' }).click();
  await page.getByRole('menuitemradio', { name: 'Operations run' }).click();
  await expect(page.getByTestId('zigzag').locator('svg[data-layer="axes"]')).toContainText('400');
});

test('charts are saved as CSV, SVG and PNG', async ({ page, compare }) => {
  await compare(RESNET);
  const save = async (item: string): Promise<string> => {
    await page.getByRole('button', { name: 'Save the chart Live memory over one training step' }).click();
    return saved(page, item);
  };
  const csv = await save('Save data as CSV');
  expect(csv.split('\r\n', 1)[0]).toMatch(/^strategy,step,kind,operation,device_bytes/);
  expect(csv).toContain('\r\noptimal,');
  const svg = await save('Save as SVG');
  expect(svg).toMatch(/^<svg xmlns=/);
  expect(svg).toContain('Chen √n');
  expect(svg).toContain('ResNet-50, batch 64: live memory');
  expect(svg).not.toContain('var(--');
  expect((await save('Save as PNG')).slice(1, 4)).toBe('PNG');
});
