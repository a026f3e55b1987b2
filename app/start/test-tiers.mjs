/**
 * Tiers of `npm test`: each runs everything that the one before it runs, and more. ZIGZAG_TIER names the tier of a run;
 * without it everything runs, as for files that are named.
 */
export const TIERS = /** @type {const} */ (['fast', 'usual', 'all']);

/** @typedef {typeof TIERS[number]} Tier */

/** The option of `npm test` for a tier. */
export const COMMANDS = { fast: 'npm test -- --fast', usual: 'npm test', all: 'npm test -- --all' };

/** Share of the drawn cases (graphs, schedules, files) that a property tries. */
export const SHARES = { fast: 0.1, usual: 0.1, all: 1 };

/**
 * Tests that take longest, files and folders, by the first tier that runs them.
 *
 * @type {Readonly<Record<Exclude<Tier, 'fast'>, readonly string[]>>}
 */
export const SLOW = {
  usual: [
    'test/layering.test.ts',
    'test/electron/',
    'test/fuzz/',
    'test/soak/',
    'test/app/start/',
    ...['costs-file', 'engine-facts', 'round-trip', 'snapshot'].map(
      (name) => `test/app/bridges/${name}.test.ts`,
    ),
    ...['commands', 'compare-several', 'exported-lines', 'option-walk', 'process', 'proved'].map(
      (name) => `test/app/cli/${name}.test.ts`,
    ),
    ...['latex', 'table-forms'].map((name) => `test/app/report/${name}.test.ts`),
    'test/engine/bounds/',
    ...['budget', 'checkmate', 'live'].map((name) => `test/engine/strategies/${name}/`),
    ...['every-strategy', 'live', 'milp'].map((name) => `test/engine/strategies/${name}.test.ts`),
    ...['offload', 'time-limit', 'traits'].map((name) => `test/engine/strategies/${name}.test.ts`),
    'test/engine/strategies/planner/',
    'test/engine/tables/',
    ...['chunked-loss', 'held', 'sharding'].map((name) => `test/engine/training-memory/${name}.test.ts`),
    'test/engine/zoo/language/',
    'test/engine/zoo/torch-saved.test.ts',
    'test/main/history/',
    'test/main/host/contract.test.ts',
    'test/main/serve/',
    'test/main/setup/',
    ...['client', 'compare', 'device-budget', 'limits', 'live-tensors', 'solver'].map(
      (name) => `test/main/solver/${name}.test.ts`,
    ),
    'test/main/trainer/',
    'test/main/trainer-client/',
    'test/renderer/screens/learn/exercises.test.ts',
    'test/renderer/state/comparison/device-memory.test.ts',
    'test/renderer/state/presets/presets.test.ts',
    'test/renderer/screens/compare/row-menu.test.tsx',
    ...['budget-field', 'language-fields'].map((name) => `test/renderer/shell/${name}.test.tsx`),
  ],
  all: [
    ...[
      'large',
      'reproduce-file',
      'torch-loops',
      'torch-manners',
      'torch-offload',
      'torch-onnx',
      'torch-onnx-plans',
      'torch-partitioner',
      'torch-reentrant',
      'torch-selftest',
      'torch-shards',
      'torch-totals',
      'training-script',
    ].map((name) => `test/app/bridges/${name}.test.ts`),
    ...['torch-training-memory', 'torch-traps', 'torch-zoo', 'torch', 'wheel'].map(
      (name) => `test/app/bridges/${name}.test.ts`,
    ),
    ...['compared-options', 'fit', 'hostile', 'offload', 'sweep'].map(
      (name) => `test/app/cli/${name}.test.ts`,
    ),
    ...['electron-download', 'setup-tensorflow'].map((name) => `test/app/start/${name}.test.ts`),
    'test/engine/exchange/large-files.test.ts',
    ...['budget/one-front', 'budget-class', 'busy-machine', 'live-networks', 'live-stages'].map(
      (name) => `test/engine/strategies/${name}.test.ts`,
    ),
    ...['kills', 'limits'].map((name) => `test/main/history/${name}.test.ts`),
    ...['cancel-phases', 'ways'].map((name) => `test/main/solver/${name}.test.ts`),
    'test/main/trainer/backends/webgpu.test.ts',
    'test/renderer/screens/compare/verdicts.test.tsx',
    'test/renderer/state/files/measured-file.test.ts',
    'test/electron/packed.test.ts',
    'test/docs/code-blocks.test.ts',
    'test/docs/python-blocks.test.ts',
    'test/engine/zoo/beyond.test.ts',
    ...[
      'axe',
      'exercises',
      'figures',
      'frame',
      'game',
      'heights',
      'learn',
      'lecture',
      'measured',
      'narrow',
    ].map((name) => `test/e2e/${name}.spec.ts`),
    ...['networks', 'pictures', 'site', 'tables', 'tensorflow', 'torch', 'touch', 'uses', 'verdicts'].map(
      (name) => `test/e2e/${name}.spec.ts`,
    ),
    ...['system', 'training', 'troubles', 'vulkan'].map((name) => `test/e2e/desktop/${name}.spec.ts`),
  ],
};

/** @type {Readonly<Record<Exclude<Tier, 'fast'>, readonly string[]>>} */
const ADDS = {
  usual: ['the end-to-end tests', "the desktop program's window"],
  all: [
    'ten times as many drawn cases',
    'the colours of the dark theme in the end-to-end tests',
    'a selection of end-to-end tests through the desktop program',
  ],
};

/** @returns {Tier} */
export function tierOfRun() {
  return TIERS.find((tier) => tier === process.env['ZIGZAG_TIER']) ?? 'all';
}

/** @param {Tier} tier @returns {readonly Exclude<Tier, 'fast'>[]} */
const laterThan = (tier) => /** @type {Exclude<Tier, 'fast'>[]} */ (TIERS.slice(TIERS.indexOf(tier) + 1));

/** Files that a tier leaves out, as globs. @param {Tier} tier */
export const globsLeftOut = (tier) =>
  laterThan(tier)
    .flatMap((later) => SLOW[later])
    .map((path) => (path.endsWith('/') ? `${path}**` : path));

/** Colour schemes that the end-to-end tests look at. @param {Tier} tier */
export const themesOf = (tier) =>
  tier === 'all' ? /** @type {const} */ (['light', 'dark']) : /** @type {const} */ (['light']);

/** Names the tier that ran, and what each later one would add. @param {Tier} tier */
export const tierLines = (tier) => [
  `This was ${COMMANDS[tier]}.`,
  ...laterThan(tier).map(
    (later) => `${COMMANDS[later]} adds ${[...ADDS[later], ...SLOW[later]].join(', ')}.`,
  ),
];
