import { describe, expect, it } from 'vitest';
import { dataFolder } from '../../../main/history/folder.ts';

describe('the folder of data', () => {
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

  it('is before all what ZIGZAG_DATA says', () => {
    const env = { ZIGZAG_DATA: '/own', XDG_DATA_HOME: '/data' };
    expect(dataFolder({ platform: 'linux', env, home: '/home/me' })).toBe('/own');
  });

  it.each([null, '', 'relative'])('is refused below no home, such as %j, and not made somewhere', (home) => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      expect(() => dataFolder({ platform, env: {}, home })).toThrow(/no home folder.*set ZIGZAG_DATA/);
      expect(dataFolder({ platform, env: { ZIGZAG_DATA: '/own' }, home })).toMatch(/own$/);
    }
    expect(dataFolder({ platform: 'linux', env: { XDG_DATA_HOME: '/data' }, home })).toBe('/data/zigzag');
    expect(dataFolder({ platform: 'win32', env: { APPDATA: 'D:\\Roaming' }, home })).toBe(
      'D:\\Roaming\\Zigzag',
    );
  });
});
