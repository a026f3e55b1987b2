import { release } from 'node:os';
import { join } from 'node:path';
import type * as Electron from 'electron';
import { HistoryClient } from '../history/client.ts';
import { dataFolderNow } from '../history/folder.ts';
import { type BuiltFiles, labInfo } from '../host/info.ts';
import { createLabRouter } from '../host/router.ts';
import type { LabServices } from '../host/services.ts';
import { setupParts, TensorflowSetup } from '../setup/tensorflow.ts';
import { withReader } from '../reader/client.ts';
import { solverClient } from '../solver/client.ts';
import { threadOf } from '../solver/thread.ts';
import { TrainerClient } from '../trainer-client/client.ts';
import { SplitTrainer } from '../trainer-client/split-trainer.ts';
import { servePorts } from './carrier.ts';
import { enableWebgpu } from './gpu-switches.ts';
import type { LogFile } from './log-file.ts';
import { LAB_SCHEME, servePage } from './page-scheme.ts';
import { checkForBlankWindow } from './blank-window-check.ts';
import { guardAllContents, guardSession } from './security.ts';
import { dataFolderDialog, type MoveHistory } from './data-folder.ts';
import { updateCheck, updateFeed } from './updates.ts';
import { trainerWindowSpawner } from './trainer-window.ts';
import { utilityProcessSpawner } from './utility-process.ts';
import { VulkanTrial } from './vulkan-trial.ts';
import { menuDeeds, Opener, registerLinks, SystemRequests } from './requests.ts';
import { LabWindows } from './lab-windows.ts';
import { menuTemplate } from './menu.ts';
import { SELF_TEST, selfTest } from './self-test.ts';
import { desktopSigns, withSigns } from './training-signs.ts';
import { openWindow } from './window.ts';

/** The parts of Electron that the shell uses, passed in so that tests need no Electron. */
export type ElectronParts = Pick<
  typeof Electron,
  | 'app'
  | 'BrowserWindow'
  | 'dialog'
  | 'ipcMain'
  | 'Menu'
  | 'MessageChannelMain'
  | 'powerSaveBlocker'
  | 'protocol'
  | 'screen'
  | 'session'
  | 'shell'
  | 'utilityProcess'
>;

/** In memory only, and with network access, which the pages' session lacks. */
const UPDATES_PARTITION = 'zigzag-updates';

const NO_SANDBOX =
  "Zigzag does not run without Chromium's sandbox (--no-sandbox). Allow programs their own user namespaces " +
  '(Ubuntu: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0; Debian: sudo sysctl ' +
  'kernel.unprivileged_userns_clone=1), or run "zigzag serve --open" and use the lab in the browser.';

/** Calls from the desktop's menu to the services, in addition to those from its pages. */
export interface DesktopServices extends LabServices {
  readonly moveHistory: MoveHistory;
}

/**
 * The desktop's services: the solver in a thread, the history and the trainer in utility processes, and the trainer in
 * a hidden window for WebGPU.
 */
export function desktopServices(
  electron: ElectronParts,
  files: BuiltFiles,
  moduleUrl: string,
): DesktopServices {
  const trainer = new SplitTrainer({
    process: new TrainerClient(utilityProcessSpawner(electron.utilityProcess, files.trainer)),
    window: new TrainerClient(trainerWindowSpawner(electron, files)),
  });
  const history = new HistoryClient(
    utilityProcessSpawner(electron.utilityProcess, files.history, undefined, 'Zigzag history'),
    dataFolderNow(),
  );
  return {
    history,
    moveHistory: (folder, remember) => history.moveTo(folder, remember),
    solver: withReader(
      solverClient({ start: threadOf(files.solverWorker) }),
      utilityProcessSpawner(electron.utilityProcess, files.reader, undefined, 'Zigzag reader'),
    ),
    trainer,
    setup: new TensorflowSetup(setupParts(files, () => trainer.renew())),
    info: labInfo('desktop', moduleUrl),
  };
}

/**
 * The desktop shell: one instance, its windows, the lab behind them. Call it before the app is ready: the scheme must
 * be registered by then.
 *
 * @param argv the command line, the program's own name included
 * @throws where pages would not be sandboxed
 */
export async function runDesktop(
  electron: ElectronParts,
  files: Pick<BuiltFiles, 'pageRoot' | 'preload'>,
  services: DesktopServices,
  log: LogFile,
  argv: readonly string[] = [],
): Promise<void> {
  const { app, protocol, shell } = electron;
  // An AppImage adds it where it finds no user namespaces; the user may allow them instead.
  if (app.commandLine.hasSwitch('no-sandbox')) throw new Error(NO_SANDBOX);
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
      `without Vulkan, which painted nothing; WebGPU may find no GPU. Delete ${trial.path} to try Vulkan again`,
    );
  }
  protocol.registerSchemesAsPrivileged([LAB_SCHEME]);
  app.enableSandbox();
  guardAllContents(app, shell);
  const system = new SystemRequests(app);
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', () => {
    void services.trainer.close();
    void services.solver.close();
    void services.setup.close();
    void services.history.close();
  });
  try {
    await app.whenReady();
    const windows = serveLab(electron, files, services, log);
    const { window } = windows.open();
    if (trial !== null) checkForBlankWindow(window, trial, { app, log });
    followRequests(electron, windows, system, { services, log, argv });
    if (argv.includes(SELF_TEST)) {
      window.webContents.once('did-finish-load', () => void selfTest(app, window));
    }
  } catch (error) {
    // Painting did not fail.
    trial?.forget();
    throw error;
  }
}

/** The lab behind its pages, before any window is open. */
function serveLab(
  electron: ElectronParts,
  files: Pick<BuiltFiles, 'pageRoot' | 'preload'>,
  services: LabServices,
  log: LogFile,
): LabWindows {
  const { app, dialog, session, ipcMain, MessageChannelMain, BrowserWindow } = electron;
  guardSession(session.defaultSession);
  servePage(session.defaultSession.protocol, files.pageRoot);
  const windows = new LabWindows({
    ipcMain,
    screen: electron.screen,
    placeFile: join(app.getPath('userData'), 'window.json'),
    open: (place) => openWindow(BrowserWindow, files.preload, { app, dialog, log }, place),
    emptied: () => {
      // The trainer's hidden window also counts, so `window-all-closed` may not fire when the visible ones are closed.
      void services.trainer.close();
      app.quit();
    },
  });
  const signs = desktopSigns(() => windows.all, electron.powerSaveBlocker);
  servePorts(
    ipcMain,
    MessageChannelMain,
    createLabRouter({ ...services, trainer: withSigns(services.trainer, signs) }),
  );
  return windows;
}

/** The program's arguments. */
interface Started {
  readonly services: DesktopServices;
  readonly log: LogFile;
  readonly argv: readonly string[];
}

/** Requests to the program from the system, its menu, its command line and a second start of it. */
function followRequests(
  electron: ElectronParts,
  windows: LabWindows,
  system: SystemRequests,
  { services, log, argv }: Started,
): void {
  const { app, dialog, shell, Menu } = electron;
  const opener = new Opener(app, windows);
  system.follow(opener);
  opener.commandLine(argv, process.cwd());
  registerLinks(app, process);
  const feed = updateFeed(app.getAppPath());
  const deeds = menuDeeds(windows, opener, dialog, {
    showLog: () => shell.showItemInFolder(log.path),
    dataFolder: dataFolderDialog({ dialog, shell, windows, move: services.moveHistory }),
    ...(feed === null
      ? {}
      : {
          checkForUpdates: updateCheck({
            dialog,
            shell,
            windows,
            session: () => electron.session.fromPartition(UPDATES_PARTITION),
            feed,
            version: services.info.version,
          }),
        }),
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, deeds)));
  app.on('second-instance', (_event, given, folder) => {
    windows.show();
    opener.commandLine(given, folder);
  });
}
