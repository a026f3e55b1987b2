import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
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
} from 'electron';
import { builtFiles } from '../host/info.ts';
import { desktopServices, runDesktop } from './desktop.ts';
import { guardFaults } from './faults.ts';
import { LogFile } from './log-file.ts';

/**
 * Entry of the desktop program: the one module that needs Electron's binary. Nothing is awaited at the
 * top level: Electron becomes ready only after its entry has been evaluated.
 */
const electron = {
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
const log = new LogFile(logPath());
const start = guardFaults(electron, log, process);

void start(async () => {
  const files = builtFiles(import.meta.url);
  await runDesktop(electron, files, desktopServices(electron, files, import.meta.url), log, process.argv);
});

/** A home folder that cannot be written is an error at the start, which needs a log. */
function logPath(): string {
  try {
    return join(app.getPath('logs'), 'zigzag.log');
  } catch {
    return join(tmpdir(), 'zigzag.log');
  }
}
