import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { _electron } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { electronBinary, electronObstacle } from '../../app/start/electron.mjs';
import { skippedFor } from '../support/skipped.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Why the real program cannot be launched here, or nothing. */
function obstacle(): string | undefined {
  if (electronBinary() === undefined)
    return "Electron's program is not installed: npm start fetches it on a machine with a display";
  const parts = [
    'node/electron-main.js',
    'node/trainer.js',
    'preload.cjs',
    'preload-trainer.cjs',
    'renderer/index.html',
    'trainer-window/window.html',
  ];
  const unbuilt = parts.find((part) => !existsSync(join(ROOT, 'dist', part)));
  return electronObstacle() ?? (unbuilt === undefined ? undefined : `dist/${unbuilt} is not built`);
}

// Machines of the workflow must have it; there its absence is a failure.
const isNeeded = process.env['ZIGZAG_NEEDS_ELECTRON'] !== undefined;
const reason = obstacle();
if (isNeeded && reason !== undefined) throw new Error(`Electron has to run here, and cannot: ${reason}`);

describe('the desktop program', () => {
  it.skipIf(reason !== undefined)(
    `opens the lab in a window without Node and trains${skippedFor(reason ?? '')}`,
    async () => {
      const program = await _electron.launch({ executablePath: electronBinary() ?? '', args: [ROOT] });
      try {
        const page = await program.firstWindow();
        await page.waitForLoadState();
        expect(page.url()).toMatch(/^zigzag:\/\/lab\//);
        expect(await page.evaluate(() => [typeof globalThis.process, typeof globalThis.require])).toEqual([
          'undefined',
          'undefined',
        ]);
        await page.locator('main').waitFor();
        await page.evaluate(() => {
          window.location.hash = '#/train?model=tiny-residual&batch=4&strategies=regular';
        });
        for (const [backend, label] of [
          ['wasm', 'WebAssembly'],
          ['webgpu', 'WebGPU'],
        ] as const) {
          await page.getByRole('combobox', { name: 'Backend' }).click();
          await page.getByRole('option', { name: label }).click();
          await page.getByLabel('Iterations').fill('2');
          await page.getByRole('button', { name: 'Start', exact: true }).click();
          const isDone = page.getByText(`Backend: ${backend}: asked for`);
          // A machine without a GPU says so in one sentence.
          const isRefused = page.getByText('webgpu does not work here', { exact: false });
          await (backend === 'webgpu' ? isDone.or(isRefused) : isDone).first().waitFor({ timeout: 600_000 });
        }
      } finally {
        await program.close();
      }
    },
    180_000,
  );
});
