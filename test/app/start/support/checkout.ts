import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshFolder } from '../../../support/fresh-folder.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const COPIED = new Set(['electron', '.zigzag-stamp', '.cache', '.vite', '.vite-temp']);

/** Instead of building: nothing. */
const BUILT = `import { join } from 'node:path';
import { ROOT } from './root.mjs';
export const DIST = join(ROOT, 'dist');
export const SERVE_PARTS = ['node', 'renderer'];
export const ensureBuilt = async () => {};
`;

/** Instead of the lab in the browser: what it was called with. */
const CLI = `console.log('browser ' + JSON.stringify(process.argv.slice(2)));`;

/** Electron refuses to run as root, and so does the start; the user of these tests counts as somebody else. */
const NOBODY = '--import=data:text/javascript,process.getuid=()=>1000';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** A checkout in which `npm start` finds all packages, and an Electron whose program was not fetched yet. */
export class Checkout {
  readonly folder = freshFolder();

  constructor() {
    const modules = join(this.folder, 'node_modules');
    mkdirSync(modules);
    for (const name of readdirSync(join(ROOT, 'node_modules'))) {
      if (!COPIED.has(name)) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
    }
    mkdirSync(join(modules, 'electron'));
    for (const file of ['package.json', 'install.js', 'checksums.json'])
      cpSync(join(ROOT, 'node_modules', 'electron', file), join(modules, 'electron', file));
    cpSync(join(ROOT, 'package-lock.json'), join(this.folder, 'package-lock.json'));
    writeFileSync(join(this.folder, 'package.json'), '{ "type": "module" }');
    cpSync(join(ROOT, 'app', 'start'), join(this.folder, 'app', 'start'), { recursive: true });
    writeFileSync(join(this.folder, 'app', 'start', 'built.mjs'), BUILT);
    mkdirSync(join(this.folder, 'dist', 'node'), { recursive: true });
    writeFileSync(join(this.folder, 'dist', 'node', 'cli.js'), CLI);
  }

  /** @returns version, as the archive's name has it */
  get version(): string {
    return JSON.parse(readFileSync(join(this.folder, 'node_modules/electron/package.json'), 'utf8')).version;
  }

  /**
   * `npm start`, in a process group of its own, as in a terminal.
   *
   * @param begun called with the process; what it returns is not waited for
   */
  start(
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    begun: (pid: number, err: () => string) => void = () => {},
  ): Promise<Ended> {
    const child = spawn(process.execPath, [join(this.folder, 'app/start/start.mjs'), ...args], {
      detached: true,
      env: {
        PATH: process.env['PATH'],
        HOME: this.folder,
        NODE_OPTIONS: NOBODY,
        DISPLAY: ':none',
        electron_config_cache: join(this.folder, 'cache'),
        electron_use_remote_checksums: '1',
        ...env,
      },
    });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    if (child.pid !== undefined) begun(child.pid, () => err);
    return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, out, err })));
  }
}
