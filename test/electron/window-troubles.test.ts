import type { BrowserWindow, MessageBoxOptions } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { keepLoaded } from '../../main/electron/window-troubles.ts';
import { FakeWindow, fakeElectron, silentLog } from './fakes.ts';

type Answer = { response: number; checkboxChecked: boolean };

function kept() {
  const electron = fakeElectron();
  const asked: { options: MessageBoxOptions; press: (response: number) => void }[] = [];
  electron.dialog.showMessageBox.mockImplementation(((...args: unknown[]) => {
    const options = args.at(-1) as MessageBoxOptions;
    return new Promise<Answer>((resolve) => {
      asked.push({ options, press: (response) => resolve({ response, checkboxChecked: false }) });
      options.signal?.addEventListener('abort', () => resolve({ response: 0, checkboxChecked: false }));
    });
  }) as never);
  const window = new FakeWindow({});
  let now = 0;
  const { app, dialog } = electron.asElectron;
  const parts = { app, dialog, log: silentLog, now: () => now };
  keepLoaded(window as unknown as BrowserWindow, 'zigzag://lab/', parts);
  const die = (at: number, reason = 'crashed'): number => {
    now = at;
    window.webContents.emit('render-process-gone', {}, { reason, exitCode: 5 });
    return window.loadURL.mock.calls.length;
  };
  return { app: electron.app, window, asked, die };
}

describe('a page whose process ends', () => {
  it('is reloaded after a single crash', () => {
    const { die, asked } = kept();
    expect(die(1000)).toBe(2);
    expect(die(60_000, 'oom')).toBe(3);
    expect(die(90_000, 'clean-exit')).toBe(3);
    expect(asked).toEqual([]);
  });

  it('that crashes twice shows a dialog and offers a restart', async () => {
    const { die, asked, app } = kept();
    die(60_000);
    expect(die(61_000, 'oom')).toBe(2);
    expect(die(62_000, 'oom')).toBe(2);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.options).toMatchObject({
      message: 'The page of Zigzag stopped twice',
      detail: expect.stringMatching(/ran out of memory .*zigzag\.log\.$/),
      buttons: ['Start again', 'Quit'],
    });
    asked[0]?.press(0);
    await vi.waitFor(() => expect(app.quit).toHaveBeenCalledOnce());
    expect(app.relaunch).toHaveBeenCalledOnce();
  });

  it('ends the program if the user chooses so', async () => {
    const { die, asked, app } = kept();
    die(1000);
    die(2000);
    asked[0]?.press(1);
    await vi.waitFor(() => expect(app.quit).toHaveBeenCalledOnce());
    expect(app.relaunch).not.toHaveBeenCalled();
  });
});

it('a page that cannot be loaded is reported with its reason, unless another page replaced it', async () => {
  const electron = fakeElectron();
  const { app, dialog } = electron.asElectron;
  const window = new FakeWindow({});
  window.loadURL.mockRejectedValueOnce(new Error('ERR_FILE_NOT_FOUND (-6)'));
  keepLoaded(window as unknown as BrowserWindow, 'zigzag://lab/', { app, dialog, log: silentLog });
  await vi.waitFor(() => expect(electron.app.quit).toHaveBeenCalledOnce());
  expect(electron.dialog.showMessageBox.mock.calls[0]).toMatchObject([
    expect.anything(),
    {
      message: 'The page of Zigzag could not be loaded',
      detail: expect.stringContaining('ERR_FILE_NOT_FOUND'),
    },
  ]);
  window.loadURL.mockRejectedValueOnce(new Error('ERR_ABORTED (-3)'));
  keepLoaded(window as unknown as BrowserWindow, 'zigzag://lab/', { app, dialog, log: silentLog });
  await new Promise(setImmediate);
  expect(electron.dialog.showMessageBox).toHaveBeenCalledOnce();
});

describe('a page that does not respond', () => {
  it('is waited for; the question closes when it responds', async () => {
    const { window, asked } = kept();
    window.emit('unresponsive');
    window.emit('unresponsive');
    expect(asked.map(({ options }) => options.message)).toEqual(['Zigzag does not respond']);
    window.emit('responsive');
    await new Promise(setImmediate);
    expect(asked[0]?.options.signal?.aborted).toBe(true);
    expect(window.webContents.forcefullyCrashRenderer).not.toHaveBeenCalled();
    window.emit('unresponsive');
    expect(asked).toHaveLength(2);
  });

  it('is ended and reloaded on request, without another question', async () => {
    const { window, asked, die } = kept();
    die(1000);
    window.emit('unresponsive');
    asked[0]?.press(1);
    await vi.waitFor(() => expect(window.webContents.forcefullyCrashRenderer).toHaveBeenCalledOnce());
    expect(die(2000, 'killed')).toBe(3);
    expect(asked).toHaveLength(1);
  });
});
