import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import { MessageChannel } from 'node:worker_threads';
import type {
  BrowserWindowConstructorOptions,
  IpcMainEvent,
  MessageChannelMain,
  NativeImage,
  Session,
  UtilityProcess,
} from 'electron';
import { vi } from 'vitest';
import type { ElectronParts } from '../../main/electron/desktop.ts';
import type { LogFile } from '../../main/electron/log-file.ts';
import { StandInPortMain } from '../main/support/carriers.ts';

/** Fakes of Electron for machines without its program: as much of each part as is used. */

/** Ports in the manner of the main process; the page's end is `nodePortOf`. */
export class FakeChannel {
  static readonly made: FakeChannel[] = [];
  readonly #channel = new MessageChannel();
  readonly port1 = new StandInPortMain(this.#channel.port1);
  readonly port2 = this.#channel.port2;

  constructor() {
    FakeChannel.made.push(this);
  }
}

export const FakeChannelClass = FakeChannel as unknown as new () => MessageChannelMain;

/** A picture of these shades, a pixel each; empty without any. */
export function picture(shades: readonly number[]): NativeImage {
  const bitmap = Buffer.from(shades.flatMap((shade) => [shade, shade, shade, 255]));
  return { isEmpty: () => shades.length === 0, toBitmap: () => bitmap } as NativeImage;
}

export class FakeContents extends EventEmitter {
  static #lastId = 0;
  readonly id = ++FakeContents.#lastId;
  readonly postMessage = vi.fn();
  readonly forcefullyCrashRenderer = vi.fn();
  readonly isCrashed = vi.fn(() => false);
  readonly capturePage = vi.fn(async () => picture([0, 1]));
  openHandler: (details: { url: string }) => { action: string } = () => ({ action: 'allow' });

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler;
  }
}

export class FakeWindow extends EventEmitter {
  static readonly made: FakeWindow[] = [];
  readonly options: BrowserWindowConstructorOptions;
  readonly webContents = new FakeContents();
  readonly loadURL = vi.fn((address: string) => this.open(address));
  readonly show = vi.fn();
  readonly isVisible = vi.fn(() => true);
  readonly focus = vi.fn();
  readonly restore = vi.fn();
  readonly isMinimized = vi.fn(() => true);
  readonly isMaximized = vi.fn(() => false);
  readonly maximize = vi.fn();
  readonly setProgressBar = vi.fn();
  readonly getNormalBounds = vi.fn(() => ({ x: 0, y: 0, width: 1360, height: 900 }));
  isGone = false;
  readonly isDestroyed = vi.fn(() => this.isGone);
  readonly destroy = vi.fn(() => {
    this.isGone = true;
    this.emit('closed');
  });

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    FakeWindow.made.push(this);
  }

  async open(_address: string): Promise<void> {}
}

export function fakeSession() {
  const session = {
    setPermissionRequestHandler: vi.fn(),
    setPermissionCheckHandler: vi.fn(),
    setDevicePermissionHandler: vi.fn(),
    webRequest: { onBeforeRequest: vi.fn() },
    protocol: { handle: vi.fn() },
  };
  return { session, asSession: session as unknown as Session };
}

/** A request for a port, from a frame of some address. */
export function portRequest(url: string | null, parent: object | null = null, sender = new FakeContents()) {
  const postMessage = vi.fn();
  const senderFrame = url === null ? null : { url, parent, postMessage };
  return { event: { sender, senderFrame } as unknown as IpcMainEvent, postMessage, sender };
}

export class FakeUtility extends EventEmitter {
  readonly pid: number | undefined = 4321;
  readonly stderr: Readable | null = null;
  readonly postMessage = vi.fn();
  readonly kill = vi.fn(() => true);
}

/** Chromium's command line: of a switch that is given twice the last counts. */
export function fakeCommandLine(given: Readonly<Record<string, string>> = {}) {
  const switches = new Map(Object.entries(given));
  return {
    switches,
    appendSwitch: vi.fn((name: string, value = '') => void switches.set(name, value)),
    getSwitchValue: (name: string) => switches.get(name) ?? '',
    hasSwitch: (name: string) => switches.has(name),
  };
}

export const silentLog = { path: '/logs/zigzag.log', write: vi.fn() } as unknown as LogFile;

export function fakeElectron({ firstInstance = true, scratch = '/dev/null/nowhere' } = {}) {
  const dialog = {
    showErrorBox: vi.fn(),
    showMessageBox: vi.fn(async () => ({ response: 0, checkboxChecked: false })),
  };
  const app = Object.assign(new EventEmitter(), {
    requestSingleInstanceLock: vi.fn(() => firstInstance),
    enableSandbox: vi.fn(),
    whenReady: vi.fn(async () => undefined),
    quit: vi.fn(),
    exit: vi.fn(),
    relaunch: vi.fn((_options: Electron.RelaunchOptions) => undefined),
    getPath: vi.fn(() => scratch),
    getAppPath: () => process.cwd(),
    isPackaged: false,
    addRecentDocument: vi.fn(),
    setAsDefaultProtocolClient: vi.fn(),
    commandLine: fakeCommandLine(),
  });
  const { session } = fakeSession();
  const trainerSession = fakeSession().session;
  const protocol = { registerSchemesAsPrivileged: vi.fn() };
  const ipcMain = new EventEmitter();
  const shell = { openExternal: vi.fn(async () => undefined), showItemInFolder: vi.fn() };
  const Menu = { buildFromTemplate: vi.fn((template: unknown) => template), setApplicationMenu: vi.fn() };
  const screen = { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] };
  const powerSaveBlocker = { start: vi.fn(() => 1), stop: vi.fn() };
  const utilityProcess = { fork: vi.fn(() => new FakeUtility() as unknown as UtilityProcess) };
  const parts = {
    app,
    dialog,
    protocol,
    ipcMain,
    shell,
    Menu,
    screen,
    powerSaveBlocker,
    utilityProcess,
    session: { defaultSession: session, fromPartition: vi.fn(() => trainerSession) },
    BrowserWindow: FakeWindow,
    MessageChannelMain: FakeChannel,
  };
  return { ...parts, defaultSession: session, trainerSession, asElectron: parts as unknown as ElectronParts };
}
