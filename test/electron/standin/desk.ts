import type * as Electron from 'electron';
import { tellDriver } from './driver-line.ts';
import type { MenuEntry } from './wire.ts';

/** Surroundings of the windows: the menu, the screen, the system's sleep. */

let template: readonly Electron.MenuItemConstructorOptions[] = [];

/** Electron refuses items that say nothing of what they are. */
function check(items: readonly Electron.MenuItemConstructorOptions[]): void {
  for (const { label, role, type, submenu } of items) {
    if (label === undefined && role === undefined && type !== 'separator') {
      throw new TypeError('Invalid template for MenuItem: must have at least one of label, role or type');
    }
    if (Array.isArray(submenu)) check(submenu);
  }
}

/** Without the letter that is underlined. */
const plain = (label: string): string => label.replace('&', '');

function entriesOf(items: readonly Electron.MenuItemConstructorOptions[], path = ''): MenuEntry[] {
  return items.flatMap(({ label, role, submenu, accelerator }): MenuEntry[] => {
    const name = label === undefined ? String(role ?? '') : plain(label);
    if (Array.isArray(submenu)) return entriesOf(submenu, `${path}${name}/`);
    return name === '' ? [] : [{ path: path + name, accelerator: accelerator?.toString() ?? '' }];
  });
}

export const menuEntries = (): MenuEntry[] => entriesOf(template);

/** A person chooses an entry. */
export function chooseInMenu(path: string): void {
  const find = (
    items: readonly Electron.MenuItemConstructorOptions[],
    [name, ...rest]: string[],
  ): Electron.MenuItemConstructorOptions | undefined => {
    const item = items.find(({ label, role }) => (label === undefined ? role : plain(label)) === name);
    return rest.length === 0 || item === undefined || !Array.isArray(item.submenu)
      ? item
      : find(item.submenu, rest);
  };
  const item = find(template, path.split('/'));
  if (item?.click === undefined) throw new Error(`the menu has no ${path} that does something`);
  (item.click as () => void)();
}

export const Menu = {
  buildFromTemplate(items: Electron.MenuItemConstructorOptions[]) {
    check(items);
    return items as unknown as Electron.Menu;
  },
  setApplicationMenu(menu: Electron.Menu | null): void {
    template = menu as unknown as Electron.MenuItemConstructorOptions[];
  },
} satisfies Partial<typeof Electron.Menu>;

const WORK_AREA = { x: 0, y: 0, width: 1920, height: 1080 };

export const screen = {
  getAllDisplays: () => [{ id: 1, workArea: WORK_AREA } as Electron.Display],
} satisfies Partial<Electron.Screen>;

let lastBlocker = 0;
const blockers = new Set<number>();

export const powerSaveBlocker = {
  start(_type: 'prevent-app-suspension' | 'prevent-display-sleep'): number {
    blockers.add(++lastBlocker);
    tellDriver({ type: 'awake', isAwake: true });
    return lastBlocker;
  },
  stop(id: number): boolean {
    const isGone = blockers.delete(id);
    tellDriver({ type: 'awake', isAwake: blockers.size > 0 });
    return isGone;
  },
} satisfies Partial<Electron.PowerSaveBlocker>;
