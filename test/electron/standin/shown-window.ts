import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { readPng } from '../../support/png.ts';
import { isolatedWorld, MAIN_WORLD, WORLD } from './page-scripts.ts';
import type { Executed, Picture, ToPage, WindowEvent } from './wire.ts';

const POLL_MS = 10;
const CRASH_AGAIN_MS = 1000;
/** A page whose isolated world does not come has none: what is for it is dropped. */
const POLLS = 500;

export interface WindowScripts {
  readonly world: string;
  readonly preload: string | null;
}

interface Identity {
  readonly id: number;
  readonly partition: string;
  readonly page: Page;
  /** True when the page is a test's own. */
  readonly isAdopted: boolean;
}

/** A window of the program with its page in Chromium. */
export class ShownWindow implements Identity {
  readonly id: number;
  readonly partition: string;
  readonly page: Page;
  readonly isAdopted: boolean;
  readonly #tell: (event: WindowEvent) => void;
  readonly #cdp: CDPSession;
  #world: number | undefined;
  readonly #waiting: ToPage[] = [];
  #sent: Promise<void> = Promise.resolve();
  #isClosing = false;
  #isCrashed = false;

  static async show(
    identity: Identity,
    scripts: WindowScripts,
    tell: (event: WindowEvent) => void,
  ): Promise<ShownWindow> {
    const { page } = identity;
    const shown = new ShownWindow(identity, await page.context().newCDPSession(page), tell);
    await shown.#prepare(scripts);
    return shown;
  }

  private constructor(
    { id, partition, page, isAdopted }: Identity,
    cdp: CDPSession,
    tell: (event: WindowEvent) => void,
  ) {
    this.id = id;
    this.partition = partition;
    this.page = page;
    this.isAdopted = isAdopted;
    this.#cdp = cdp;
    this.#tell = tell;
  }

  get isCrashed(): boolean {
    return this.#isCrashed;
  }

  get context(): BrowserContext {
    return this.page.context();
  }

  async load(url: string): Promise<void> {
    try {
      await this.page.goto(url);
      this.#tell({ type: 'loaded' });
    } catch (error) {
      this.#tell({ type: 'load-failed', error: (error as Error).message });
    }
  }

  /** In order: what was posted first arrives first, and what waits meanwhile goes together. */
  hear(message: ToPage): void {
    this.#waiting.push(message);
    if (this.#waiting.length > 1) return;
    this.#sent = this.#sent.then(() => {
      const messages = JSON.stringify(this.#waiting.splice(0));
      return this.#evaluate(`for (const message of ${messages}) hearShell(message)`);
    });
  }

  /** A page that just then takes its own picture need not heed it the first time. */
  crash(): void {
    if (this.#isCrashed || this.page.isClosed()) return;
    void this.#cdp.send('Page.crash').catch(() => undefined);
    setTimeout(() => this.crash(), CRASH_AGAIN_MS).unref();
  }

  /** Destroys the devices of WebGPU that the page has opened. */
  async loseGpu(): Promise<void> {
    await this.page.evaluate(() => document.dispatchEvent(new CustomEvent('standin:lose-gpu')));
  }

  /** For those that watch what happens to a window: the program hears it as Electron would say it. */
  tell(event: WindowEvent): void {
    this.#tell(event);
  }

  /** Null where there is no picture available: of a page that crashed meanwhile, say. */
  async capture(): Promise<Picture | null> {
    const shot = await this.#cdp.send('Page.captureScreenshot', { format: 'png' }).catch(() => null);
    if (shot === null) return null;
    const { data } = shot;
    const { width, height, rgba } = readPng(Buffer.from(data, 'base64'));
    return { width, height, bitmap: rgba };
  }

  async go(by: number): Promise<void> {
    await this.page.evaluate((steps) => window.history.go(steps), by).catch(() => undefined);
  }

  /** Runs in the page's own world. */
  async execute(expression: string): Promise<Executed> {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const done = await this.#cdp.send('Runtime.evaluate', asked).catch((error: Error) => error);
    if (done instanceof Error) return { error: done.message };
    const { exceptionDetails, result } = done;
    if (exceptionDetails === undefined) return { value: result.value };
    return { error: exceptionDetails.exception?.description?.split('\n')[0] ?? exceptionDetails.text };
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.page
      .context()
      .close()
      .catch(() => undefined);
  }

  async #prepare({ world, preload }: WindowScripts): Promise<void> {
    const cdp = this.#cdp;
    cdp.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name === WORLD && context.auxData?.['type'] === 'isolated') this.#world = context.id;
    });
    cdp.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      if (this.#world === executionContextId) this.#world = undefined;
    });
    cdp.on('Runtime.executionContextsCleared', () => {
      this.#world = undefined;
    });
    cdp.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === 'toShell') this.#tell({ type: 'page', said: JSON.parse(payload) });
    });
    cdp.on('Page.frameNavigated', ({ frame }) => {
      const url = frame.url + (frame.urlFragment ?? '');
      if (frame.parentId === undefined) this.#tell({ type: 'navigated', url, sameDocument: false });
    });
    cdp.on('Page.navigatedWithinDocument', ({ url }) =>
      this.#tell({ type: 'navigated', url, sameDocument: true }),
    );
    await cdp.send('Runtime.enable');
    await cdp.send('Page.enable');
    await cdp.send('Runtime.addBinding', { name: 'toShell', executionContextName: WORLD });
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: MAIN_WORLD });
    const source = isolatedWorld(world, preload);
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD });
    this.page.on('crash', () => {
      this.#isCrashed = true;
      this.#tell({ type: 'gone', reason: 'crashed' });
    });
    this.page.on('close', () => {
      if (!this.#isClosing && !this.#isCrashed) this.#tell({ type: 'closed' });
    });
    // Electron asks before there is another window; Chromium has made it by then.
    cdp.on('Page.windowOpen', ({ url }) => this.#tell({ type: 'window-open', url }));
    this.page.on('popup', (popup) => void popup.close().catch(() => undefined));
  }

  async #evaluate(expression: string): Promise<void> {
    for (let polls = 0; polls < POLLS && this.#world === undefined; polls++) {
      if (this.#isCrashed || this.page.isClosed()) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    const contextId = this.#world;
    if (contextId === undefined) return;
    const done = await this.#cdp.send('Runtime.evaluate', { expression, contextId }).catch(() => null);
    const fault = done?.exceptionDetails?.exception?.description;
    if (fault !== undefined) process.stderr.write(`in a window: ${fault}\n`);
  }
}
