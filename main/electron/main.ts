import {
  app,
  BrowserWindow,
  ipcMain,
  MessageChannelMain,
  protocol,
  session,
  shell,
  utilityProcess,
} from 'electron';
import { builtFiles } from '../host/info.ts';
import { desktopServices, runDesktop } from './desktop.ts';

/**
 * Entry of the desktop program: the one module that needs Electron's binary. Nothing is awaited at the
 * top level: Electron becomes ready only after its entry has been evaluated.
 */
const electron = {
  app,
  BrowserWindow,
  ipcMain,
  MessageChannelMain,
  protocol,
  session,
  shell,
  utilityProcess,
};
const files = builtFiles(import.meta.url);

runDesktop(electron, files, desktopServices(electron, files, import.meta.url)).catch((error: unknown) => {
  console.error(error);
  app.exit(70);
});
