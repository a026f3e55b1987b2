import type * as Electron from 'electron';
import { app } from './app.ts';
import { chooseInMenu, Menu, menuEntries, powerSaveBlocker, screen } from './desk.ts';
import { dialog } from './dialog.ts';
import { fromDriver, tellDriver } from './driver-line.ts';
import { life } from './life.ts';
import { StandInChannel as MessageChannelMain } from './ports.ts';
import type { NothingElse } from './promise.ts';
import { insideOf, schemes as protocol, session, sessionOf } from './session.ts';
import { StandInUtility, utilities } from './utility.ts';
import { adoptWindow, StandInWindow as BrowserWindow, ipcMain } from './windows.ts';
import type { Ask, Questions } from './wire.ts';

/**
 * A stand-in for the module `electron` of the main process, as far as the shell uses it: the built main process runs on
 * it in Node, and its windows are pages of Chromium, which the driver has. What it is not: Electron's process model, its
 * own scheme, its sandbox, its Chromium and its Node.
 */
const shell = {
  openExternal: async (url: string): Promise<void> => tellDriver({ type: 'external', url }),
  showItemInFolder: (path: string): void => tellDriver({ type: 'shown-item', path }),
} satisfies Partial<Electron.Shell>;

const utilityProcess = { fork: StandInUtility.fork };

export {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  MessageChannelMain,
  powerSaveBlocker,
  protocol,
  screen,
  session,
  shell,
  utilityProcess,
};

true satisfies NothingElse<typeof import('./electron.ts'), typeof Electron>;
true satisfies NothingElse<typeof session, typeof Electron.session>;
true satisfies NothingElse<typeof utilityProcess, typeof Electron.utilityProcess>;

function answer({ name, asked }: Ask): Questions[keyof Questions]['answer'] {
  if (name === 'adopt') return adoptWindow();
  if (name === 'menu') {
    chooseInMenu(asked);
    return null;
  }
  if (name === 'permission') {
    return insideOf(sessionOf('')).permits(null, asked.permission, asked.url);
  }
  return {
    windows: [...life.panes.values()].map(({ id, url, isShown }) => ({ id, url, isShown })),
    utilities: [...utilities].map(([{ pid = 0 }, file]) => ({ pid, file })),
    switches: Object.fromEntries(life.switches),
    isSandboxed: life.isSandboxed,
    menu: menuEntries(),
  };
}

fromDriver.on('ask', ({ id, question }) => tellDriver({ type: 'answer', id, value: answer(question) }));
fromDriver.on('ready', () => {
  const inside = insideOf(session.defaultSession);
  void inside.listening.then(() => tellDriver({ type: 'serving', lab: inside.origin('lab') }));
});
