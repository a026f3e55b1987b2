import { defineConfig } from 'vitest/config';
import { globsLeftOut, tierOfRun } from './app/start/test-tiers.mjs';
import { localImports } from './test/support/local-imports.ts';
import { runFolder } from './test/support/run-folder.ts';

const EXCLUDED = ['test/e2e/**', '**/node_modules/**', 'dist/**', ...globsLeftOut(tierOfRun())];
/** Their modules keep nothing between tests, so that a worker loads them once for all of its files. */
const SHARED = [
  ...['engine', 'app/report', 'app/contract', 'renderer', 'main/solver', 'main/host'].map(
    (folder) => `test/${folder}/**/*.test.ts`,
  ),
  // The others replace modules, or settings of their process.
  'test/app/bridges/!(highs).test.ts',
  'test/app/cli/!(new-option|option-walk).test.ts',
];

export default defineConfig({
  plugins: [localImports(import.meta.dirname)],
  test: {
    environment: 'node',
    env: { ZIGZAG_TEST_RUN: runFolder() },
    projects: [
      { extends: true, test: { name: 'shared', include: SHARED, exclude: EXCLUDED, isolate: false } },
      {
        extends: true,
        test: { name: 'own', include: ['test/**/*.test.{ts,tsx}'], exclude: [...EXCLUDED, ...SHARED] },
      },
    ],
    setupFiles: ['test/support/setup.ts'],
    reporters: ['default', './test/support/summary-reporter.ts'],
    pool: 'forks',
    maxWorkers: '100%',
    // No limit is a measure of time: each finds what hangs, also beside sixteen busy processes.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 180_000 } },
    passWithNoTests: true,
    coverage: {
      provider: 'v8',
      include: ['engine/**/*.ts', 'app/**/*.ts', 'main/**/*.ts', 'renderer/**/*.ts'],
      reporter: ['text-summary', 'html'],
    },
  },
});
