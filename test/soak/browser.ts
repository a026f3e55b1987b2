import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import type { Tally } from './client.ts';

const VIEWS = [
  'compare?model=resnet18&batch=8&strategies=regular,optimal,live',
  'graph?model=tiny-unet',
  'limits?model=alexnet&strategies=regular,optimal',
  'train?model=tiny-residual&batch=2&strategies=regular,optimal',
  'tables',
  'learn',
];

export interface SoakPage {
  /** Bytes of the page's script after garbage was collected; null while it is loaded. */
  heapBytes(): number | null;
  close(): Promise<void>;
}

/** A real browser with one tab that goes from screen to screen and is loaded again all the time. */
export async function browse(
  executablePath: string,
  address: string,
  signal: AbortSignal,
  tally: Tally,
): Promise<SoakPage> {
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  const page = await browser.newPage();
  page.on('pageerror', ({ message }) => tally.faults.push(`page: ${message}`));
  const session = await page.context().newCDPSession(page);
  let heap: number | null = null;
  const going = (async () => {
    await page.goto(address);
    for (let round = 0; !signal.aborted; round++) {
      const view = VIEWS[round % VIEWS.length] ?? '';
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `#/${view}`);
      await page.locator('h1').first().waitFor();
      await pause(1000);
      await session.send('HeapProfiler.collectGarbage');
      heap = (await session.send('Runtime.getHeapUsage')).usedSize;
      if (round % 3 === 2) await page.reload();
      tally.done.set('show a screen', (tally.done.get('show a screen') ?? 0) + 1);
    }
  })().catch((error: unknown) => {
    if (!signal.aborted) tally.faults.push(`page: ${error instanceof Error ? error.message : error}`);
  });
  return {
    heapBytes: () => heap,
    async close() {
      await going;
      await browser.close();
    },
  };
}
