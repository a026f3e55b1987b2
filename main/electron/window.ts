import type { BrowserWindow, BrowserWindowConstructorOptions, WebPreferences } from 'electron';
import { LAB_ADDRESS } from './address.ts';

/** A page whose process dies again within this time is left alone, lest it reload for ever. */
const RELOAD_PAUSE_MS = 10_000;

export type WindowClass = new (options: BrowserWindowConstructorOptions) => BrowserWindow;

/**
 * Pages run sandboxed and isolated: no Node, no access to the preload script's world. All of these are
 * named, although most are defaults, so that a changed default changes nothing.
 */
export const SANDBOXED = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  spellcheck: false,
} as const satisfies WebPreferences;

export function windowOptions(preload: string): BrowserWindowConstructorOptions {
  return {
    title: 'Zigzag',
    width: 1360,
    height: 900,
    minWidth: 1024,
    minHeight: 640,
    show: false,
    webPreferences: { ...SANDBOXED, preload },
  };
}

/** Opens the lab's window; shown when there is something to see. A page that crashes is loaded again. */
export function openWindow(
  Window: WindowClass,
  preload: string,
  now: () => number = Date.now,
): BrowserWindow {
  const window = new Window(windowOptions(preload));
  let loaded = now();
  const load = (): void => {
    loaded = now();
    void window.loadURL(LAB_ADDRESS).catch(() => undefined);
  };
  window.once('ready-to-show', () => window.show());
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit' && now() - loaded > RELOAD_PAUSE_MS) load();
  });
  load();
  return window;
}
