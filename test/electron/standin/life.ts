import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Facts that the stand-in's parts share about the program they replace. */

/** Folder of the program: a package whose `main` is the main process. */
export const ROOT = process.env['STANDIN_APP'] ?? process.cwd();
/** Folder of the built stand-in. */
export const BUILT = process.env['STANDIN_BUILT'] ?? import.meta.dirname;
/** Folder that the program may write to: nothing outside it is touched. */
export const HOME = process.env['STANDIN_HOME'] ?? ROOT;

interface Manifest {
  readonly main: string;
  readonly name: string;
  readonly productName: string;
  readonly version: string;
}
export const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** A window as the rest of the program sees it. */
export interface Pane {
  readonly id: number;
  /** A test's own page, which is no window of the program's making. */
  readonly isAdopted: boolean;
  readonly isShown: boolean;
  readonly url: string;
  close(): void;
}

export const life = {
  isReady: false,
  isQuitting: false,
  isSandboxed: false,
  switches: new Map<string, string>(),
  panes: new Map<number, Pane>(),
};

export const ownPanes = (): Pane[] => [...life.panes.values()].filter((pane) => !pane.isAdopted);
