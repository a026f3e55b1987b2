import { homedir } from 'node:os';
import { writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { freshFolder } from '../../support/fresh-folder.ts';
import { chooseDataFolder, dataFolder, dataFolderNow, ownDataFolder } from '../../../main/history/folder.ts';

describe('the data folder', () => {
  it('is the usual place of each platform', () => {
    const home = '/home/me';
    expect(dataFolder({ platform: 'linux', env: {}, home })).toBe('/home/me/.local/share/zigzag');
    expect(dataFolder({ platform: 'linux', env: { XDG_DATA_HOME: '/data' }, home })).toBe('/data/zigzag');
    expect(dataFolder({ platform: 'linux', env: { XDG_DATA_HOME: 'data' }, home })).toMatch(/^\/home\/me\//);
    expect(dataFolder({ platform: 'darwin', env: {}, home })).toBe(
      '/home/me/Library/Application Support/Zigzag',
    );
    const windows = { platform: 'win32', home: 'C:\\Users\\me' } as const;
    expect(dataFolder({ ...windows, env: { APPDATA: 'D:\\Roaming' } })).toBe('D:\\Roaming\\Zigzag');
    expect(dataFolder({ ...windows, env: {} })).toBe('C:\\Users\\me\\AppData\\Roaming\\Zigzag');
  });

  it('is first of all the one in ZIGZAG_DATA', () => {
    const env = { ZIGZAG_DATA: '/own', XDG_DATA_HOME: '/data' };
    expect(dataFolder({ platform: 'linux', env, home: '/home/me' })).toBe('/own');
  });

  it.each([null, '', 'relative'])(
    'is refused without a home such as %j, and not created elsewhere',
    (home) => {
      for (const platform of ['linux', 'darwin', 'win32'] as const) {
        expect(() => dataFolder({ platform, env: {}, home })).toThrow(/no home folder.*set ZIGZAG_DATA/);
        expect(dataFolder({ platform, env: { ZIGZAG_DATA: '/own' }, home })).toMatch(/own$/);
      }
      expect(dataFolder({ platform: 'linux', env: { XDG_DATA_HOME: '/data' }, home })).toBe('/data/zigzag');
      expect(dataFolder({ platform: 'win32', env: { APPDATA: 'D:\\Roaming' }, home })).toBe(
        'D:\\Roaming\\Zigzag',
      );
    },
  );

  it('is the default one if a variable is empty', () => {
    const env = { ZIGZAG_DATA: '', XDG_DATA_HOME: '', APPDATA: '' };
    expect(dataFolder({ platform: 'linux', env, home: '/home/me' })).toBe('/home/me/.local/share/zigzag');
    const windows = { platform: 'win32', env, home: 'C:\\Users\\me' } as const;
    expect(dataFolder(windows)).toBe('C:\\Users\\me\\AppData\\Roaming\\Zigzag');
    // Each platform reads its own.
    const others = { XDG_DATA_HOME: '/data', APPDATA: '/roaming' };
    expect(dataFolder({ platform: 'darwin', env: others, home: '/home/me' })).toMatch(/^\/home\/me\/Library/);
    expect(dataFolder({ platform: 'linux', env: others, home: '/home/me' })).toBe('/data/zigzag');
    expect(dataFolder({ ...windows, env: { XDG_DATA_HOME: 'C:\\data' } })).toMatch(/Roaming\\Zigzag$/);
  });
});

describe('the folder of this process', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('is the one in ZIGZAG_DATA, or in the user’s home', () => {
    vi.stubEnv('ZIGZAG_DATA', '/somewhere');
    expect(ownDataFolder()).toMatch(/somewhere$/);
    vi.stubEnv('ZIGZAG_DATA', '');
    vi.stubEnv('XDG_DATA_HOME', '');
    // The home of a thread's process: what it is told by its own environment it does not ask for.
    const home = homedir();
    if (isAbsolute(home)) expect(ownDataFolder()).toBe(dataFolder({ ...process, home }));
  });

  it('is the chosen one for app, browser and command line, unless ZIGZAG_DATA is set', () => {
    const home = freshFolder();
    const env = { XDG_DATA_HOME: home, APPDATA: home };
    const usual = dataFolder({ platform: process.platform, env, home });
    if (process.platform === 'darwin') return;
    expect(dataFolderNow(env)).toEqual({ folder: usual, usual, by: 'usual' });
    chooseDataFolder(usual, '/elsewhere');
    expect(dataFolderNow(env)).toEqual({ folder: '/elsewhere', usual, by: 'choice' });
    expect(dataFolderNow({ ...env, ZIGZAG_DATA: '/own' })).toMatchObject({ usual: null, by: 'environment' });
    for (const damage of ['', '{', '{"folder":7}', '{"folder":"relative"}']) {
      writeFileSync(join(usual, 'data-folder.json'), damage);
      expect(dataFolderNow(env).by).toBe('usual');
    }
    chooseDataFolder(usual, '/elsewhere');
    chooseDataFolder(usual, usual);
    expect(dataFolderNow(env)).toEqual({ folder: usual, usual, by: 'usual' });
  });
});
