/**
 * Rooms whose tests must notice a fault, and the tests that stand for each: few enough to run once a mutant.
 *
 * @type {Readonly<Record<string, { folder: string, tests: readonly string[] }>>}
 */
export const PLACES = {
  simulate: {
    folder: 'engine/simulate/',
    tests: ['test/engine/simulate/*.test.ts', 'test/engine/schedule/*.test.ts'],
  },
  schedule: {
    folder: 'engine/schedule/',
    tests: ['test/engine/schedule/*.test.ts', 'test/engine/simulate/*.test.ts'],
  },
  bounds: { folder: 'engine/bounds/', tests: ['test/engine/bounds/*.test.ts'] },
  strategies: { folder: 'engine/strategies/', tests: ['test/engine/strategies/**/*.test.ts'] },
  serve: { folder: 'main/serve/', tests: ['test/main/serve/*.test.ts'] },
  history: { folder: 'main/history/', tests: ['test/main/history/*.test.ts'] },
};
