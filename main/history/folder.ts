import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, posix, win32 } from 'node:path';
import { z } from 'zod';
import { BadInputError } from '../../engine/errors.ts';

interface Place {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Home folder of the user; null without one. */
  readonly home: string | null;
}

/**
 * Folder of the lab's data: the platform's usual place for a program's data, or the one in ZIGZAG_DATA. The same for
 * the desktop, the browser and the command line, so that all of a user's runs are in one history; on macOS and Windows
 * it is Electron's own `userData`. Touches no disk.
 *
 * @throws BadInputError if it would be in the home folder and none exists
 */
export function dataFolder({ platform, env, home }: Place): string {
  const { ZIGZAG_DATA: own, APPDATA: appData, XDG_DATA_HOME: xdg } = env;
  const { join, resolve, isAbsolute } = platform === 'win32' ? win32 : posix;
  if (own !== undefined && own !== '') return resolve(own);
  if (platform === 'win32' && appData) return join(appData, 'Zigzag');
  // The XDG specification says to ignore relative paths.
  if (platform !== 'win32' && platform !== 'darwin' && xdg !== undefined && isAbsolute(xdg))
    return join(xdg, 'zigzag');
  // A relative path would scatter runs over the folders in which the lab is started.
  if (home === null || !isAbsolute(home)) {
    throw new BadInputError('no home folder was found to store runs in; set ZIGZAG_DATA to a folder');
  }
  if (platform === 'win32') return join(home, 'AppData', 'Roaming', 'Zigzag');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Zigzag');
  return join(home, '.local', 'share', 'zigzag');
}

/** HOME, or else the entry in the list of users. */
function ownHome(): string | null {
  for (const ask of [homedir, () => userInfo().homedir]) {
    try {
      const home = ask();
      if (home !== '') return home;
    } catch {
      // A user without an entry on this machine, as in a container.
    }
  }
  return null;
}

/** Data folder of this process, and its origin. */
export interface DataFolder {
  readonly folder: string;
  /** The platform's usual place, regardless of any choice; null if it has none. */
  readonly usual: string | null;
  /** `chosen`: in the desktop's dialog; applies to app, browser and command line. */
  readonly by: 'environment' | 'choice' | 'usual';
}

/** File with the chosen folder. It is in the usual folder, where app, browser and command line find it. */
const CHOICE_FILE = 'data-folder.json';
const choiceSchema = z.object({ folder: z.string().min(1).max(4096) });

/** The data folder of this process. @throws BadInputError if no place for one exists */
export function dataFolderNow(env: Place['env'] = process.env): DataFolder {
  const { platform } = process;
  const home = ownHome();
  if (env['ZIGZAG_DATA'])
    return { folder: dataFolder({ platform, env, home }), usual: null, by: 'environment' };
  const usual = dataFolder({ platform, env, home });
  const chosen = readChoice(usual);
  return chosen === null ? { folder: usual, usual, by: 'usual' } : { folder: chosen, usual, by: 'choice' };
}

/** @throws BadInputError if no place for one exists */
export const ownDataFolder = (): string => dataFolderNow().folder;

/**
 * Makes later starts of the lab store their data in this folder.
 *
 * @param usual the usual folder, which stores the choice
 * @param folder null for the usual one
 * @throws what the file system refuses
 */
export function chooseDataFolder(usual: string, folder: string | null): void {
  const file = join(usual, CHOICE_FILE);
  if (folder === null || folder === usual) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(usual, { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify({ folder })}\n`);
  renameSync(`${file}.new`, file);
}

function readChoice(usual: string): string | null {
  try {
    const { folder } = choiceSchema.parse(JSON.parse(readFileSync(join(usual, CHOICE_FILE), 'utf8')));
    return isAbsolute(folder) ? folder : null;
  } catch {
    return null;
  }
}
