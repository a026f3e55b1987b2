import type { App, BrowserWindow, Event, MessagePortMain, RenderProcessGoneDetails } from 'electron';
import { EXIT_WORDS } from './exit-words.ts';

/** A crashed page closes its port first; the crash itself is reported a moment later. */
const CRASH_DELAY_MS = 500;

/** Reports once how a hidden window ended, for each of the ways in which it can. */
export interface WindowExit {
  /** Resolves to why it ended, in a few words. */
  readonly exited: Promise<string>;
  /** Ends it for the given reason; later reasons do not count. */
  readonly exit: (reason: string) => void;
}

/**
 * @param app reports the end of the GPU process of all windows, which loses everything on the GPU
 * @param port the host's end of the port to the page
 */
export function exitOfWindow(
  app: Pick<App, 'on' | 'off'>,
  window: Pick<BrowserWindow, 'on' | 'webContents'>,
  port: Pick<MessagePortMain, 'on'>,
): WindowExit {
  let exit: (reason: string) => void = () => undefined;
  const exited = new Promise<string>((resolve) => {
    exit = resolve;
  });
  const onChildGone = (_event: Event, { type, reason }: GoneChild): void => {
    if (type === 'GPU') exit(`the GPU process ${EXIT_WORDS[reason]}`);
  };
  app.on('child-process-gone', onChildGone);
  void exited.then(() => app.off('child-process-gone', onChildGone));

  const { webContents } = window;
  webContents.on('render-process-gone', (_event, { reason }) => exit(`its window ${EXIT_WORDS[reason]}`));
  webContents.on('unresponsive', () => exit('its window does not respond'));
  webContents.on('preload-error', (_event, _path, error) =>
    exit(`its window did not start: ${error.message}`),
  );
  window.on('closed', () => exit('its window closed'));
  port.on('close', () => setTimeout(() => exit('its window hung up'), CRASH_DELAY_MS).unref());
  return { exited, exit };
}

type GoneChild = { readonly type: string; readonly reason: RenderProcessGoneDetails['reason'] };
