import { defineConfig } from 'vitest/config';
import { filesLeftOut, tierOfRun } from './app/start/test-tiers.mjs';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/e2e/**', '**/node_modules/**', 'dist/**', ...filesLeftOut(tierOfRun())],
    setupFiles: ['test/support/setup.ts'],
    reporters: ['default', './test/support/summary-reporter.ts'],
    pool: 'forks',
    maxWorkers: '100%',
    testTimeout: 180_000,
    hookTimeout: 180_000,
    passWithNoTests: true,
    coverage: {
      provider: 'v8',
      include: ['engine/**/*.ts', 'app/**/*.ts', 'main/**/*.ts', 'renderer/**/*.ts'],
      reporter: ['text-summary', 'html'],
    },
  },
});
