import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LabInfo } from './services.ts';
import { siteAddress } from './site-address.ts';

/** Paths of the built parts, relative to a built module: an entry, or a chunk one folder deeper. */
export interface BuiltFiles {
  readonly solverWorker: string;
  readonly trainer: string;
  readonly history: string;
  readonly reader: string;
  readonly pageRoot: string;
  readonly preload: string;
  /** Page and preload script of the trainer's hidden window on the desktop. */
  readonly trainerPageRoot: string;
  readonly trainerPreload: string;
  /** The command that adds TensorFlow; a packed program has none. */
  readonly setupCommand: string;
  /** Licences of the shipped packages, as text. */
  readonly licenses: string;
}

/** @param moduleUrl `import.meta.url` of an entry, or of code that the build may put in a chunk */
export function builtFiles(moduleUrl: string): BuiltFiles {
  const here = dirname(fileURLToPath(moduleUrl));
  const node = existsSync(join(here, 'solver-worker.js')) ? here : dirname(here);
  return {
    solverWorker: join(node, 'solver-worker.js'),
    trainer: join(node, 'trainer.js'),
    history: join(node, 'history.js'),
    reader: join(node, 'reader.js'),
    pageRoot: join(node, '..', 'renderer'),
    preload: join(node, '..', 'preload.cjs'),
    trainerPageRoot: join(node, '..', 'trainer-window'),
    trainerPreload: join(node, '..', 'preload-trainer.cjs'),
    setupCommand: join(node, '..', '..', 'app', 'start', 'setup-tensorflow.mjs'),
    licenses: join(node, '..', 'THIRD-PARTY-LICENSES.txt'),
  };
}

/** Facts about the lab and its machine. */
export function labInfo(carrier: LabInfo['carrier'], moduleUrl: string): LabInfo {
  return {
    version: versionAbove(moduleUrl),
    carrier,
    platform: `${process.platform} ${process.arch}`,
    logicalCpus: availableParallelism(),
    memoryBytes: totalmem(),
    site: siteAddress(process.env, packageAbove(moduleUrl)['config']?.['site']),
  };
}

/** Version of the package that a module belongs to. */
export function versionAbove(moduleUrl: string): string {
  return String(packageAbove(moduleUrl)['version'] ?? 'unknown');
}

type PackageFile = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** Content of the nearest package.json above a module; empty without one. */
function packageAbove(moduleUrl: string): PackageFile {
  for (let folder = dirname(fileURLToPath(moduleUrl)); ; folder = dirname(folder)) {
    try {
      return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    } catch {
      if (folder === dirname(folder)) return {};
    }
  }
}
