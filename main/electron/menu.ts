import type { MenuItemConstructorOptions } from 'electron';

/** Actions of the menu itself; every other entry comes from the page's palette. */
export interface MenuDeeds {
  readonly act: (id: string) => void;
  readonly openFile: () => void;
  readonly newWindow: () => void;
  readonly goBack: () => void;
  readonly goForward: () => void;
  readonly showLog: () => void;
  readonly dataFolder: () => void;
  /** Absent if the program was packed without an update feed. */
  readonly checkForUpdates?: () => void;
}

/** Screens in the order of the rail, with the same keys as in the page. */
const SCREENS = ['compare', 'graph', 'tables', 'limits', 'learn', 'train'] as const;

const titled = (id: string): string => `${id[0]?.toUpperCase()}${id.slice(1)}`;

const LINE = { type: 'separator' } as const;

/**
 * The application menu: the lab's actions under their palette names. Keys whose effect depends on the focus stay with
 * the page.
 */
export function menuTemplate(platform: NodeJS.Platform, deeds: MenuDeeds): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin';
  const act = (id: string, label: string, accelerator?: string): MenuItemConstructorOptions => ({
    id,
    label,
    ...(accelerator === undefined ? {} : { accelerator }),
    click: () => deeds.act(id),
  });
  const file: MenuItemConstructorOptions[] = [
    { label: 'New Window', accelerator: 'CmdOrCtrl+N', click: deeds.newWindow },
    { id: 'open', label: 'Open…', accelerator: 'CmdOrCtrl+O', click: deeds.openFile },
    ...(isMac
      ? [
          {
            role: 'recentDocuments',
            submenu: [{ role: 'clearRecentDocuments' }],
          } as MenuItemConstructorOptions,
        ]
      : []),
    LINE,
    act('save-experiment', 'Save Experiment…', 'CmdOrCtrl+S'),
    act('report', 'Save Report…', 'CmdOrCtrl+Shift+S'),
    act('link', 'Copy Link to This View', 'CmdOrCtrl+Shift+C'),
    LINE,
    { label: 'Data Folder…', click: deeds.dataFolder },
    LINE,
    { role: isMac ? 'close' : 'quit' },
  ];
  const edit: MenuItemConstructorOptions[] = [
    // Undoes a change of the experiment, or of a text that is being edited. Only the page knows which, so the keys stay
    // with it.
    act('undo', 'Undo Change of the Experiment'),
    act('redo', 'Redo Change of the Experiment'),
    LINE,
    { role: 'cut' },
    { role: 'copy' },
    { role: 'paste' },
    { role: 'selectAll' },
    LINE,
    act('palette', 'All Actions…', 'CmdOrCtrl+K'),
  ];
  const go: MenuItemConstructorOptions[] = [
    ...SCREENS.map((id, i) => act(`screen-${id}`, titled(id), `CmdOrCtrl+${i + 1}`)),
    LINE,
    { label: 'Back', accelerator: isMac ? 'Cmd+[' : 'Alt+Left', click: deeds.goBack },
    { label: 'Forward', accelerator: isMac ? 'Cmd+]' : 'Alt+Right', click: deeds.goForward },
  ];
  const run: MenuItemConstructorOptions[] = [
    act('double', 'Double the Batch'),
    act('halve', 'Halve the Batch'),
    LINE,
    act('train-start', 'Start Training'),
    act('cancel', 'Cancel the Running Work'),
  ];
  const view: MenuItemConstructorOptions[] = [
    act('theme-auto', 'Theme: System'),
    act('theme-light', 'Theme: Light'),
    act('theme-dark', 'Theme: Dark'),
    LINE,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { role: 'togglefullscreen' },
    LINE,
    { role: 'reload' },
    { role: 'toggleDevTools' },
  ];
  const help: MenuItemConstructorOptions[] = [
    act('shortcuts', 'Keyboard Shortcuts'),
    { label: 'Show Log File', click: deeds.showLog },
    ...(deeds.checkForUpdates === undefined
      ? []
      : [{ label: 'Check for Updates…', click: deeds.checkForUpdates }]),
    LINE,
    act('about', 'About Zigzag'),
  ];
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    { label: '&File', submenu: file },
    { label: '&Edit', submenu: edit },
    { label: '&Go', submenu: go },
    { label: '&Run', submenu: run },
    { label: '&View', submenu: view },
    { role: 'windowMenu' },
    { label: '&Help', role: 'help', submenu: help },
  ];
}
