import { posix } from 'node:path';
import ts from 'typescript';

/**
 * The layer map of the repository. The linter knows the same rules by the text of a specifier; this one resolves
 * every specifier to the file it names, so a detour such as `../engine/../main/x.ts` is caught too.
 */
interface Layer {
  readonly name: string;
  /** Names of the layers it may import, besides itself. */
  readonly layers: readonly string[];
  /** Says why a package may not be imported, or nothing when it may. */
  readonly refusePackage: (name: string) => string | undefined;
}

export interface Violation {
  readonly file: string;
  readonly specifier: string;
  readonly reason: string;
}

const isNode = (name: string) => name.startsWith('node:');
const isElectron = (name: string) => name === 'electron' || name.startsWith('electron/');
const isTensorFlow = (name: string) => name.startsWith('@tensorflow/') || name === 'webgpu';

const noTensorFlow = (name: string) =>
  isTensorFlow(name) ? 'TensorFlow.js is imported in main/trainer only' : undefined;
const noElectron = (name: string) =>
  isElectron(name) ? 'electron is imported in main/electron and app/preload only' : undefined;
const noNode = (name: string) => (isNode(name) ? 'this layer runs in a page, without Node' : undefined);
const anyOf =
  (...refusals: ((name: string) => string | undefined)[]) =>
  (name: string) =>
    refusals.map((refuse) => refuse(name)).find((reason) => reason !== undefined);

const ENGINE_LAYERS = ['engine', 'engine/strategies', 'engine/simulate'];

/** Most specific folder first: the first prefix that matches a file decides. */
const LAYERS: readonly (Layer & { readonly prefix: string })[] = [
  {
    name: 'engine/simulate',
    prefix: 'engine/simulate/',
    layers: ['engine'],
    refusePackage: () => 'engine imports no package',
  },
  {
    name: 'engine/strategies',
    prefix: 'engine/strategies/',
    layers: ENGINE_LAYERS,
    refusePackage: () => 'engine imports no package',
  },
  {
    name: 'engine',
    prefix: 'engine/',
    layers: ENGINE_LAYERS,
    refusePackage: () => 'engine imports no package',
  },
  {
    name: 'app/contract',
    prefix: 'app/contract/',
    layers: ENGINE_LAYERS,
    refusePackage: anyOf(noTensorFlow, noElectron, noNode),
  },
  {
    name: 'app/preload',
    prefix: 'app/preload',
    layers: ['app/contract', ...ENGINE_LAYERS],
    refusePackage: noTensorFlow,
  },
  {
    name: 'app/bridges',
    prefix: 'app/bridges/',
    layers: ENGINE_LAYERS,
    refusePackage: anyOf(noTensorFlow, noElectron),
  },
  {
    name: 'app/report',
    prefix: 'app/report/',
    layers: ENGINE_LAYERS,
    refusePackage: () => 'the report imports no package: it runs in a page and on the command line',
  },
  {
    name: 'app/cli',
    prefix: 'app/cli/',
    layers: ['main', 'app/bridges', 'app/contract', 'app/report', ...ENGINE_LAYERS],
    refusePackage: anyOf(noTensorFlow, noElectron),
  },
  {
    name: 'app',
    prefix: 'app/',
    layers: ['app/bridges', 'app/contract', 'app/report', ...ENGINE_LAYERS],
    refusePackage: anyOf(noTensorFlow, noElectron),
  },
  {
    name: 'main/electron',
    prefix: 'main/electron/',
    layers: ['main', 'main/trainer', 'app/contract', ...ENGINE_LAYERS],
    refusePackage: noTensorFlow,
  },
  {
    name: 'main/trainer',
    prefix: 'main/trainer/',
    layers: ['main', 'app/bridges', 'app/contract', ...ENGINE_LAYERS],
    refusePackage: noElectron,
  },
  {
    name: 'main',
    prefix: 'main/',
    layers: ['main/trainer', 'app/bridges', 'app/contract', ...ENGINE_LAYERS],
    refusePackage: anyOf(noTensorFlow, noElectron),
  },
  {
    name: 'renderer',
    prefix: 'renderer/',
    layers: ['app/contract', 'app/report', ...ENGINE_LAYERS],
    refusePackage: anyOf(noTensorFlow, noElectron, noNode),
  },
];

const layerOf = (file: string) => LAYERS.find((layer) => file.startsWith(layer.prefix));

/** Every specifier of a source text: static, dynamic, re-exported, and `/// <reference types>`. */
export function importSpecifiers(source: string): string[] {
  const info = ts.preProcessFile(source, true, true);
  return [...info.importedFiles, ...info.typeReferenceDirectives].map((reference) => reference.fileName);
}

/** The wrong imports of one file; `file` is relative to the repository's root, with forward slashes. */
export function wrongImports(file: string, source: string): Violation[] {
  const layer = layerOf(file);
  if (!layer) return [];
  const violations: Violation[] = [];
  for (const specifier of importSpecifiers(source)) {
    const reason = specifier.startsWith('.')
      ? refuseFile(layer, posix.join(posix.dirname(file), specifier))
      : layer.refusePackage(specifier);
    if (reason !== undefined) violations.push({ file, specifier, reason });
  }
  return violations;
}

function refuseFile(from: Layer, target: string): string | undefined {
  if (target.startsWith('test/')) return 'nothing outside test imports test';
  const to = layerOf(target);
  const allowed = [from.name, ...from.layers.filter((name) => name !== from.name)];
  if (to && allowed.includes(to.name)) return undefined;
  return `${from.name} may import ${allowed.join(', ')}, not ${to ? to.name : target}`;
}
