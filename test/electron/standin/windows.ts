import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { app } from './app.ts';
import { decode, type Encoded, encode } from './codec.ts';
import { askDriver, fromDriver, tellDriver } from './driver-line.ts';
import { life, ownPanes, type Pane } from './life.ts';
import { closedByPage, closePortsOf, handToPage, messageOfPage } from './ports.ts';
import { event, type NothingElse } from './promise.ts';
import { insideOf, sessionOf, toLocal, toScheme } from './session.ts';
import type { Executed, PageMessage, Picture, WindowEvent } from './wire.ts';

export const ipcMain = new EventEmitter();
let lastId = 0;

interface View {
  url: string;
  isCrashed: boolean;
  isShown: boolean;
  isGone: boolean;
  opens: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] | null;
  load: { resolve: () => void; reject: (error: Error) => void } | null;
}
type Transfer = readonly Electron.MessagePortMain[];

class StandInImage implements Pick<Electron.NativeImage, 'getSize' | 'isEmpty'> {
  readonly #picture: Picture | null;

  constructor(picture: Picture | null) {
    this.#picture = picture;
  }

  isEmpty(): boolean {
    return this.#picture === null;
  }

  getSize(): Electron.Size {
    return { width: this.#picture?.width ?? 0, height: this.#picture?.height ?? 0 };
  }

  toBitmap(): Buffer {
    return Buffer.from(this.#picture?.bitmap ?? []);
  }
}

class StandInContents
  extends EventEmitter
  implements
    Pick<
      Electron.WebContents,
      | 'executeJavaScript'
      | 'forcefullyCrashRenderer'
      | 'getURL'
      | 'id'
      | 'isCrashed'
      | 'isDestroyed'
      | 'loadURL'
      | 'postMessage'
    >
{
  readonly id: number;
  readonly session: ReturnType<typeof sessionOf>;
  readonly navigationHistory: Pick<Electron.NavigationHistory, 'goBack' | 'goForward'> = {
    goBack: () => tellDriver({ type: 'go', windowId: this.id, by: -1 }),
    goForward: () => tellDriver({ type: 'go', windowId: this.id, by: 1 }),
  };
  readonly mainFrame: Pick<Electron.WebFrameMain, 'parent' | 'postMessage' | 'url'>;
  readonly #view: View;

  constructor(id: number, session: ReturnType<typeof sessionOf>, view: View) {
    super();
    this.id = id;
    this.session = session;
    this.#view = view;
    this.mainFrame = {
      parent: null,
      get url() {
        return view.url;
      },
      postMessage: (channel, message, ports) => this.postMessage(channel, message, ports),
    };
  }

  getURL(): string {
    return this.#view.url;
  }

  isCrashed(): boolean {
    return this.#view.isCrashed;
  }

  isDestroyed(): boolean {
    return this.#view.isGone;
  }

  setWindowOpenHandler(handler: NonNullable<View['opens']>): void {
    this.#view.opens = handler;
  }

  postMessage(channel: string, message: unknown, transfer: Transfer = []): void {
    const encoded = encode(message);
    const { ids, begin } = handToPage(this.id, transfer);
    const ipc = { type: 'ipc', channel, message: encoded, ports: ids } as const;
    tellDriver({ type: 'to-page', windowId: this.id, message: ipc });
    begin();
  }

  forcefullyCrashRenderer(): void {
    tellDriver({ type: 'crash', windowId: this.id });
  }

  /** In the page's own world, past its policy, as in Electron. */
  async executeJavaScript(code: string): Promise<unknown> {
    const { id: windowId } = this;
    const outcome = await askDriver<Executed>((id) => ({
      type: 'execute',
      windowId,
      id,
      code,
    }));
    if ('error' in outcome) throw new Error(outcome.error);
    return outcome.value;
  }

  async capturePage(): Promise<StandInImage> {
    const { id: windowId } = this;
    return new StandInImage(await askDriver<Picture | null>((id) => ({ type: 'capture', windowId, id })));
  }

  async loadURL(url: string): Promise<void> {
    const inside = insideOf(this.session);
    await inside.listening;
    this.#view.url = url;
    await new Promise<void>((resolve, reject) => {
      this.#view.load = { resolve, reject };
      tellDriver({ type: 'load', windowId: this.id, url: toLocal(inside, url) });
    });
  }
}

/** Electron's window: the page of it is Chromium's, made or adopted by the driver. */
export class StandInWindow
  extends EventEmitter
  implements
    Pick<
      Electron.BrowserWindow,
      | 'close'
      | 'destroy'
      | 'focus'
      | 'getNormalBounds'
      | 'id'
      | 'isDestroyed'
      | 'isMaximized'
      | 'isMinimized'
      | 'isVisible'
      | 'loadURL'
      | 'maximize'
      | 'restore'
      | 'setProgressBar'
      | 'show'
    >
{
  readonly id = ++lastId;
  readonly webContents: StandInContents;
  readonly #isAdopted = isAdopting;
  readonly #view: View = {
    url: '',
    isCrashed: false,
    isShown: false,
    isGone: false,
    opens: null,
    load: null,
  };

  readonly #bounds: Electron.Rectangle;
  #isMaximized = false;

  static getAllWindows(): StandInWindow[] {
    return ownPanes().flatMap(({ id }) => made.get(id)?.window ?? []);
  }

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super();
    if (!life.isReady) throw new Error('Cannot create BrowserWindow before app is ready');
    const { partition = '', preload = null } = options.webPreferences ?? {};
    this.webContents = new StandInContents(this.id, sessionOf(partition), this.#view);
    made.set(this.id, { window: this, happened: (happened) => this.#happened(happened) });
    life.panes.set(this.id, this.#pane());
    const { width = 800, height = 600, x = 0, y = 0 } = options;
    this.#bounds = { x, y, width, height };
    if (!this.#isAdopted) tellDriver({ type: 'open', windowId: this.id, partition, preload, width, height });
    app.emit('web-contents-created', event(), this.webContents);
    app.emit('browser-window-created', event(), this);
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }

  show(): void {
    this.#view.isShown = true;
    tellDriver({ type: 'show', windowId: this.id });
    this.emit('show');
  }

  focus(): void {
    this.emit('focus');
  }

  restore(): void {}

  getNormalBounds(): Electron.Rectangle {
    return this.#bounds;
  }

  maximize(): void {
    this.#isMaximized = true;
    this.emit('maximize');
  }

  isMaximized(): boolean {
    return this.#isMaximized;
  }

  setProgressBar(value: number): void {
    tellDriver({ type: 'progress', windowId: this.id, value });
  }

  isMinimized(): boolean {
    return false;
  }

  isVisible(): boolean {
    return this.#view.isShown;
  }

  isDestroyed(): boolean {
    return this.#view.isGone;
  }

  close(): void {
    const asked = event();
    this.emit('close', asked);
    if (!asked.defaultPrevented) this.destroy();
  }

  destroy(): void {
    if (this.#view.isGone) return;
    this.#view.isGone = true;
    life.panes.delete(this.id);
    made.delete(this.id);
    tellDriver({ type: 'destroy', windowId: this.id });
    closePortsOf(this.id);
    this.emit('closed');
    this.webContents.emit('destroyed');
    if (ownPanes().length === 0 && !life.isQuitting) app.emit('window-all-closed');
  }

  #pane(): Pane {
    const view = this.#view;
    return {
      id: this.id,
      isAdopted: this.#isAdopted,
      get isShown() {
        return view.isShown;
      },
      get url() {
        return view.url;
      },
      close: () => this.close(),
    };
  }

  #happened(happened: WindowEvent): void {
    const { webContents } = this;
    const view = this.#view;
    switch (happened.type) {
      case 'page':
        this.#said(happened.said);
        return;
      case 'navigated':
        view.url = toScheme(happened.url);
        webContents.emit('did-start-navigation', {
          isMainFrame: true,
          isSameDocument: happened.sameDocument,
          url: view.url,
        });
        if (!happened.sameDocument) closePortsOf(this.id);
        return;
      case 'loaded':
        view.isCrashed = false;
        webContents.emit('did-finish-load');
        this.emit('ready-to-show');
        view.load?.resolve();
        return;
      case 'load-failed':
        view.load?.reject(new Error(happened.error));
        return;
      case 'gone':
        // The port of a page that crashed is found closed first, and only then the crash.
        view.isCrashed = true;
        closePortsOf(this.id);
        webContents.emit('render-process-gone', event(), { reason: happened.reason, exitCode: 5 });
        return;
      case 'unresponsive':
      case 'responsive':
        webContents.emit(happened.type);
        this.emit(happened.type);
        return;
      case 'closed':
        this.destroy();
        return;
      case 'window-open':
        view.opens?.({ url: toScheme(happened.url) } as Electron.HandlerDetails);
    }
  }

  #said(said: PageMessage): void {
    if (said.type === 'port-message') messageOfPage(said.port, said.message);
    else if (said.type === 'port-closed') closedByPage(said.port);
    else if (said.type === 'window-close') this.close();
    else {
      const { webContents: sender } = this;
      const from = { sender, senderFrame: sender.mainFrame, ports: [], type: 'frame' };
      ipcMain.emit(said.channel, from, ...said.args.map((arg: Encoded) => decode(arg)));
    }
  }
}

let isAdopting = false;

/** A window for a page that a test made. */
export function adoptWindow(): number {
  isAdopting = true;
  try {
    return new StandInWindow().id;
  } finally {
    isAdopting = false;
  }
}

const made = new Map<number, { window: StandInWindow; happened: (event: WindowEvent) => void }>();
fromDriver.on('window', ({ windowId, event: happened }) => made.get(windowId)?.happened(happened));

true satisfies NothingElse<StandInWindow, Electron.BrowserWindow>;
true satisfies NothingElse<StandInContents, Electron.WebContents>;
true satisfies NothingElse<StandInImage, Electron.NativeImage>;
