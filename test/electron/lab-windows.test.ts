import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rectangle } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LISTENING } from '../../app/contract/desktop.ts';
import type { Told } from '../../app/contract/told.ts';
import { menuDeeds, Opener, registerLinks, SystemRequests } from '../../main/electron/requests.ts';
import { LabWindows } from '../../main/electron/lab-windows.ts';
import type { WindowPlace } from '../../main/electron/window-place.ts';
import { freshFolder } from '../support/fresh-folder.ts';

const AREA = { x: 0, y: 0, width: 1920, height: 1080 };

class Window extends EventEmitter {
  static count = 0;
  readonly told: Told[] = [];
  readonly webContents = Object.assign(new EventEmitter(), {
    id: ++Window.count,
    postMessage: (_channel: string, told: Told) => this.told.push(told),
    navigationHistory: { goBack: vi.fn(), goForward: vi.fn() },
  });
  readonly restore = vi.fn();
  readonly focus = vi.fn(() => this.emit('focus'));
  readonly isMinimized = () => true;
  readonly isMaximized = () => false;
  readonly isDestroyed = () => false;
  readonly place: WindowPlace | null;

  constructor(place: WindowPlace | null) {
    super();
    this.place = place;
  }

  getNormalBounds(): Rectangle {
    return this.place?.bounds ?? { x: 10, y: 20, width: 1360, height: 900 };
  }
}

let folder: string;
let ipcMain: EventEmitter;
let made: Window[];
let windows: LabWindows;
const emptied = vi.fn();
let app: EventEmitter & { readonly recent: string[]; isPackaged: boolean };
let opener: Opener;

beforeEach(() => {
  folder = freshFolder();
  ipcMain = new EventEmitter();
  made = [];
  emptied.mockClear();
  windows = new LabWindows({
    ipcMain: ipcMain as never,
    screen: { getAllDisplays: () => [{ workArea: AREA }] as never },
    emptied,
    placeFile: join(folder, 'window.json'),
    open: (place) => {
      const window = new Window(place);
      made.push(window);
      return window as never;
    },
  });
  const recent: string[] = [];
  app = Object.assign(new EventEmitter(), {
    recent,
    isPackaged: false,
    addRecentDocument: (file: string) => recent.push(file),
    getAppPath: () => '/lab',
    whenReady: async () => undefined,
    isReady: () => true,
  });
  opener = new Opener(app as never, windows);
});

const listen = ({ webContents }: Window): void => {
  ipcMain.emit(LISTENING, { sender: { id: webContents.id }, senderFrame: { url: 'zigzag://lab/' } });
};
const fileOf = (name: string): string => {
  const file = join(folder, name);
  writeFileSync(file, '{}');
  return file;
};

describe('the windows of the lab', () => {
  it('open at the last place, and further ones beside the front window', () => {
    windows.open();
    expect(made[0]?.place).toBeNull();
    windows.open();
    expect(made[1]?.place?.bounds).toEqual({ x: 42, y: 52, width: 1360, height: 900 });
    made[1]?.emit('close');
    for (const window of made) window.emit('closed');
    expect(windows.all).toEqual([]);
    expect(emptied).toHaveBeenCalledTimes(1);
    expect(windows.front).toBeUndefined();
    windows.show();
    expect(made[2]?.place?.bounds).toEqual({ x: 42, y: 52, width: 1360, height: 900 });
  });

  it('are asked in order of focus', () => {
    const first = windows.open();
    const second = windows.open();
    expect(windows.front).toBe(second);
    made[0]?.emit('focus');
    expect(windows.show()).toBe(first);
    expect(made[0]?.restore).toHaveBeenCalledTimes(1);
    made[0]?.emit('closed');
    expect(windows.front).toBe(second);
    expect(made).toHaveLength(2);
  });
});

describe('a request of the system', () => {
  it('goes to the front window, and a file that was read becomes a recent document', async () => {
    windows.open();
    const file = fileOf('net.onnx');
    opener.commandLine(['/opt/electron', '--x', '/lab', file, 'zigzag://lab/#/learn', 'gone.json'], folder);
    const [window] = made;
    if (window === undefined) throw new Error('no window');
    listen(window);
    await vi.waitFor(() => expect(window.told).toHaveLength(3));
    expect(window.told.map(({ kind }) => kind).sort()).toEqual(['file', 'link', 'refused']);
    expect(app.recent).toEqual([file]);
  });

  it('may be a folder of that name in a packed program', async () => {
    app.isPackaged = true;
    opener.commandLine(['/opt/zigzag', '/lab'], folder);
    const [window] = made;
    if (window === undefined) throw new Error('no window');
    listen(window);
    await vi.waitFor(() => expect(window.told.map(({ kind }) => kind)).toEqual(['refused']));
  });

  it('arrives as events on a Mac, and opens a window if all are closed', async () => {
    const system = new SystemRequests(app as never);
    const event = { preventDefault: vi.fn() };
    app.emit('open-file', event, fileOf('net.json'));
    expect(made).toEqual([]);
    system.follow(opener);
    await vi.waitFor(() => expect(app.recent).toHaveLength(1));
    app.emit('open-url', event, 'zigzag://lab/#/tables');
    expect(event.preventDefault).toHaveBeenCalledTimes(2);
    const [window] = made;
    if (window === undefined) throw new Error('no window');
    listen(window);
    await vi.waitFor(() => expect(window.told.at(-1)).toEqual({ kind: 'link', hash: '#/tables' }));
  });
});

it.each([
  [true, 'linux', [['zigzag']]],
  [true, 'win32', [['zigzag']]],
  [false, 'win32', [['zigzag', '/electron', ['/lab']]]],
  [false, 'linux', []],
  [false, 'darwin', []],
] as const)(
  'links of the system open with this program (packed: %s, on %s)',
  (isPackaged, platform, calls) => {
    const setAsDefaultProtocolClient = vi.fn();
    const program = { isPackaged, getAppPath: () => '/lab', setAsDefaultProtocolClient };
    registerLinks(program as never, { execPath: '/electron', platform });
    expect(setAsDefaultProtocolClient.mock.calls).toEqual(calls);
  },
);

it('the menu acts on the front window, and opens chosen files', async () => {
  const file = fileOf('net.zigzag');
  const dialog = { showOpenDialog: vi.fn(async () => ({ canceled: false, filePaths: [file] })) };
  const showLog = vi.fn();
  const deeds = menuDeeds(windows, opener, dialog as never, { showLog, dataFolder: vi.fn() });
  deeds.act('undo');
  deeds.newWindow();
  expect(made).toHaveLength(2);
  deeds.goBack();
  deeds.goForward();
  const [first, second] = made;
  if (first === undefined || second === undefined) throw new Error('no window');
  expect(first.webContents.navigationHistory.goBack).not.toHaveBeenCalled();
  expect(second.webContents.navigationHistory.goBack).toHaveBeenCalledTimes(1);
  expect(second.webContents.navigationHistory.goForward).toHaveBeenCalledTimes(1);
  deeds.openFile();
  await vi.waitFor(() => expect(app.recent).toEqual([file]));
  listen(first);
  listen(second);
  expect(first.told).toEqual([{ kind: 'action', id: 'undo' }]);
  expect(second.told.map(({ kind }) => kind)).toEqual(['file']);
  deeds.showLog();
  expect(showLog).toHaveBeenCalledTimes(1);
});
