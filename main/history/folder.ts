import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

interface Place {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/**
 * Where the lab keeps what outlives it: the platform's usual place for a program's data, or what ZIGZAG_DATA
 * names. The same for the desktop, the browser and the command line, so that all of a user's runs are in
 * one history; on macOS and Windows it is Electron's own `userData`. Touches no disk.
 */
export function dataFolder({ platform, env, home }: Place): string {
  const { ZIGZAG_DATA: own, APPDATA: appData, XDG_DATA_HOME: xdg } = env;
  const { join, resolve, isAbsolute } = platform === 'win32' ? win32 : posix;
  if (own !== undefined && own !== '') return resolve(own);
  if (platform === 'win32') return join(appData || join(home, 'AppData', 'Roaming'), 'Zigzag');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Zigzag');
  // The specification says that a relative path is to be ignored.
  const base = xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.local', 'share');
  return join(base, 'zigzag');
}

/** The data folder of this process. */
export const ownDataFolder = (): string => dataFolder({ ...process, home: homedir() });
