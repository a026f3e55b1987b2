import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as Electron from 'electron';
import { TRAINER_PORT_MESSAGE } from '../../app/contract/desktop.ts';
import type { BuiltFiles } from '../host/info.ts';
import type { TrainerMessage } from '../trainer/protocol.ts';
import type { ProcessSpawner } from '../trainer-client/process.ts';
import { TRAINER_ADDRESS, TRAINER_PAGE } from './address.ts';
import { serveTrainerPage } from './page-scheme.ts';
import { guardTrainerContents, guardTrainerSession } from './security.ts';
import { SANDBOXED } from './window.ts';
import { exitOfWindow } from './window-exit.ts';

/** Without `persist:` it exists in memory only. */
const PARTITION = 'zigzag-trainer';

type Parts = Pick<typeof Electron, 'app' | 'BrowserWindow' | 'MessageChannelMain' | 'session'>;
type Files = Pick<BuiltFiles, 'trainerPageRoot' | 'trainerPreload'>;

/** Like any page, but never shown and not throttled: kernels must run as fast as in a process. */
export function trainerWindowOptions(preload: string): Electron.BrowserWindowConstructorOptions {
  return {
    title: 'Zigzag trainer',
    width: 320,
    height: 240,
    show: false,
    focusable: false,
    skipTaskbar: true,
    webPreferences: { ...SANDBOXED, preload, partition: PARTITION, backgroundThrottling: false },
  };
}

/**
 * Runs the trainer in a hidden, sandboxed window on Chromium's own WebGPU, because Dawn's binding for Node needs
 * external buffers, which Electron forbids (dawn-gpu/node-webgpu#5). The trainer's protocol goes over a message port.
 * Its session has no network and no permissions, and sees only the files of its page.
 */
export function trainerWindowSpawner(electron: Parts, files: Files): ProcessSpawner {
  const { app, BrowserWindow, MessageChannelMain, session } = electron;
  let isServed = false;
  return () => {
    if (!isServed) {
      const own = session.fromPartition(PARTITION);
      guardTrainerSession(own);
      serveTrainerPage(own.protocol, files.trainerPageRoot);
      isServed = true;
    }
    const window = new BrowserWindow(trainerWindowOptions(files.trainerPreload));
    const { webContents } = window;
    guardTrainerContents(webContents);
    const { port1, port2 } = new MessageChannelMain();
    const { exited, exit } = exitOfWindow(app, window, port1);
    webContents.once('did-finish-load', () => webContents.postMessage(TRAINER_PORT_MESSAGE, null, [port2]));
    if (!existsSync(join(files.trainerPageRoot, TRAINER_PAGE))) exit('its page is not built');
    else
      window
        .loadURL(TRAINER_ADDRESS)
        .catch((error: Error) => exit(`its page did not load: ${error.message}`));
    return {
      send: (message) => port1.postMessage(message),
      onMessage(listener) {
        port1.on('message', ({ data }) => listener(data as TrainerMessage));
        port1.start();
      },
      onExit: (listener) => void exited.then(listener),
      kill() {
        exit('killed');
        port1.close();
        if (window.isDestroyed()) return;
        // A page in the middle of a kernel may ignore a normal close; destroying it also frees its GPU memory.
        webContents.forcefullyCrashRenderer();
        window.destroy();
      },
    };
  };
}
