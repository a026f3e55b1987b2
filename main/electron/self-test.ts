import type { App, BrowserWindow } from 'electron';

/** Option that makes a packed program test itself. */
export const SELF_TEST = '--self-test';

const LIMIT_MS = 180_000;
const FAILED = 1;

/** Messages of a working page, in order. */
export interface SelfTested {
  readonly compared: string;
  readonly trained: string;
}

/**
 * Runs in the page and does what a user would: waits for the first comparison, trains the smallest network on wasm, and
 * returns the two headlines. Self-contained: the page has nothing of this module.
 *
 * @throws naming what did not come
 */
export async function useLab(): Promise<SelfTested> {
  const PATIENCE_MS = 60_000;
  const waitFor = async <T>(what: string, look: () => T | null | undefined | false): Promise<T> => {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
      const found = look();
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const shown = document.querySelector('h1')?.textContent ?? document.body.innerText.slice(0, 200);
    throw new Error(`${what} did not appear within a minute; the page shows: ${shown}`);
  };
  const headline = (pattern: RegExp) => () => {
    const text = document.querySelector('h1')?.textContent ?? '';
    return pattern.test(text) && text;
  };
  const named = (selector: string, text: string) => () =>
    [...document.querySelectorAll<HTMLElement>(selector)].find(
      (element) => element.textContent?.trim() === text,
    );

  const compared = await waitFor('a comparison', headline(/ fits? /));
  window.location.hash = '#/train?model=tiny-residual&batch=5&strategies=regular';
  const label = await waitFor('the choice of a backend', named('label', 'Backend'));
  document.getElementById((label as HTMLLabelElement).htmlFor)?.click();
  const option = await waitFor('WebAssembly', () =>
    [...document.querySelectorAll<HTMLElement>('[role="option"]')].find((element) =>
      element.textContent?.includes('WebAssembly'),
    ),
  );
  option.click();
  const start = await waitFor('Start', named('button', 'Start'));
  start.click();
  const trained = await waitFor('the end of a training', headline(/just as predicted, at every step\./));
  return { compared, trained };
}

/** Runs the self-test in a window's page, prints the outcome, and ends the program: with exit code 0 on success. */
export async function selfTest(
  app: Pick<App, 'exit'>,
  window: Pick<BrowserWindow, 'webContents'>,
  say: (line: string) => void = console.log,
  limitMs: number = LIMIT_MS,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no end within ${limitMs / 1000} seconds`)), limitMs);
  });
  try {
    const used: Promise<SelfTested> = window.webContents.executeJavaScript(`(${useLab.toString()})()`);
    const { compared, trained } = await Promise.race([used, late]);
    say(`self-test: ${compared}`);
    say(`self-test: ${trained}`);
    say('self-test: passed');
    app.exit(0);
  } catch (error) {
    say(`self-test: failed: ${error instanceof Error ? error.message : String(error)}`);
    app.exit(FAILED);
  } finally {
    clearTimeout(timer);
  }
}
