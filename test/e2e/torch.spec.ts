import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { runReference, torchPythons } from '../app/bridges/python.ts';
import { compared, expect, expectAccessible, test } from './support/lab-test.ts';

const VIEW = 'compare?model=resnet18&batch=8&input=64&strategies=regular,optimal,live';

async function openPanel(page: Page, title: string) {
  await page.getByRole('button', { name: `Actions on ${title}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Use in PyTorch…' }).click();
  const panel = page.getByRole('dialog', { name: `${title} in PyTorch` });
  await expect(panel.getByRole('status')).toContainText(/peaks at|cannot be used|No plan/);
  return panel;
}

async function downloaded(page: Page, press: () => Promise<void>): Promise<string> {
  const waiting = page.waitForEvent('download');
  await press();
  return readFileSync(await (await waiting).path(), 'utf8');
}

test.describe('without motion', () => {
  test.use({ reducedMotion: 'reduce' });

  test('a row leads to its plan in PyTorch, for a library’s model or your own', async ({ page, compare }) => {
    await compare(VIEW);
    const panel = await openPanel(page, 'Live');
    await expect(panel.getByRole('status')).toContainText('bit-identical');
    await expect(panel).toContainText('torchvision.models.resnet18()');
    await expectAccessible(page, '[role="dialog"]');

    await panel.getByRole('radio', { name: /^torchvision/ }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(panel).toContainText("timm.create_model('resnet18')");
    await page.keyboard.press('ArrowRight');
    await expect(panel).toContainText("zigzag.capture(model, images, path='model.json')");
    await expect(panel).toContainText(
      'zigzag export model.json --batch 8 --strategy live --to torch-plan > model-live.plan.json',
    );
    await expectAccessible(page, '[role="dialog"]');
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
  });

  test('a plan that PyTorch cannot run says why', async ({ page, compare }) => {
    await compare('compare?model=densenet121&batch=2&input=64&strategies=regular,optimal');
    const panel = await openPanel(page, 'Optimal');
    await expect(panel.getByRole('status')).toContainText('every layer of a DenseNet concatenates');
    await expect(panel).toContainText('1. Capture your model');
    await page.keyboard.press('Escape');
    const regular = await openPanel(page, 'Regular');
    await expect(regular.getByRole('status')).toContainText('No plan is needed');
  });

  test('a plan of a transformer is one for the Python package, which plans the model again', async ({
    page,
    compare,
  }) => {
    await compare('compare?model=tiny-transformer&batch=4&strategies=regular,live');
    const panel = await openPanel(page, 'Live');
    await expect(panel.getByRole('status')).toContainText('plans it again within this peak');
    await expect(panel).toContainText('pip install dist/python/zigzag_lab-');
    await expect(panel).toContainText("zigzag.plan_model(model, 'tiny-transformer-live.plan.json')");
    await expect(panel.getByRole('button', { name: /Download zigzag_torch/ })).toHaveCount(0);
    await expectAccessible(page, '[role="dialog"]');
  });
});

for (const { title, python, reason } of torchPythons()) {
  test(`${title}: a captured model, opened in the lab, trains under the plan that the panel gives`, async ({
    page,
    compare,
  }) => {
    test.skip(reason !== '', reason);
    const folder = mkdtempSync(join(tmpdir(), 'zigzag-journey-'));
    try {
      await compare('compare?model=tiny-residual&batch=4&strategies=regular,optimal,live');
      const bridge = await openPanel(page, 'Live');
      const saveFile = () => bridge.getByRole('button', { name: /Download zigzag_torch\.py/ }).click();
      writeFileSync(join(folder, 'zigzag_torch.py'), await downloaded(page, saveFile));
      await page.keyboard.press('Escape');
      runReference('torch_journey.py', ['capture', folder], 120_000, python);
      const chooser = page.waitForEvent('filechooser');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search for an action' }).fill('open a model file');
      await expect(page.getByRole('option', { name: 'Open a model file…' }).first()).toBeVisible();
      await page.keyboard.press('Enter');
      await (await chooser).setFiles(join(folder, 'journey.json'));
      await expect(page.getByRole('dialog', { name: 'journey' })).toContainText('zigzag-graph/1');
      await expect(page.getByRole('dialog', { name: 'journey' })).toContainText('Captured with 4 samples');
      await page.keyboard.press('Escape');
      await compared(page);
      await expect(page.locator('h1')).toContainText('journey at batch');
      await expect(page.getByRole('complementary', { name: 'About the file' })).toContainText(
        'journey: Captured with 4 samples',
      );

      const panel = await openPanel(page, 'Live');
      await expect(panel).toContainText('zigzag.plan_model(model,');
      await expectAccessible(page, '[role="dialog"]');
      const button = (name: RegExp) => panel.getByRole('button', { name });
      const plan = await downloaded(page, () => button(/Download .*\.plan\.json/).click());
      writeFileSync(join(folder, 'plan.json'), plan);

      const told = JSON.parse(runReference('torch_journey.py', ['train', folder], 200_000, python)) as {
        readonly losses: readonly number[];
        readonly underPlan: readonly number[];
        readonly regularPeakBytes: number;
        readonly peakBytes: number;
      };
      expect(told).toMatchObject({ gradients: true, left: null });
      expect(told.losses).toHaveLength(3);
      expect(told.underPlan).toEqual(told.losses);
      const said = JSON.parse(plan) as { readonly peakBytes: number; readonly regularPeakBytes: number };
      const share = (told.regularPeakBytes - told.peakBytes) / (said.regularPeakBytes - said.peakBytes);
      expect(share).toBeGreaterThan(0.8);
      expect(share).toBeLessThan(1.1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
