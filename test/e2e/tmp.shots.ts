import { expect, test } from './support/lab-test.ts';
const OUT = process.env['SHOTS'] ?? '/tmp/shots';
for (const colorScheme of ['light', 'dark'] as const)
  for (const [w, h] of [
    [1280, 800],
    [1920, 1080],
    [820, 1180],
    [640, 400],
  ] as const)
    test.describe(`${colorScheme} ${w}`, () => {
      test.use({ colorScheme, viewport: { width: w, height: h }, reducedMotion: 'reduce' });
      test('shots', async ({ page, open }) => {
        test.skip(colorScheme === 'dark' && w !== 1280);
        const tag = `${colorScheme}-${w}`;
        await open('learn?v.lesson=game');
        await expect(page.locator('h1')).toHaveText('The checkpoint game');
        await page.screenshot({ path: `${OUT}/levels-${tag}.png` });
        await open('graph?model=game-unequal&batch=32&strategies=regular&v.panel=game');
        await expect(page.getByTestId('graph-canvas').locator('.react-flow__node').first()).toBeVisible({
          timeout: 60000,
        });
        for (const id of ['f4', 'f6', 'f9'])
          await page.getByTestId('graph-canvas').locator(`[data-vertex="${id}"]`).click();
        await page.waitForTimeout(1500);
        await page.screenshot({ path: `${OUT}/unequal-${tag}.png` });
        if (w === 1280 && colorScheme === 'light') {
          for (const m of [
            'game-skip',
            'game-inception',
            'game-dense',
            'random-7',
            'nasnet',
            'game-residual',
          ]) {
            await open(`graph?model=${m}&batch=${m === 'nasnet' ? 32 : 32}&strategies=regular&v.panel=game`);
            await expect(page.locator('h1')).toContainText('tensors so that', { timeout: 60000 });
            await page.waitForTimeout(m === 'nasnet' ? 9000 : 1500);
            await page.screenshot({ path: `${OUT}/${m}-${tag}.png` });
          }
        }
        if (w === 1280) {
          await open('graph?model=game-unequal&batch=32&strategies=regular&v.panel=game&v.rival=Ig');
          await page.reload();
          await page.getByRole('button', { name: 'Give me a hint' }).click();
          await page.getByRole('button', { name: 'Another hint' }).click();
          await page.getByRole('button', { name: 'Show the answers' }).click();
          await page.getByRole('button', { name: 'Show them' }).click();
          await page.waitForTimeout(1000);
          await page.screenshot({ path: `${OUT}/answers-${tag}.png` });
        }
      });
    });
