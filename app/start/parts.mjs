/**
 * What a build consists of. `sources` are the folders whose change makes a part stale; `entries` that do not exist
 * are left out.
 *
 * @typedef {object} Part
 * @property {'node' | 'preload' | 'page'} kind
 * @property {string} out
 * @property {Readonly<Record<string, string>>} entries output name to source file
 * @property {readonly string[]} sources
 */

/** @type {Readonly<Record<'node' | 'preload' | 'preload-trainer' | 'trainer-window' | 'renderer', Part>>} */
export const PARTS = {
  node: {
    kind: 'node',
    out: 'dist/node',
    entries: {
      cli: 'app/cli/main.ts',
      'solver-worker': 'main/solver/worker.ts',
      trainer: 'main/trainer/process.ts',
      'electron-main': 'main/electron/main.ts',
    },
    sources: ['engine', 'app', 'main'],
  },
  preload: {
    kind: 'preload',
    out: 'dist/preload.cjs',
    entries: { preload: 'app/preload.ts' },
    sources: ['engine', 'app'],
  },
  'preload-trainer': {
    kind: 'preload',
    out: 'dist/preload-trainer.cjs',
    entries: { 'preload-trainer': 'app/preload-trainer.ts' },
    sources: ['engine', 'app'],
  },
  'trainer-window': {
    kind: 'page',
    out: 'dist/trainer-window',
    entries: { window: 'main/trainer/window.html' },
    sources: ['engine', 'app', 'main/trainer'],
  },
  renderer: {
    kind: 'page',
    out: 'dist/renderer',
    entries: { index: 'renderer/index.html' },
    sources: ['engine', 'app', 'renderer'],
  },
};

/** @typedef {keyof typeof PARTS} PartName */

export const PART_NAMES = /** @type {PartName[]} */ (Object.keys(PARTS));

/** Which parts a command line needs: most commands need no page, so a page's fault cannot stop them. */
export const CLI_PARTS = /** @type {const} */ (['node']);
export const SERVE_PARTS = /** @type {const} */ (['node', 'renderer']);
