import type { App, Dialog } from 'electron';
import type { MenuDeeds } from './menu.ts';
import { SCHEME } from './address.ts';
import { askedFor } from './inbox.ts';
import type { LabWindows } from './lab-windows.ts';

type AskedApp = Pick<App, 'addRecentDocument' | 'getAppPath' | 'isPackaged'>;

/** Opens files and links from any source in the front window. */
export class Opener {
  readonly #app: AskedApp;
  readonly #windows: LabWindows;

  constructor(app: AskedApp, windows: LabWindows) {
    this.#app = app;
    this.#windows = windows;
  }

  async files(files: readonly string[]): Promise<void> {
    for (const file of files) {
      if (await this.#windows.show().inbox.openFile(file)) this.#app.addRecentDocument(file);
    }
  }

  link(link: string): void {
    this.#windows.show().inbox.openLink(link);
  }

  /** @param argv arguments of the start, the program's name included */
  commandLine(argv: readonly string[], folder: string): void {
    // An unpacked Electron is started with the lab's folder, which Chromium may have moved among the arguments.
    const { files, links } = askedFor(argv.slice(1), folder);
    void this.files(files.filter((file) => this.#app.isPackaged || file !== this.#app.getAppPath()));
    for (const link of links) this.link(link);
  }

  async choose(dialog: Pick<Dialog, 'showOpenDialog'>): Promise<void> {
    const { window } = this.#windows.show();
    const { filePaths } = await dialog.showOpenDialog(window, {
      title: 'Open a network, a plan, an experiment or measurements',
      properties: ['openFile'],
      filters: [
        { name: 'Files that the lab reads', extensions: ['zigzag', 'json', 'onnx'] },
        { name: 'All files', extensions: ['*'] },
      ],
    });
    await this.files(filePaths);
  }
}

/** Files and links on macOS: they arrive as events, perhaps before a window can open them. */
export class SystemRequests {
  #follow: (opener: Opener) => void = () => undefined;
  readonly #opener = new Promise<Opener>((resolve) => {
    this.#follow = resolve;
  });

  /** Create it before the app is ready. */
  constructor(app: Pick<App, 'on'>) {
    app.on('open-file', (event, file) => {
      event.preventDefault();
      void this.#opener.then((opener) => opener.files([file]));
    });
    app.on('open-url', (event, link) => {
      event.preventDefault();
      void this.#opener.then((opener) => opener.link(link));
    });
  }

  follow(opener: Opener): void {
    this.#follow(opener);
  }
}

/** Registers this program with the system for links to views. On macOS and Linux the installed package does that. */
export function registerLinks(
  app: Pick<App, 'isPackaged' | 'getAppPath' | 'setAsDefaultProtocolClient'>,
  { execPath, platform }: Pick<NodeJS.Process, 'execPath' | 'platform'>,
): void {
  if (app.isPackaged) app.setAsDefaultProtocolClient(SCHEME);
  // Windows starts the program named in its registry; on other systems this would register a checkout for the whole
  // desktop.
  else if (platform === 'win32') app.setAsDefaultProtocolClient(SCHEME, execPath, [app.getAppPath()]);
}

/** Menu actions on the front window. */
export function menuDeeds(
  windows: LabWindows,
  opener: Opener,
  dialog: Pick<Dialog, 'showOpenDialog'>,
  system: Pick<MenuDeeds, 'showLog' | 'dataFolder' | 'checkForUpdates'>,
): MenuDeeds {
  const history = () => windows.front?.window.webContents.navigationHistory;
  return {
    act: (id) => windows.show().inbox.tell({ kind: 'action', id }),
    openFile: () => void opener.choose(dialog),
    newWindow: () => void windows.open(),
    goBack: () => history()?.goBack(),
    goForward: () => history()?.goForward(),
    ...system,
  };
}
