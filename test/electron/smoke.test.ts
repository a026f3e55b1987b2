import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { _electron } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { electronBinary, electronObstacle } from '../../app/start/electron.mjs';

const ROOT = join(import.meta.dirname, '../..');

/** Why the real program cannot be launched here, or nothing. */
function obstacle(): string | undefined {
  if (electronBinary() === undefined) return "Electron's program is not installed";
  const parts = ['node/electron-main.js', 'preload.cjs', 'renderer/index.html'];
  const missing = parts.find((part) => !existsSync(join(ROOT, 'dist', part)));
  return electronObstacle() ?? (missing === undefined ? undefined : `dist/${missing} is not built`);
}

const reason = obstacle();

describe('the desktop program', () => {
  it.skipIf(reason !== undefined)(
    `opens the lab in a window without Node${reason === undefined ? '' : ` (skipped: ${reason})`}`,
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
      } finally {
        await program.close();
      }
    },
  );
});
