import type * as Electron from 'electron';
import { HistoryClient } from '../history/client.ts';
import { ownDataFolder } from '../history/folder.ts';
import { type BuiltFiles, labInfo } from '../host/info.ts';
import { createLabRouter } from '../host/router.ts';
import type { LabServices } from '../host/services.ts';
import { solverClient, threadOf } from '../solver/client.ts';
import { TrainerClient } from '../trainer-client/client.ts';
import { SplitTrainer } from '../trainer-client/split-trainer.ts';
import { servePorts } from './carrier.ts';
import { enableWebgpu } from './gpu-switches.ts';
import { LAB_SCHEME, servePage } from './page-scheme.ts';
import { guardAllContents, guardSession } from './security.ts';
import { trainerWindowSpawner } from './trainer-window.ts';
import { utilityProcessSpawner } from './utility-process.ts';
import { openWindow } from './window.ts';

/** The parts of Electron that the shell uses, given to it so that it can be tested without the program. */
export type ElectronParts = Pick<
  typeof Electron,
  | 'app'
  | 'BrowserWindow'
  | 'ipcMain'
  | 'MessageChannelMain'
  | 'protocol'
  | 'session'
  | 'shell'
  | 'utilityProcess'
>;

/**
 * The desktop's services: the solver in a thread, the history and the trainer in utility processes, and the trainer in
 * a hidden window for WebGPU.
 */
export function desktopServices(electron: ElectronParts, files: BuiltFiles, moduleUrl: string): LabServices {
  return {
    history: new HistoryClient(
      utilityProcessSpawner(electron.utilityProcess, files.history, undefined, 'Zigzag history'),
      ownDataFolder(),
    ),
    solver: solverClient({ start: threadOf(files.solverWorker) }),
    trainer: new SplitTrainer({
      process: new TrainerClient(utilityProcessSpawner(electron.utilityProcess, files.trainer)),
      window: new TrainerClient(trainerWindowSpawner(electron, files)),
    }),
    info: labInfo('desktop', moduleUrl),
  };
}

/**
 * The desktop shell: one instance, one window, the lab behind it. Must be called before the app is
 * ready, because the scheme has to be registered by then.
 */
export async function runDesktop(
  electron: ElectronParts,
  files: Pick<BuiltFiles, 'pageRoot' | 'preload'>,
  services: LabServices,
): Promise<void> {
  const { app, protocol, session, shell, ipcMain, MessageChannelMain, BrowserWindow } = electron;
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  enableWebgpu(app.commandLine);
  protocol.registerSchemesAsPrivileged([LAB_SCHEME]);
  app.enableSandbox();
  guardAllContents(app, shell);
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', () => {
    void services.trainer.close();
    void services.solver.close();
    void services.history.close();
  });
  await app.whenReady();
  guardSession(session.defaultSession);
  servePage(session.defaultSession.protocol, files.pageRoot);
  servePorts(ipcMain, MessageChannelMain, createLabRouter(services));
  const window = openWindow(BrowserWindow, files.preload);
  // The trainer's window is one too, so that all windows need not be closed when the one that is seen is.
  window.once('closed', () => {
    void services.trainer.close();
    app.quit();
  });
  app.on('second-instance', () => {
    if (window.isDestroyed()) return;
    if (window.isMinimized()) window.restore();
    window.focus();
  });
}
