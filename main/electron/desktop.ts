import { release } from 'node:os';
import { join } from 'node:path';
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
import type { LogFile } from './log-file.ts';
import { LAB_SCHEME, servePage } from './page-scheme.ts';
import { judgePainting } from './painted.ts';
import { guardAllContents, guardSession } from './security.ts';
import { trainerWindowSpawner } from './trainer-window.ts';
import { utilityProcessSpawner } from './utility-process.ts';
import { VulkanTrial } from './vulkan-trial.ts';
import { openWindow } from './window.ts';

/** The parts of Electron that the shell uses, given to it so that it can be tested without the program. */
export type ElectronParts = Pick<
  typeof Electron,
  | 'app'
  | 'BrowserWindow'
  | 'dialog'
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
  log: LogFile,
): Promise<void> {
  const { app, protocol, shell } = electron;
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  const trial = enableWebgpu(app.commandLine, () => {
    const file = join(app.getPath('userData'), 'vulkan.json');
    return new VulkanTrial(file, `${process.versions['electron']} ${release()}`);
  });
  const { electron: version, chrome } = process.versions;
  const painting = app.commandLine.getSwitchValue('enable-features');
  log.write(
    `Zigzag ${services.info.version}, Electron ${version}, Chromium ${chrome}, features "${painting}"`,
  );
  if (trial?.isOn === false) {
    log.write(
      `without Vulkan, which painted nothing; WebGPU may find no GPU. Delete ${trial.path} to try again`,
    );
  }
  protocol.registerSchemesAsPrivileged([LAB_SCHEME]);
  app.enableSandbox();
  guardAllContents(app, shell);
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', () => {
    void services.trainer.close();
    void services.solver.close();
    void services.history.close();
  });
  try {
    await app.whenReady();
    openLab(electron, files, services, log, trial);
  } catch (error) {
    // What failed was not the painting.
    trial?.forget();
    throw error;
  }
}

function openLab(
  electron: ElectronParts,
  files: Pick<BuiltFiles, 'pageRoot' | 'preload'>,
  services: LabServices,
  log: LogFile,
  trial: VulkanTrial | null,
): void {
  const { app, dialog, session, ipcMain, MessageChannelMain, BrowserWindow } = electron;
  guardSession(session.defaultSession);
  servePage(session.defaultSession.protocol, files.pageRoot);
  servePorts(ipcMain, MessageChannelMain, createLabRouter(services));
  const window = openWindow(BrowserWindow, files.preload, { app, dialog, log });
  if (trial !== null) judgePainting(window, trial, { app, log });
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
