import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the parts of the stand-in know of the one program that they stand in for. */

/** Folder of the program: a package whose `main` is the main process. */
export const ROOT = process.env['STANDIN_APP'] ?? process.cwd();
/** Where the stand-in itself was built. */
export const BUILT = process.env['STANDIN_BUILT'] ?? import.meta.dirname;
/** Where the program may write: nothing outside it is touched. */
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
