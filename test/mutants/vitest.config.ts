import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { runFolder } from '../support/run-folder.ts';

const FILES = (process.env['ZIGZAG_MUTANTS_TESTS'] ?? '').split(',').filter((glob) => glob !== '');

/** The first failure ends a run, so the files that places.mjs names first, the quick ones, go first. */
class InGivenOrder extends BaseSequencer {
  override sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = FILES.findIndex((file) => moduleId.replaceAll('\\', '/').endsWith(file));
      return at < 0 ? FILES.length : at;
    };
    return Promise.resolve([...specs].sort((a, b) => rank(a) - rank(b)));
  }
}

const IS_ENGINE = FILES.every((file) => file.startsWith('test/engine/'));

/** The suite of one room (places.mjs), as the mutation tester runs it. */
export default defineConfig({
  test: {
    environment: 'node',
    env: { ZIGZAG_TEST_RUN: runFolder() },
    include: FILES,
    exclude: ['**/node_modules/**', 'dist/**'],
    // fast-check takes longer to load than a mutant of the engine to be noticed.
    setupFiles: IS_ENGINE ? [] : ['test/support/setup.ts'],
    pool: 'threads',
    // Modules are loaded once a mutant, not once a file.
    isolate: false,
    sequence: { sequencer: InGivenOrder },
    // An answer that never comes is noticed sooner than the end of all.
    testTimeout: IS_ENGINE ? 180_000 : 20_000,
  },
});
