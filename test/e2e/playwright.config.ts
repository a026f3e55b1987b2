import { defineConfig } from '@playwright/test';
import { findChromium } from '../../app/start/chromium.mjs';
import { globsLeftOut, tierOfRun } from '../../app/start/test-tiers.mjs';

const report = process.env['ZIGZAG_E2E_REPORT'];
const executablePath = findChromium();
const program = executablePath ? { executablePath } : {};
const QUIET = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const LEFT_OUT = globsLeftOut(tierOfRun()).map((glob) => glob.replace('test/e2e/', '**/'));
/** The desktop trains on WebGPU in a window. */
const SOFTWARE_GPU = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];

export default defineConfig<object, { carrier: 'browser' | 'desktop' }>({
  testDir: import.meta.dirname,
  outputDir: '../../test-results',
  projects: [
    { name: 'e2e', testMatch: '**/*.spec.ts', testIgnore: ['desktop/**', ...LEFT_OUT] },
    {
      name: 'desktop',
      testMatch: '**/*.spec.ts',
      // They count or cut WebSockets, look at the address's key, or need no lab at all.
      grepInvert: /@socket/,
      testIgnore: ['key.spec.ts', 'site.spec.ts', 'pictures.spec.ts', ...LEFT_OUT],
      use: {
        carrier: 'desktop',
        launchOptions: { ...program, args: [...SOFTWARE_GPU, ...QUIET] },
      },
    },
    { name: 'screenshots', testMatch: '**/*.shots.ts' },
  ],
  reporter: report ? [['list'], ['json', { outputFile: report }]] : 'list',
  forbidOnly: process.env['CI'] !== undefined,
  retries: 0,
  // Each has a lab and a browser of its own; half of the cores, as it is by default, would be one on a machine of two.
  workers: 2,
  // No limit is a measure of time: each finds what hangs, also beside sixteen busy processes.
  timeout: 900_000,
  expect: { timeout: 180_000 },
  globalTimeout: 4 * 60 * 60_000,
  use: {
    // A click or a hover of what is covered ends here, not with the test.
    actionTimeout: 180_000,
    screenshot: 'only-on-failure',
    launchOptions: {
      ...program,
      args: ['--disable-gpu', ...QUIET],
    },
  },
});
