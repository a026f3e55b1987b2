/**
 * Rooms whose tests must notice a fault, and the tests that stand for each: few enough to run once a mutant. A place
 * that is not deep has the files of its folder alone.
 *
 * @type {Readonly<Record<string, { folder: string, deep?: boolean, tests: readonly string[] }>>}
 */
export const PLACES = {
  simulate: {
    folder: 'engine/simulate/',
    tests: [
      'test/engine/simulate/simulate.test.ts',
      'test/engine/schedule/reentrant.test.ts',
      'test/engine/simulate/*.test.ts',
    ],
  },
  schedule: {
    folder: 'engine/schedule/',
    tests: ['test/engine/schedule/*.test.ts'],
  },
  bounds: { folder: 'engine/bounds/', tests: ['test/engine/bounds/*.test.ts'] },
  strategies: { folder: 'engine/strategies/', tests: ['test/engine/strategies/**/*.test.ts'] },
  serve: { folder: 'main/serve/', tests: ['test/main/serve/*.test.ts'] },
  history: { folder: 'main/history/', tests: ['test/main/history/*.test.ts'] },
};
