import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type * as Electron from 'electron';
import { fromDriver, tellDriver } from './driver-line.ts';
import { HOME, life, manifest, ownPanes, ROOT } from './life.ts';
import { event, type NothingElse } from './promise.ts';
import { SingleInstance } from './single-instance.ts';
import { utilities } from './utility.ts';

const POLL_MS = 20;
const EXIT_LIMIT_MS = 60_000;

class StandInCommandLine
  implements Pick<Electron.CommandLine, 'appendSwitch' | 'getSwitchValue' | 'hasSwitch' | 'removeSwitch'>
{
  /** Chromium has read its switches when the app is ready. */
  appendSwitch(name: string, value = ''): void {
    if (life.isReady) throw new Error(`the switch ${name} comes too late: the app is ready`);
    life.switches.set(name.toLowerCase(), value);
    tellDriver({ type: 'switch', name: name.toLowerCase(), value });
  }

  getSwitchValue(name: string): string {
    return life.switches.get(name.toLowerCase()) ?? '';
  }

  hasSwitch(name: string): boolean {
    return life.switches.has(name.toLowerCase());
  }

  removeSwitch(name: string): void {
    life.switches.delete(name.toLowerCase());
  }
}

const FOLDERS: Partial<Record<Parameters<Electron.App['getPath']>[0], string>> = {
  home: HOME,
  userData: join(HOME, '.config', manifest.productName),
  logs: join(HOME, '.config', manifest.productName, 'logs'),
  temp: join(HOME, 'tmp'),
};

class StandInApp
  extends EventEmitter
  implements
    Pick<
      Electron.App,
      | 'addRecentDocument'
      | 'enableSandbox'
      | 'exit'
      | 'getAppPath'
      | 'getName'
      | 'getPath'
      | 'getVersion'
      | 'isPackaged'
      | 'isReady'
      | 'name'
      | 'quit'
      | 'relaunch'
      | 'releaseSingleInstanceLock'
      | 'requestSingleInstanceLock'
      | 'setAsDefaultProtocolClient'
      | 'whenReady'
    >
{
  readonly commandLine = new StandInCommandLine();
  readonly isPackaged = false;
  name = manifest.productName;
  #relaunches = false;
  #announce: () => void = () => undefined;
  readonly #ready = new Promise<void>((resolve) => {
    this.#announce = resolve;
  });
  readonly #single = new SingleInstance(FOLDERS.userData ?? HOME, ({ argv, cwd }) =>
    this.emit('second-instance', event(), argv, cwd, {}),
  );

  constructor() {
    super();
    fromDriver.on('ready', () => {
      life.isReady = true;
      this.emit('ready', event(), {});
      this.#announce();
    });
    fromDriver.on('quit', () => this.quit());
    fromDriver.on('gpu-gone', ({ reason }) =>
      this.emit('child-process-gone', event(), { type: 'GPU', reason, exitCode: 1 }),
    );
    process.on('disconnect', () => this.#end(0));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => this.quit());
  }

  whenReady(): Promise<void> {
    return this.#ready;
  }

  isReady(): boolean {
    return life.isReady;
  }

  getAppPath(): string {
    return process.env['STANDIN_APP_PATH'] ?? ROOT;
  }

  getName(): string {
    return this.name;
  }

  getVersion(): string {
    return manifest.version;
  }

  getPath(name: Parameters<Electron.App['getPath']>[0]): string {
    const folder = FOLDERS[name];
    if (folder === undefined) throw new Error(`the stand-in has no folder ${name}`);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  addRecentDocument(path: string): void {
    tellDriver({ type: 'recent', path });
  }

  setAsDefaultProtocolClient(): boolean {
    return true;
  }

  enableSandbox(): void {
    if (life.isReady) throw new Error('app.enableSandbox() can only be called before app is ready');
    life.isSandboxed = true;
  }

  requestSingleInstanceLock(): boolean {
    return this.#single.request();
  }

  releaseSingleInstanceLock(): void {
    this.#single.release();
  }

  relaunch(): void {
    this.#relaunches = true;
  }

  /** Closes every window, each of which may refuse; then ends, unless somebody refuses that. */
  quit(): void {
    if (life.isQuitting) return;
    const before = event();
    this.emit('before-quit', before);
    if (before.defaultPrevented) return;
    life.isQuitting = true;
    for (const pane of ownPanes()) pane.close();
    const wait = (): void => {
      if (ownPanes().length > 0) setTimeout(wait, POLL_MS);
      else this.#quitAll();
    };
    setImmediate(wait);
  }

  /** Ends at once, without `before-quit` and `will-quit`. */
  exit(code = 0): void {
    this.#end(code);
  }

  #quitAll(): void {
    const will = event();
    this.emit('will-quit', will);
    if (will.defaultPrevented) {
      life.isQuitting = false;
      return;
    }
    this.emit('quit', event(), 0);
    this.#end(0);
  }

  #end(code: number): void {
    this.#single.release();
    for (const child of utilities.keys()) child.kill('SIGKILL');
    tellDriver({ type: 'exit', code, relaunch: this.#relaunches }, () => process.exit(code));
    setTimeout(() => process.exit(code), EXIT_LIMIT_MS);
  }
}

true satisfies NothingElse<StandInApp, Electron.App>;
true satisfies NothingElse<StandInCommandLine, Electron.CommandLine>;

export const app = new StandInApp();
