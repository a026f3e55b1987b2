import type { App, Dialog } from 'electron';
import type { LogFile } from './log-file.ts';
import { startAgain } from './start-again.ts';

/** EX_SOFTWARE of sysexits.h: an internal error. */
const SOFTWARE_FAULT = 70;
const START_AGAIN = 'Start again';

interface Parts {
  readonly app: Pick<App, 'exit' | 'on' | 'quit' | 'relaunch'>;
  readonly dialog: Pick<Dialog, 'showErrorBox' | 'showMessageBox'>;
}
type Listening = Pick<NodeJS.Process, 'on'>;

/**
 * Handles internal errors. One at the start ends the program with a sentence: no window could show it, and Electron
 * would show a stack trace and keep running without a window. A later one is shown once, and the user chooses.
 *
 * @returns runs the start; an error that it throws or rejects with ends the program
 */
export function guardFaults(
  { app, dialog }: Parts,
  log: LogFile,
  process: Listening,
): (start: () => Promise<void>) => Promise<void> {
  let hasStarted = false;
  let isSaid = false;
  const failStart = (error: unknown): void => {
    if (isSaid) return;
    isSaid = true;
    log.write(`could not start: ${detailOf(error)}`);
    dialog.showErrorBox('Zigzag could not start', `${sentenceOf(error)} ${whereOf(log)}`);
    app.exit(SOFTWARE_FAULT);
  };
  const tell = async (error: unknown): Promise<void> => {
    log.write(`mistake: ${detailOf(error)}`);
    if (isSaid) return;
    isSaid = true;
    const { response } = await dialog.showMessageBox({
      type: 'error',
      title: 'Zigzag',
      message: `Zigzag made a mistake: ${sentenceOf(error)}`,
      detail: `What is on screen may be incomplete. ${whereOf(log)}`,
      buttons: ['Go on', START_AGAIN],
      defaultId: 1,
      cancelId: 0,
    });
    if (response === 1) startAgain(app);
  };
  process.on('uncaughtException', (error) => {
    if (hasStarted) void tell(error);
    else failStart(error);
  });
  process.on('unhandledRejection', (reason) => log.write(`unhandled rejection: ${detailOf(reason)}`));
  app.on('child-process-gone', (_event, { type, reason, exitCode, name = '' }) => {
    log.write(`${[type, name].join(' ').trim()}: ${reason}, exit code ${exitCode}`);
  });
  return async (start) => {
    try {
      await start();
      hasStarted = true;
    } catch (error) {
      failStart(error);
    }
  };
}

export const whereOf = (log: Pick<LogFile, 'path'>): string => `What happened is written in ${log.path}.`;

function sentenceOf(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).split('\n')[0]?.trim() ?? '';
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

const detailOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
