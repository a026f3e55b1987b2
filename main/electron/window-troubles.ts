import type { App, BrowserWindow, Dialog } from 'electron';
import { whereOf } from './faults.ts';
import { EXIT_WORDS } from './exit-words.ts';
import type { LogFile } from './log-file.ts';
import { startAgain } from './start-again.ts';

/** A page that crashes twice within this time is not reloaded automatically, to avoid an endless loop. */
const RELOAD_PAUSE_MS = 10_000;
/** Chromium's word for a page that gave way to another. */
const SUPERSEDED = 'ERR_ABORTED';

export interface TroubleParts {
  readonly app: Pick<App, 'quit' | 'relaunch'>;
  readonly dialog: Pick<Dialog, 'showMessageBox'>;
  readonly log: LogFile;
  readonly now?: () => number;
}

/**
 * Loads a window's page, and reloads it after a crash. Asks the user if that does not help, if the page cannot be
 * loaded, or if it does not respond.
 */
export function keepLoaded(
  window: BrowserWindow,
  address: string,
  { app, dialog, log, now = Date.now }: TroubleParts,
): void {
  const { webContents } = window;
  let loaded = now();
  let crashes = 0;
  let isAsking = false;
  let isForced = false;

  const load = (): void => {
    loaded = now();
    window.loadURL(address).catch((error: Error) => {
      if (error.message.includes(SUPERSEDED) || window.isDestroyed() || webContents.isCrashed()) return;
      void offerStart('The page of Zigzag could not be loaded', error.message);
    });
  };

  /** The dialog has no parent if its window was never shown. */
  const ask = (options: Electron.MessageBoxOptions): Promise<Electron.MessageBoxReturnValue> =>
    window.isVisible() ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options);

  const offerStart = async (message: string, why: string): Promise<void> => {
    log.write(`${message}: ${why}`);
    if (isAsking) return;
    isAsking = true;
    const { response } = await ask({
      type: 'error',
      title: 'Zigzag',
      message,
      detail: `${why}. ${whereOf(log)}`,
      buttons: ['Start again', 'Quit'],
      defaultId: 0,
      cancelId: 1,
    });
    isAsking = false;
    if (response === 0) startAgain(app);
    else app.quit();
  };

  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    log.write(`the page ${EXIT_WORDS[reason]}, exit code ${exitCode}`);
    crashes = isForced || now() - loaded > RELOAD_PAUSE_MS ? 1 : crashes + 1;
    if (crashes === 1) load();
    else
      void offerStart(
        'The page of Zigzag stopped twice',
        `It ${EXIT_WORDS[reason]} soon after it was reloaded`,
      );
    isForced = false;
  });

  let waiting: AbortController | null = null;
  window.on('unresponsive', () => {
    log.write('the page does not respond');
    if (waiting !== null) return;
    waiting = new AbortController();
    const { signal } = waiting;
    void ask({
      type: 'warning',
      title: 'Zigzag',
      message: 'Zigzag does not respond',
      detail: 'Its page may be busy. Reloading it ends a run in progress; the measurements so far are kept.',
      buttons: ['Wait', 'Reload the page'],
      defaultId: 0,
      cancelId: 0,
      signal,
    }).then(({ response }) => {
      if (signal.aborted) return;
      waiting = null;
      if (response !== 1 || window.isDestroyed()) return;
      isForced = true;
      webContents.forcefullyCrashRenderer();
    });
  });
  window.on('responsive', () => {
    waiting?.abort();
    waiting = null;
  });
  load();
}
