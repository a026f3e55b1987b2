import type { Dialog, Shell } from 'electron';
import { resolve } from 'node:path';
import { chooseDataFolder, type DataFolder, dataFolderNow } from '../history/folder.ts';
import type { LabWindows } from './lab-windows.ts';
import { oneAtATime } from './one-at-a-time.ts';

const CHOOSE = 'Choose Another…';
const USUAL = 'Use the Usual Folder';
const SHOW = 'Show Folder';
const CLOSE = 'Close';

/** Switches to another folder; see `HistoryClient.moveTo`. */
export type MoveHistory = (folder: string, remember: () => void) => Promise<boolean>;

interface DataFolderParts {
  readonly dialog: Pick<Dialog, 'showMessageBox' | 'showOpenDialog'>;
  readonly shell: Pick<Shell, 'openPath'>;
  readonly windows: Pick<LabWindows, 'show' | 'tellAll'>;
  readonly move: MoveHistory;
  readonly now?: () => DataFolder;
  readonly choose?: typeof chooseDataFolder;
}

/** Menu entry: names the folder of runs, opens it, or changes it at once. */
export function dataFolderDialog(parts: DataFolderParts): () => void {
  return oneAtATime(() => ask(parts));
}

async function ask(parts: DataFolderParts): Promise<void> {
  const { dialog, shell, windows, now = dataFolderNow } = parts;
  const { folder, usual, by } = now();
  const buttons = [...(usual === null ? [] : [CHOOSE]), ...(by === 'choice' ? [USUAL] : []), SHOW, CLOSE];
  const { window } = windows.show();
  const { response } = await dialog.showMessageBox(window, {
    type: 'info',
    title: 'Zigzag',
    message: `Runs are kept in ${folder}`,
    detail:
      by === 'environment'
        ? 'ZIGZAG_DATA sets this folder. Unset it first to choose another one here.'
        : 'For the desktop app, the lab in the browser and the command line.',
    buttons,
    defaultId: buttons.length - 1,
    cancelId: buttons.length - 1,
  });
  const pressed = buttons[response];
  if (pressed === SHOW) await shell.openPath(folder);
  if (usual === null) return;
  if (pressed === USUAL) await change(parts, folder, usual, usual);
  if (pressed !== CHOOSE) return;
  const { filePaths } = await dialog.showOpenDialog(window, {
    title: 'Folder for future runs',
    defaultPath: folder,
    properties: ['openDirectory', 'createDirectory', 'promptToCreate'],
  });
  const [chosen] = filePaths;
  if (chosen !== undefined && resolve(chosen) !== resolve(folder))
    await change(parts, folder, usual, resolve(chosen));
}

async function change(parts: DataFolderParts, from: string, usual: string, to: string): Promise<void> {
  const { dialog, windows, move, choose = chooseDataFolder } = parts;
  const { window } = windows.show();
  try {
    const wasCopied = await move(to, () => choose(usual, to));
    windows.tellAll({ kind: 'moved' });
    await dialog.showMessageBox(window, {
      type: 'info',
      title: 'Zigzag',
      message: `Runs are kept in ${to} from now on`,
      detail:
        (wasCopied
          ? `The existing runs were copied there. ${from} keeps its copy until you delete it.`
          : `The runs in the new folder are shown. Those in ${from} stay there.`) +
        ' Other labs that run now use the old folder until they are restarted.',
      buttons: ['OK'],
    });
  } catch (error) {
    await dialog.showMessageBox(window, {
      type: 'error',
      title: 'Zigzag',
      message: `Runs are still kept in ${from}`,
      detail: sentence(error instanceof Error ? error.message : String(error)),
      buttons: ['OK'],
    });
  }
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
