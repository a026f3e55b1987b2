import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { electronVersion } from '../../../app/start/electron.mjs';
import { ROOT } from '../../main/support/built.ts';
import type { BuiltStandIn } from './built.ts';
import { ShownWindow, type WindowScripts } from './shown-window.ts';
import type { Dialog, FromShell, Picture, Questions, State, ToShell } from './wire.ts';

/** How long a program may take to start, or to end once it was asked to. */
const LIMIT_MS = 600_000;
const POLL_MS = 50;
const LAB_PAGE = /\/\/lab\.localhost/;
/** A window that is not inspected counts as painted. */
const SOMETHING: Picture = { width: 2, height: 1, bitmap: Uint8Array.of(0, 0, 0, 255, 9, 9, 9, 255) };

export interface DriverOptions {
  readonly browser: Browser;
  readonly built: BuiltStandIn;
  /** Folder in which the program may write, this test's own. */
  readonly home: string;
  /** The Node that runs the program. */
  readonly node?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** True when the program's own window is opened; tests with pages of their own adopt these instead. */
  readonly opensLab?: boolean;
  /** Picture that Chromium paints with these switches; everything by default. */
  readonly paints?: (switches: Readonly<Record<string, string>>) => boolean;
}

/** A dialog on screen: it waits for a button. */
export interface ShownDialog extends Dialog {
  readonly press: (button: string) => void;
}

interface Events {
  dialog: [ShownDialog];
  'dialog-closed': [];
  exit: [code: number];
  launch: [];
}

/** Runs the program on the stand-in, shows its windows in Chromium and plays the person in front of it. */
export class Driver extends EventEmitter<Events> {
  readonly dialogs: ShownDialog[] = [];
  readonly external: string[] = [];
  /** Files and folders that the program showed in the system's own way. */
  readonly shownItems: string[] = [];
  readonly recentFiles: string[] = [];
  /** Answers of file dialogs; an empty list cancels. */
  chosenFiles: readonly string[] = [];
  /** Progress that windows showed in the dock or the taskbar, one after the other. */
  readonly progress: number[] = [];
  isKeptAwake = false;
  readonly windows = new Map<number, ShownWindow>();
  /** All that the program printed. */
  printed = '';
  launches = 0;
  readonly #options: DriverOptions;
  readonly #questions = new Map<number, (value: never) => void>();
  readonly #opening = new Map<number, Promise<ShownWindow | null>>();
  readonly #scripts = new Map<number, WindowScripts>();
  readonly #closing: Promise<void>[] = [];
  #switches: Record<string, string> = {};
  #lastId = 0;
  #child: ChildProcess | null = null;
  #lab = '';
  #exited: Promise<number> = Promise.resolve(0);
  #relaunches = false;
  #isQuitting = false;

  constructor(options: DriverOptions) {
    super();
    this.#options = options;
  }

  /** Origin of the lab's page: what `zigzag://lab` is in Chromium. */
  get lab(): string {
    return this.#lab;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Resolves to the exit code once it has ended and was not started again. */
  get exited(): Promise<number> {
    return this.#exited;
  }

  /** Resolves when the program is ready, or has ended before it was. */
  async start(): Promise<void> {
    const { home, node = process.execPath, args = [], env = {}, built } = this.#options;
    mkdirSync(join(home, 'data'), { recursive: true });
    this.launches += 1;
    this.#relaunches = false;
    this.#switches = {};
    const child = fork(join(built.folder, 'boot.js'), args, {
      cwd: ROOT,
      execPath: node,
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        ZIGZAG_DATA: join(home, 'data'),
        ...env,
        STANDIN_APP: ROOT,
        STANDIN_BUILT: built.folder,
        STANDIN_HOME: home,
        STANDIN_VERSION: electronVersion(),
      },
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text: Buffer) => {
        this.printed += text.toString();
      });
    }
    const ready = new Promise<void>((resolve) => {
      child.on('message', (message: FromShell) => {
        if (message.type === 'serving') {
          this.#lab = message.lab;
          resolve();
        } else void this.#hear(message).catch((error: Error) => this.#complain(message.type, error));
      });
    });
    const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? -1)));
    this.#exited = ended.then((code) => this.#ended(code));
    this.emit('launch');
    await Promise.race([ready, ended]);
  }

  /** Makes a page of a test a window of the program's. */
  async adopt(page: Page): Promise<ShownWindow> {
    const id = await this.#ask('adopt', null);
    const scripts = { world: this.#options.built.world, preload: join(ROOT, 'dist', 'preload.cjs') };
    const shown = await ShownWindow.show({ id, partition: '', page, isAdopted: true }, scripts, (event) =>
      this.#send({ type: 'window', windowId: id, event }),
    );
    this.windows.set(id, shown);
    return shown;
  }

  state(): Promise<State> {
    return this.#ask('state', null);
  }

  permits(windowId: number, permission: string, url: string): Promise<boolean> {
    return this.#ask('permission', { windowId, permission, url });
  }

  /** Chooses in the application menu: `File/Open…`, without the letters that are underlined. */
  async choose(path: string): Promise<void> {
    await this.#ask('menu', path);
  }

  loseGpu(): void {
    this.#send({ type: 'gpu-gone', reason: 'crashed' });
  }

  /** The lab's own window, once it is loaded: the one that took the place of a crashed one, too. */
  async labWindow(): Promise<ShownWindow> {
    for (;;) {
      const shown = [...this.windows.values()].find(
        ({ partition, isAdopted }) => partition === '' && !isAdopted,
      );
      if (shown !== undefined && !shown.isCrashed && LAB_PAGE.test(shown.page.url())) return shown;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** The next dialog, or the one that is on screen. */
  async dialog(): Promise<ShownDialog> {
    const first = this.dialogs.shift();
    if (first !== undefined) return first;
    await new Promise<void>((resolve) => this.once('dialog', () => resolve()));
    return this.dialog();
  }

  /** @returns the exit code; -1 where it had to be killed */
  async quit(): Promise<number> {
    this.#isQuitting = true;
    this.#send({ type: 'quit' });
    const timer = setTimeout(() => this.#child?.kill('SIGKILL'), LIMIT_MS);
    const code = await this.#exited;
    clearTimeout(timer);
    return code;
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#exited;
  }

  #send(message: ToShell): void {
    if (this.#child?.connected) this.#child.send(message, () => undefined);
  }

  #ask<Name extends keyof Questions>(
    name: Name,
    asked: Questions[Name]['asked'],
  ): Promise<Questions[Name]['answer']> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#questions.set(id, resolve);
      this.#send({ type: 'ask', id, question: { name, asked } as never });
    });
  }

  async #hear(message: FromShell): Promise<void> {
    switch (message.type) {
      case 'evaluated':
        return this.#send({ type: 'ready' });
      case 'switch':
        this.#switches[message.name] = message.value;
        return;
      case 'external':
        this.external.push(message.url);
        return;
      case 'shown-item':
        this.shownItems.push(message.path);
        return;
      case 'recent':
        this.recentFiles.push(message.path);
        return;
      case 'progress':
        this.progress.push(message.value);
        return;
      case 'awake':
        this.isKeptAwake = message.isAwake;
        return;
      case 'choose-file':
        return this.#send({ type: 'file-chosen', id: message.id, files: this.chosenFiles });
      case 'go':
        return (await this.#shown(message.windowId))?.go(message.by);
      case 'execute': {
        const shown = await this.#shown(message.windowId);
        const outcome = (await shown?.execute(message.code)) ?? { error: 'there is no page' };
        return this.#send({ type: 'executed', id: message.id, outcome });
      }
      case 'answer':
        this.#questions.get(message.id)?.(message.value as never);
        this.#questions.delete(message.id);
        return;
      case 'exit':
        this.#relaunches = message.relaunch;
        return;
      case 'open':
        this.#opening.set(message.windowId, this.#open(message));
        return;
      case 'dialog':
        return this.#show(message.id, message.dialog);
      case 'dialog-closed':
        this.emit('dialog-closed');
        return this.#send({ type: 'answered', id: message.id, response: -1 });
      case 'capture':
        return this.#send({
          type: 'captured',
          id: message.id,
          picture: await this.#capture(message.windowId),
        });
      case 'load':
        return this.#load(message.windowId, message.url);
      case 'destroy': {
        const shown = await this.#shown(message.windowId);
        this.#opening.delete(message.windowId);
        this.windows.delete(message.windowId);
        if (shown !== null) this.#closing.push(shown.close());
        return;
      }
      case 'crash':
        return (await this.#shown(message.windowId))?.crash();
      case 'to-page':
        return (await this.#shown(message.windowId))?.hear(message.message);
      case 'serving':
      case 'show':
    }
  }

  async #shown(windowId: number): Promise<ShownWindow | null> {
    return this.windows.get(windowId) ?? (await this.#opening.get(windowId)) ?? null;
  }

  async #open(asked: Extract<FromShell, { type: 'open' }>): Promise<ShownWindow | null> {
    const { windowId: id, partition, preload, width, height } = asked;
    const { browser, built, opensLab = true } = this.#options;
    if (!opensLab && partition === '') return null;
    const context = await browser.newContext({ viewport: { width, height } });
    return this.#showIn(await context.newPage(), id, partition, { world: built.world, preload });
  }

  async #showIn(page: Page, id: number, partition: string, scripts: WindowScripts): Promise<ShownWindow> {
    this.#scripts.set(id, scripts);
    const shown = await ShownWindow.show({ id, partition, page, isAdopted: false }, scripts, (event) =>
      this.#send({ type: 'window', windowId: id, event }),
    );
    this.windows.set(id, shown);
    return shown;
  }

  /** A page that crashed is not to be brought back in Chromium: another takes its place. */
  async #load(windowId: number, url: string): Promise<void> {
    const shown = await this.#shown(windowId);
    const scripts = this.#scripts.get(windowId);
    if (shown === null || scripts === undefined) {
      return this.#send({ type: 'window', windowId, event: { type: 'loaded' } });
    }
    if (!shown.isCrashed) return shown.load(url);
    const page = await shown.context.newPage();
    const again = this.#showIn(page, windowId, shown.partition, scripts);
    this.#opening.set(windowId, again);
    return (await again).load(url);
  }

  async #capture(windowId: number): Promise<Picture | null> {
    const { paints = () => true } = this.#options;
    if (!paints(this.#switches)) return null;
    const shown = await this.#shown(windowId);
    return shown === null ? SOMETHING : shown.capture();
  }

  #show(id: number, dialog: Dialog): void {
    const press = (button: string): void => {
      const response = dialog.buttons.indexOf(button);
      if (response < 0) throw new Error(`"${dialog.message}" has no button ${button}`);
      this.#send({ type: 'answered', id, response });
    };
    this.dialogs.push({ ...dialog, press });
    this.emit('dialog', { ...dialog, press });
  }

  async #ended(code: number): Promise<number> {
    const opened = await Promise.all(this.#opening.values());
    for (const shown of [...opened, ...this.windows.values()]) if (shown) this.#closing.push(shown.close());
    await Promise.all(this.#closing);
    this.windows.clear();
    this.#opening.clear();
    if (!this.#relaunches || this.#isQuitting) {
      this.emit('exit', code);
      return code;
    }
    await this.start();
    return this.#exited;
  }

  /** A window that closes meanwhile is no fault. */
  #complain(what: string, error: Error): void {
    if (!/closed|crashed/i.test(error.message)) process.stderr.write(`${what}: ${error.message}\n`);
  }
}
