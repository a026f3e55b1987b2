import { EventEmitter } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepPlace, keptPlace, type WindowPlace } from '../../main/electron/window-place.ts';
import { freshFolder } from '../support/fresh-folder.ts';

const SCREEN = { x: 0, y: 0, width: 1920, height: 1080 };
const RIGHT = { x: 1920, y: 0, width: 1280, height: 1024 };

let folder: string;
let file: string;

beforeEach(() => {
  folder = freshFolder();
  file = join(folder, 'window.json');
});
afterEach(() => {
  vi.useRealTimers();
});

function kept(bounds: WindowPlace['bounds'], areas = [SCREEN], isMaximized = false): WindowPlace | null {
  writeFileSync(file, JSON.stringify({ bounds, isMaximized }));
  return keptPlace(file, areas);
}

describe('the stored place of a window', () => {
  it('is used if its screen still exists', () => {
    const bounds = { x: 2000, y: 40, width: 1100, height: 800 };
    expect(kept(bounds, [SCREEN, RIGHT], true)).toEqual({ bounds, isMaximized: true });
  });

  it('is dropped if its title bar is on no screen', () => {
    const bounds = { x: 2000, y: 40, width: 1100, height: 800 };
    expect(kept(bounds)).toBeNull();
    expect(kept({ ...bounds, x: 1900 })).toBeNull();
    expect(kept({ x: 100, y: 1075, width: 1100, height: 800 })).toBeNull();
    expect(kept({ x: 100, y: -20, width: 1100, height: 800 })).toBeNull();
    expect(kept({ x: -1000, y: 0, width: 1100, height: 800 })).not.toBeNull();
  });

  it('is no larger than its screen is now', () => {
    expect(kept({ x: 10, y: 10, width: 4000, height: 3000 })?.bounds).toEqual({
      x: 10,
      y: 10,
      width: 1920,
      height: 1080,
    });
  });

  it.each([
    '',
    '{',
    '[]',
    '{"bounds":{"x":0}}',
    '{"bounds":{"x":0,"y":0,"width":-5,"height":1e9},"isMaximized":false}',
  ])('is empty if its file is %j', (text) => {
    writeFileSync(file, text);
    expect(keptPlace(file, [SCREEN])).toBeNull();
  });

  it('is empty without a file', () => expect(keptPlace(file, [SCREEN])).toBeNull());
});

describe('a window', () => {
  const bounds = { x: 1, y: 2, width: 1030, height: 700 };
  const windowAt = (isMaximized: boolean) =>
    Object.assign(new EventEmitter(), { getNormalBounds: () => bounds, isMaximized: () => isMaximized });

  it('stores its place once, shortly after a move', () => {
    vi.useFakeTimers();
    const window = windowAt(false);
    keepPlace(window as never, file);
    window.emit('move');
    window.emit('resize');
    expect(existsSync(file)).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ bounds, isMaximized: false });
  });

  it('stores it on close, and closes even if that fails', () => {
    const window = windowAt(true);
    keepPlace(window as never, file);
    window.emit('close');
    expect(keptPlace(file, [SCREEN])).toEqual({ bounds, isMaximized: true });
    const other = windowAt(true);
    keepPlace(other as never, join(folder, 'missing', 'window.json'));
    expect(() => other.emit('close')).not.toThrow();
  });
});
