/**
 * The map of layers, lowest first: the one list that the linter (`npm run lint`) and `test/layering.test.ts` read.
 * A file belongs to the first layer that its path begins with. It may import its own layer, the layers in `may`, and
 * the packages in `packages`.
 *
 * @typedef {'node' | 'electron' | 'tensorflow' | 'other'} Package
 * @typedef {{ name: string, may: readonly string[], packages: readonly Package[] }} Layer
 */

const ENGINE = ['engine/', 'engine/simulate/', 'engine/strategies/'];
const MAIN = ['main/', 'main/trainer/', 'app/bridges/', 'app/contract/', ...ENGINE];
const MAIN_IN_A_PAGE = ['main/', 'app/contract/', ...ENGINE];
const PAGE = ['app/contract/', 'app/report/', ...ENGINE];

/** @type {readonly Layer[]} */
export const LAYERS = [
  // The judge does not know the players.
  { name: 'engine/simulate/', may: ['engine/'], packages: [] },
  { name: 'engine/strategies/', may: ENGINE, packages: [] },
  { name: 'engine/', may: ENGINE, packages: [] },
  { name: 'app/contract/', may: ENGINE, packages: ['other'] },
  { name: 'app/bridges/', may: ['app/report/', ...ENGINE], packages: ['node', 'other'] },
  // Runs in a page and on the command line.
  { name: 'app/report/', may: ENGINE, packages: [] },
  { name: 'app/preload', may: ['app/contract/'], packages: ['electron'] },
  { name: 'main/electron/', may: MAIN, packages: ['node', 'electron', 'other'] },
  { name: 'main/trainer/', may: MAIN, packages: ['node', 'tensorflow', 'other'] },
  // Runs in a browser's workers.
  { name: 'main/site/', may: MAIN_IN_A_PAGE, packages: ['other'] },
  { name: 'main/', may: MAIN, packages: ['node', 'other'] },
  {
    name: 'app/cli/',
    may: ['main/', 'app/report/', 'app/bridges/', 'app/contract/', ...ENGINE],
    packages: ['node', 'other'],
  },
  { name: 'app/start/', may: ['main/', 'app/contract/', ...ENGINE], packages: ['node', 'other'] },
  // Knows no lab.
  { name: 'renderer/shared/', may: ['app/report/', ...ENGINE], packages: ['other'] },
  // The experiment and what the lab has answered; `state/parts` is what several screens make of it.
  { name: 'renderer/state/', may: ['renderer/shared/', ...PAGE], packages: ['other'] },
  { name: 'renderer/screens/', may: ['renderer/shared/', 'renderer/state/', ...PAGE], packages: ['other'] },
  {
    name: 'renderer/',
    may: ['renderer/shared/', 'renderer/state/', 'renderer/screens/', ...PAGE],
    packages: ['other'],
  },
];

/** @typedef {{ path?: string, pathNot?: string, circular?: boolean, dependencyTypes?: string[] }} Files */

const bare = (/** @type {string} */ name) => name.replace(/\/$/, '');
const starts = (/** @type {readonly string[]} */ names) => `^(${names.join('|')})`;

/** Files of a layer: those of the layers inside it are not its own. @returns {Files} */
function filesOf(/** @type {string} */ name) {
  const inner = LAYERS.map((layer) => layer.name).filter((other) => other !== name && other.startsWith(name));
  return { path: starts([name]), ...(inner.length === 0 ? {} : { pathNot: starts(inner) }) };
}

/** Folders that a layer must not import: every layer that it does not name. */
const between = LAYERS.flatMap(({ name, may }) =>
  [...LAYERS.map((layer) => layer.name), 'test/']
    .filter((other) => other !== name && !may.includes(other))
    .map((other) => ({
      name: `${bare(name)} may not import ${bare(other)}`,
      severity: 'error',
      from: filesOf(name),
      to: filesOf(other),
    })),
);

/** @type {Readonly<Record<Package, Files>>} */
const PACKAGES = {
  node: { dependencyTypes: ['core'] },
  electron: { path: '(^|node_modules/)electron(/|$)' },
  tensorflow: { path: '(^|node_modules/)(@tensorflow/|webgpu(/|$))' },
  other: {
    dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown', 'unknown'],
    pathNot: '(^|node_modules/)(electron|@tensorflow|webgpu)(/|$)',
  },
};

const packages = LAYERS.flatMap((layer) =>
  /** @type {Package[]} */ (Object.keys(PACKAGES))
    .filter((kind) => !layer.packages.includes(kind))
    .map((kind) => ({
      name: `${bare(layer.name)} may not import ${kind === 'other' ? 'packages' : kind}`,
      severity: 'error',
      from: filesOf(layer.name),
      to: PACKAGES[kind],
    })),
);

export default {
  forbidden: [
    ...between,
    ...packages,
    {
      name: 'no screen imports another',
      severity: 'error',
      from: { path: '^renderer/screens/([^/]+)/' },
      to: { path: '^renderer/screens/', pathNot: '^renderer/screens/$1/' },
    },
    { name: 'no cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no cycle of folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^renderer' },
      to: { circular: true },
    },
  ],
  options: {
    // Imports of types are imports.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.css'] },
  },
};
