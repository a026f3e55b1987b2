import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import { gathered } from './vitest.mjs';

const SHIM = fileURLToPath(new URL('vitest.mjs', import.meta.url));

/**
 * A test runner of Stryker for tests that need no Node and no page: the test files of a place become one bundle, which is
 * evaluated again for each mutant, and its tests run in this process until one fails. Starting Vitest for each mutant
 * takes ten times as long.
 */
class InProcessRunner {
  #turn = 0;
  #bundle = '';

  capabilities() {
    return { reloadEnvironment: false };
  }

  /** In Stryker's copy of the checkout, where the code is changed. */
  async init() {
    const files = (process.env['ZIGZAG_MUTANTS_TESTS'] ?? '').split(',').flatMap(matching);
    const folder = join(process.cwd(), 'dist', 'in-process');
    const input = join(process.cwd(), 'in-process-tests.ts');
    const name = `tests-${process.pid}.mjs`;
    const entry = [...new Set(files)].map((file) => `import ${JSON.stringify(file)};`).join('\n');
    await build({
      configFile: false,
      logLevel: 'error',
      plugins: [
        {
          name: 'tests',
          enforce: 'pre',
          resolveId: (id) =>
            id === 'tests' ? input : id === 'vitest' ? { id: SHIM, external: 'absolute' } : null,
          load: (id) => (id === input ? entry : null),
        },
      ],
      build: {
        ssr: true,
        outDir: folder,
        emptyOutDir: false,
        minify: false,
        rolldownOptions: {
          input: 'tests',
          output: { format: 'esm', entryFileNames: name, codeSplitting: false },
        },
      },
    });
    this.#bundle = pathToFileURL(join(folder, name)).href;
  }

  /** @returns {Promise<object>} */
  async dryRun() {
    const ns = namespace();
    ns.activeMutant = undefined;
    const tests = [];
    for (const test of await this.#tests()) {
      ns.currentTestId = test.id;
      tests.push(await outcome(test));
      ns.currentTestId = undefined;
    }
    return { status: 'complete', tests, mutantCoverage: ns.mutantCoverage };
  }

  /**
   * @param {{ activeMutant: { id: string }, testFilter?: readonly string[], hitLimit?: number }} options
   * @returns {Promise<object>}
   */
  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    const ns = namespace();
    ns.activeMutant = undefined;
    const tests = await this.#tests();
    Object.assign(ns, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
    let ran = 0;
    for (const test of tests) {
      if (testFilter !== undefined && !testFilter.includes(test.id)) continue;
      ran++;
      const { status, failureMessage = '' } = await outcome(test);
      if (hitLimit !== undefined && (ns.hitCount ?? 0) > hitLimit)
        return { status: 'timeout', reason: `hit ${ns.hitCount} times, of ${hitLimit}` };
      if (status === FAILED) return { status: 'killed', failureMessage, killedBy: [test.id], nrOfTests: ran };
    }
    return { status: 'survived', nrOfTests: ran };
  }

  async #tests() {
    await import(`${this.#bundle}?${this.#turn++}`);
    return gathered();
  }
}

const PASSED = 0;
const FAILED = 1;

/**
 * @param {import('./vitest.mjs').Test} test
 * @returns {Promise<{ id: string, name: string, status: number, timeSpentMs: number, failureMessage?: string }>}
 */
async function outcome({ id, body, before }) {
  const begin = performance.now();
  const known = { id, name: id };
  try {
    for (const hook of before) await hook();
    await body();
    return { ...known, status: PASSED, timeSpentMs: performance.now() - begin };
  } catch (error) {
    const failureMessage = error instanceof Error ? error.message : String(error);
    return { ...known, status: FAILED, timeSpentMs: performance.now() - begin, failureMessage };
  }
}

/**
 * State that the changed code reads.
 *
 * @returns {{ activeMutant?: string | undefined, currentTestId?: string | undefined, hitCount?: number, hitLimit?: number, mutantCoverage?: object }}
 */
function namespace() {
  const global = /** @type {{ __stryker__?: object }} */ (/** @type {unknown} */ (globalThis));
  global.__stryker__ ??= {};
  return global.__stryker__;
}

/** @param {string} glob a file, or a folder's `*.test.ts`, or `**` for those below it too */
function matching(glob) {
  if (!glob.includes('*')) return [join(process.cwd(), glob)];
  const folder = join(process.cwd(), glob.slice(0, glob.indexOf('*')));
  return readdirSync(folder, { recursive: glob.includes('**') })
    .map(String)
    .filter((file) => file.endsWith('.test.ts'))
    .sort()
    .map((file) => join(folder, file));
}

function factory() {
  return new InProcessRunner();
}
// Stryker hands over what is named here: nothing.
factory.inject = /** @type {const} */ ([]);

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', factory }];
