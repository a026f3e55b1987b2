import { describe, expect, it, vi } from 'vitest';
import { dataFolderDialog, type MoveHistory } from '../../main/electron/data-folder.ts';
import type { DataFolder } from '../../main/history/folder.ts';

interface Asked {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

/** @param press the buttons of the dialogs, one after the other */
function dialogWith(now: DataFolder, press: readonly string[], chosen: readonly string[], move: MoveHistory) {
  const boxes: Asked[] = [];
  const showMessageBox = vi.fn(async (_window: unknown, asked: Asked) => {
    const button = press[boxes.length] ?? 'OK';
    boxes.push(asked);
    return { response: asked.buttons.indexOf(button), checkboxChecked: false };
  });
  const showOpenDialog = vi.fn(async () => ({ canceled: chosen.length === 0, filePaths: [...chosen] }));
  const openPath = vi.fn(async () => '');
  const tellAll = vi.fn();
  const choose = vi.fn();
  const open = dataFolderDialog({
    dialog: { showMessageBox, showOpenDialog } as never,
    shell: { openPath },
    windows: { show: () => ({ window: {} }), tellAll } as never,
    now: () => now,
    choose,
    move,
  });
  const done = async (count: number): Promise<Asked[]> => {
    open();
    open();
    await vi.waitFor(() => expect(boxes).toHaveLength(count));
    await new Promise(setImmediate);
    return boxes;
  };
  return { done, openPath, tellAll, choose, showOpenDialog };
}

const USUAL: DataFolder = { folder: '/usual', usual: '/usual', by: 'usual' };
const never: MoveHistory = () => Promise.reject(new Error('nobody asked for that'));

describe('the dialog of the data folder', () => {
  it('names the folder and opens it', async () => {
    const shown = dialogWith(USUAL, ['Show Folder'], [], never);
    const [asked] = await shown.done(1);
    expect(asked).toMatchObject({
      message: 'Runs are kept in /usual',
      buttons: ['Choose Another…', 'Show Folder', 'Close'],
    });
    expect(shown.openPath).toHaveBeenCalledWith('/usual');
  });

  it('leaves the choice to ZIGZAG_DATA if set', async () => {
    const named = dialogWith({ folder: '/own', usual: null, by: 'environment' }, ['Close'], [], never);
    const [asked] = await named.done(1);
    expect(asked?.detail).toMatch(/ZIGZAG_DATA sets this folder\. Unset it first/);
    expect(asked?.buttons).toEqual(['Show Folder', 'Close']);
  });

  it('changes nothing if none, or the same, is chosen', async () => {
    for (const chosen of [[], ['/usual']]) {
      const same = dialogWith(USUAL, ['Choose Another…'], chosen, never);
      await same.done(1);
      await vi.waitFor(() => expect(same.showOpenDialog).toHaveBeenCalledOnce());
      expect(same.choose).not.toHaveBeenCalled();
    }
  });

  it('switches to another, stores the choice, tells the pages, and reports on the runs', async () => {
    const move = vi.fn<MoveHistory>(async (_folder, remember) => {
      remember();
      return true;
    });
    const moved = dialogWith(USUAL, ['Choose Another…'], ['/other'], move);
    const [, told] = await moved.done(2);
    expect(told?.message).toBe('Runs are kept in /other from now on');
    expect(told?.detail).toMatch(
      /were copied there\. \/usual keeps its copy until you delete it\. Other labs/,
    );
    expect(moved.choose).toHaveBeenCalledWith('/usual', '/other');
    expect(moved.tellAll).toHaveBeenCalledWith({ kind: 'moved' });
  });

  it('returns to the default one', async () => {
    const move = vi.fn<MoveHistory>(async (_folder, remember) => {
      remember();
      return false;
    });
    const back = dialogWith(
      { folder: '/other', usual: '/usual', by: 'choice' },
      ['Use the Usual Folder'],
      [],
      move,
    );
    const [asked, told] = await back.done(2);
    expect(asked?.buttons).toContain('Use the Usual Folder');
    expect(back.choose).toHaveBeenCalledWith('/usual', '/usual');
    expect(told?.detail).toMatch(/^The runs in the new folder are shown. Those in \/other stay there\./);
  });

  it('says in one sentence why a folder cannot be used', async () => {
    const refused: MoveHistory = () =>
      Promise.reject(new Error('/other cannot be written by you; choose another'));
    const failed = dialogWith(USUAL, ['Choose Another…'], ['/other'], refused);
    const [, told] = await failed.done(2);
    expect(told).toMatchObject({
      message: 'Runs are still kept in /usual',
      detail: '/other cannot be written by you; choose another.',
    });
    expect(failed.choose).not.toHaveBeenCalled();
    expect(failed.tellAll).not.toHaveBeenCalled();
  });
});
