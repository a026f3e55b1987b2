import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserWindow, NativeImage } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { checkForBlankWindow } from '../../main/electron/blank-window-check.ts';
import { VulkanTrial } from '../../main/electron/vulkan-trial.ts';
import { FakeWindow, fakeElectron, picture, silentLog } from './fakes.ts';
import { freshFolder } from '../support/fresh-folder.ts';

let folder = '';
beforeEach(() => {
  folder = freshFolder();
});

const begin = (release = '45'): VulkanTrial => new VulkanTrial(join(folder, 'sub', 'vulkan.json'), release);

describe('a start with Vulkan', () => {
  it('is repeated after one that painted, and not after one that painted nothing', () => {
    begin().end('painted');
    const second = begin();
    expect(second.isOn).toBe(true);
    second.end('blank');
    expect(begin().isOn).toBe(false);
    expect(begin().isOn).toBe(false);
  });

  it('counts as blank without an outcome', () => {
    begin();
    expect(begin().isOn).toBe(false);
  });

  it('is forgotten if it ended too early', () => {
    begin().forget();
    expect(begin().isOn).toBe(true);
  });

  it('is tried again by another release', () => {
    begin('45').end('blank');
    expect(begin('46').isOn).toBe(true);
  });

  it('runs without Vulkan if no outcome can be written', () => {
    writeFileSync(join(folder, 'sub'), 'a file, no folder');
    expect(begin().isOn).toBe(false);
  });

  it('does not trust a file with other content', () => {
    begin();
    writeFileSync(join(folder, 'sub', 'vulkan.json'), '{"outcome":');
    expect(begin().isOn).toBe(true);
  });
});

describe('the judge of painting', () => {
  function judge(shades: readonly number[]) {
    const electron = fakeElectron();
    const window = new FakeWindow({});
    window.webContents.capturePage.mockImplementation(async () => picture(shades));
    const trial = begin();
    checkForBlankWindow(
      window as unknown as BrowserWindow,
      trial,
      { app: electron.asElectron.app, log: silentLog },
      { limitMs: 40, pauseMs: 1 },
    );
    return { app: electron.app, window, trial };
  }

  it('finds something painted, and the next start uses Vulkan', async () => {
    const { app, window } = judge([255, 0]);
    window.webContents.emit('did-finish-load');
    await vi.waitFor(() =>
      expect(readFileSync(join(folder, 'sub', 'vulkan.json'), 'utf8')).toContain('painted'),
    );
    expect(app.relaunch).not.toHaveBeenCalled();
    app.emit('will-quit');
    expect(existsSync(join(folder, 'sub', 'vulkan.json'))).toBe(true);
  });

  it.each([
    ['no picture at all', []],
    ['one colour', [255, 255, 255]],
  ])('restarts without Vulkan after %s', async (_what, shades) => {
    const { app, window } = judge(shades);
    window.webContents.emit('did-finish-load');
    await vi.waitFor(() => expect(app.relaunch).toHaveBeenCalledOnce());
    expect(app.quit).toHaveBeenCalledOnce();
    expect(begin().isOn).toBe(false);
  });

  it('waits for a slow picture', async () => {
    const { app, window } = judge([]);
    const late = new Promise<NativeImage>((resolve) => setTimeout(resolve, 10, picture([255, 0])));
    window.webContents.capturePage.mockReturnValue(late);
    window.webContents.emit('did-finish-load');
    await vi.waitFor(() =>
      expect(readFileSync(join(folder, 'sub', 'vulkan.json'), 'utf8')).toContain('painted'),
    );
    expect(app.relaunch).not.toHaveBeenCalled();
  });

  it('treats a picture that never comes as blank', async () => {
    const { app, window } = judge([]);
    window.webContents.capturePage.mockImplementation(() => new Promise(() => undefined));
    window.webContents.emit('did-finish-load');
    await vi.waitFor(() => expect(app.relaunch).toHaveBeenCalledOnce());
  });

  it('ignores a window that was closed before the first look', () => {
    const { app } = judge([]);
    app.emit('will-quit');
    expect(begin().isOn).toBe(true);
  });
});
