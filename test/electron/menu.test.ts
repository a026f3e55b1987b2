// @vitest-environment happy-dom
import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { type MenuDeeds, menuTemplate } from '../../main/electron/menu.ts';
import { labActions } from '../../renderer/shell/lab-actions.ts';
import { SCREENS } from '../../renderer/shell/screens.tsx';
import { openLab } from '../renderer/support/open-lab.ts';

type Item = MenuItemConstructorOptions;

function itemsOf(items: readonly Item[]): Item[] {
  return items.flatMap((item) => [item, ...itemsOf(Array.isArray(item.submenu) ? item.submenu : [])]);
}

function menu(platform: NodeJS.Platform) {
  const deeds = {
    act: vi.fn(),
    openFile: vi.fn(),
    newWindow: vi.fn(),
    goBack: vi.fn(),
    goForward: vi.fn(),
    showLog: vi.fn(),
    dataFolder: vi.fn(),
  } satisfies MenuDeeds;
  const items = itemsOf(menuTemplate(platform, deeds));
  const click = (item: Item | undefined) => (item?.click as (() => void) | undefined)?.();
  return { deeds, items, click };
}

describe.each(['linux', 'win32', 'darwin'] as const)('the application menu on %s', (platform) => {
  it('offers updates only in a program with an update feed', () => {
    const labels = (items: readonly Item[]) => items.map(({ label }) => label);
    const { items, deeds, click } = menu(platform);
    expect(labels(items)).toContain('Data Folder…');
    expect(labels(items)).not.toContain('Check for Updates…');
    const checkForUpdates = vi.fn();
    const withFeed = itemsOf(menuTemplate(platform, { ...deeds, checkForUpdates }));
    click(withFeed.find(({ label }) => label === 'Check for Updates…'));
    expect(checkForUpdates).toHaveBeenCalledOnce();
  });

  it('names only entries of the palette', () => {
    const { items, deeds, click } = menu(platform);
    for (const item of items) click(item);
    const asked = deeds.act.mock.calls.map(([id]) => id as string);
    const { workspace } = openLab();
    const known = labActions({
      workspace,
      screens: SCREENS,
      setTheme: vi.fn(),
      modifier: 'Ctrl',
    });
    // The palette itself, and what Train offers while it is in front.
    const ids = new Set([...known.map(({ id }) => id), 'palette', 'train-start']);
    expect(asked.length).toBeGreaterThan(15);
    expect(asked.filter((id) => !ids.has(id))).toEqual([]);
    expect(asked.filter((id) => id.startsWith('screen-'))).toEqual(SCREENS.map(({ id }) => `screen-${id}`));
  });

  it('assigns no key twice, and runs its own actions', () => {
    const { items, deeds, click } = menu(platform);
    const keys = items.map(({ accelerator }) => accelerator).filter((key) => key !== undefined);
    expect(new Set(keys).size).toBe(keys.length);
    click(items.find(({ id }) => id === 'open'));
    click(items.find(({ label }) => label === 'Back'));
    click(items.find(({ label }) => label === 'Forward'));
    click(items.find(({ label }) => label === 'New Window'));
    click(items.find(({ label }) => label === 'Show Log File'));
    for (const deed of [deeds.openFile, deeds.goBack, deeds.goForward, deeds.newWindow, deeds.showLog])
      expect(deed).toHaveBeenCalledTimes(1);
  });

  it('has the roles without which a Mac loses copy and paste', () => {
    const roles = menu(platform).items.map(({ role }) => role);
    expect(roles).toEqual(expect.arrayContaining(['cut', 'copy', 'paste', 'selectAll', 'togglefullscreen']));
    expect(roles.includes('appMenu')).toBe(platform === 'darwin');
  });
});
