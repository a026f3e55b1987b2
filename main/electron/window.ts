import type { BrowserWindow, BrowserWindowConstructorOptions, WebPreferences } from 'electron';
import { LAB_ADDRESS } from './address.ts';
import type { WindowPlace } from './window-place.ts';
import { keepLoaded, type TroubleParts } from './window-troubles.ts';

export type WindowClass = new (options: BrowserWindowConstructorOptions) => BrowserWindow;

/**
 * Pages run sandboxed and isolated: no Node, no access to the preload script's world. Most of these are defaults, but
 * stated so that a changed default changes nothing.
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

export function windowOptions(
  preload: string,
  place: WindowPlace | null = null,
): BrowserWindowConstructorOptions {
  return {
    title: 'Zigzag',
    width: 1360,
    height: 900,
    ...place?.bounds,
    minWidth: 1024,
    minHeight: 640,
    show: false,
    webPreferences: { ...SANDBOXED, preload },
  };
}

/**
 * Opens a window of the lab and shows it after its first painting.
 *
 * @param place stored place of an earlier window
 */
export function openWindow(
  Window: WindowClass,
  preload: string,
  parts: TroubleParts,
  place: WindowPlace | null = null,
): BrowserWindow {
  const window = new Window(windowOptions(preload, place));
  if (place?.isMaximized === true) window.maximize();
  window.once('ready-to-show', () => window.show());
  keepLoaded(window, LAB_ADDRESS, parts);
  return window;
}
