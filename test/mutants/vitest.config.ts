import { defineConfig } from 'vitest/config';

/** The suite of one room (places.mjs), as the mutation tester runs it. */
export default defineConfig({
  test: {
    environment: 'node',
    include: (process.env['ZIGZAG_MUTANTS_TESTS'] ?? '').split(',').filter((glob) => glob !== ''),
    exclude: ['**/node_modules/**', 'dist/**'],
    setupFiles: ['test/support/setup.ts'],
    pool: 'forks',
    testTimeout: 180_000,
  },
});
