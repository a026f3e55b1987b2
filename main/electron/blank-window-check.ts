import type { App, BrowserWindow, NativeImage } from 'electron';
import type { LogFile } from './log-file.ts';
import { startAgain } from './start-again.ts';
import type { VulkanTrial } from './vulkan-trial.ts';

/** A loaded page is painted within a frame; a busy machine takes longer. */
const LIMIT_MS = 15_000;
const PAUSE_MS = 500;
/** Blank pictures after which the window counts as blank. */
const ENOUGH_LOOKS = 4;

/**
 * Watches a window painted with Vulkan until something shows on it. If nothing does, restarts the program without
 * Vulkan; nothing is lost, because nobody could use a blank window.
 */
export function checkForBlankWindow(
  window: Pick<BrowserWindow, 'isDestroyed' | 'webContents'>,
  trial: VulkanTrial,
  { app, log }: { app: Pick<App, 'on' | 'quit' | 'relaunch'>; log: LogFile },
  { limitMs = LIMIT_MS, pauseMs = PAUSE_MS } = {},
): void {
  if (!trial.isOn) return;
  const { webContents } = window;
  let looks = 0;
  let isOver = false;
  const end = (outcome: 'painted' | 'blank'): void => {
    isOver = true;
    trial.end(outcome);
  };
  app.on('will-quit', () => {
    if (isOver) return;
    if (looks >= ENOUGH_LOOKS) end('blank');
    else trial.forget();
  });
  const look = async (): Promise<void> => {
    const deadline = performance.now() + limitMs;
    while (!isOver && !window.isDestroyed()) {
      const left = deadline - performance.now();
      if (left <= 0) {
        end('blank');
        log.write(`Vulkan painted nothing: restarting without it (${trial.path})`);
        return startAgain(app);
      }
      const image = await within(webContents.capturePage(), left);
      if (isPainted(image)) return end('painted');
      if (image !== null) looks += 1;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  webContents.once('did-finish-load', () => void look());
}

/** Null if no picture can be taken. */
async function within(picture: Promise<NativeImage>, ms: number): Promise<NativeImage | null> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  try {
    return await Promise.race([picture.catch(() => null), tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

/** True if there are at least two colours. */
function isPainted(image: NativeImage | null): boolean {
  if (image === null || image.isEmpty()) return false;
  const bitmap = image.toBitmap();
  const first = bitmap.subarray(0, 4);
  for (let at = 4; at < bitmap.length; at += 4) {
    if (bitmap[at] !== first[0] || bitmap[at + 1] !== first[1] || bitmap[at + 2] !== first[2]) return true;
  }
  return false;
}
