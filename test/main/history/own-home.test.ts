import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** Reply of the system about its user; null when it cannot tell, as in a container without a list of users. */
const said = vi.hoisted(() => ({ home: '' as string | null, listed: '' as string | null }));

vi.mock('node:os', async (original) => {
  const tell = (home: string | null): string => {
    if (home === null) throw new Error('no such user');
    return home;
  };
  return {
    ...(await original<typeof import('node:os')>()),
    homedir: () => tell(said.home),
    userInfo: () => ({ homedir: tell(said.listed) }),
  };
});

beforeEach(() => {
  vi.resetModules();
  for (const name of ['ZIGZAG_DATA', 'XDG_DATA_HOME', 'APPDATA']) vi.stubEnv(name, '');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

async function folderOf(home: string | null, listed: string | null): Promise<string> {
  Object.assign(said, { home, listed });
  const { dataFolder, ownDataFolder } = await import('../../../main/history/folder.ts');
  // Below which home, on this platform.
  const below = (place: string): string => dataFolder({ ...process, home: place });
  const own = ownDataFolder();
  return ['/home/me', '/home/listed'].find((place) => below(place) === own) ?? own;
}

describe.skipIf(process.platform === 'win32')('the home folder of runs', () => {
  it.each([
    ['/home/me', '/home/listed', '/home/me'],
    ['/home/me', null, '/home/me'],
    ['', '/home/listed', '/home/listed'],
    [null, '/home/listed', '/home/listed'],
  ])('is HOME, or else the entry in the list of users: %s, %s', async (home, listed, is) => {
    expect(await folderOf(home, listed)).toBe(is);
  });

  it.each([
    ['', ''],
    [null, null],
    ['', null],
    ['relative', '/home/listed'],
  ])('is missing if neither is usable: %s, %s', async (home, listed) => {
    await expect(folderOf(home, listed)).rejects.toThrow(
      'no home folder was found to store runs in; set ZIGZAG_DATA to a folder',
    );
  });
});
