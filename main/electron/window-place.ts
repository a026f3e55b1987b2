import type { BrowserWindow, Rectangle } from 'electron';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/** Place of a window in device-independent pixels, and whether it was maximized. */
export interface WindowPlace {
  readonly bounds: Rectangle;
  readonly isMaximized: boolean;
}

const placeSchema = z.object({
  bounds: z.object({
    x: z.int(),
    y: z.int(),
    width: z.int().min(1).max(100_000),
    height: z.int().min(1).max(100_000),
  }),
  isMaximized: z.boolean(),
});

/** Part of the title bar that must be on a screen, so that the user can drag the window. */
const LEAST_SEEN = 80;
const TITLE_BAR = 32;
const SAVE_AFTER_MS = 500;

/**
 * The stored place if it is still visible: a screen may be gone or smaller.
 *
 * @param workAreas of the connected screens
 */
export function keptPlace(file: string, workAreas: readonly Rectangle[]): WindowPlace | null {
  let kept: WindowPlace;
  try {
    kept = placeSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
  const title = { ...kept.bounds, height: TITLE_BAR };
  const area = workAreas.find((candidate) => {
    const { width, height } = overlap(title, candidate);
    return width >= LEAST_SEEN && height >= TITLE_BAR / 2;
  });
  if (area === undefined) return null;
  const width = Math.min(kept.bounds.width, area.width);
  const height = Math.min(kept.bounds.height, area.height);
  return { ...kept, bounds: { ...kept.bounds, width, height } };
}

function overlap(a: Rectangle, b: Rectangle): { width: number; height: number } {
  return {
    width: Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
    height: Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y),
  };
}

type PlacedWindow = Pick<BrowserWindow, 'on' | 'getNormalBounds' | 'isMaximized'>;

/** Stores the place of a window as it moves. A failed write loses only the place. */
export function keepPlace(window: PlacedWindow, file: string): void {
  let timer: NodeJS.Timeout | undefined;
  const save = (): void => {
    clearTimeout(timer);
    const place: WindowPlace = { bounds: window.getNormalBounds(), isMaximized: window.isMaximized() };
    try {
      writeFileSync(`${file}.new`, JSON.stringify(place));
      renameSync(`${file}.new`, file);
    } catch {
      // The history reports a folder that cannot be written.
    }
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_AFTER_MS);
  };
  window.on('resize', soon);
  window.on('move', soon);
  window.on('maximize', soon);
  window.on('unmaximize', soon);
  window.on('close', save);
}
