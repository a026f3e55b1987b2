import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MessagePort } from 'node:worker_threads';
import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron';
import type { Browser, Page } from 'playwright-core';
import { FakeWindow, type fakeElectron } from './fakes.ts';

type FakeSession = ReturnType<typeof fakeElectron>['trainerSession'];
type Handler = (request: { url: string; method: string }) => Promise<Response>;
type Guard = (request: { url: string }, answer: (decision: { cancel: boolean }) => void) => void;

/** Electron's API in the page for the preload script, and the way back for the shell. */
interface PageShell {
  port(channel: string): void;
  deliver(message: unknown): void;
}

/**
 * A stand-in for Electron's hidden window: a real page of Chromium. Its files come from the handler and
 * through the guard that the shell installed on the session, its preload script is the built one, its port
 * is the shell's. What it is not: Electron's process model, its own scheme, its context isolation.
 */
export async function chromiumWindows(browser: Browser, session: FakeSession) {
  const pages: Page[] = [];
  const refused: string[] = [];
  const allows = (url: string): boolean => {
    const guard: Guard = session.webRequest.onBeforeRequest.mock.calls[0]?.[0];
    let isAllowed = false;
    guard({ url }, ({ cancel }) => {
      isAllowed = !cancel;
    });
    if (!isAllowed) refused.push(url);
    return isAllowed;
  };
  const server = createServer(async ({ url: path = '/', method = 'GET' }, response) => {
    const url = `zigzag://trainer${path}`;
    const handler: Handler = session.protocol.handle.mock.calls[0]?.[1];
    if (!allows(url)) {
      response.destroy();
      return;
    }
    const answer = await handler({ url, method });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(new Uint8Array(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  class ChromiumWindow extends FakeWindow {
    #page: Page | null = null;

    constructor(options: BrowserWindowConstructorOptions) {
      super(options);
      this.webContents.postMessage.mockImplementation((channel, _message, [port]: [MessagePort]) => {
        void this.#connect(channel, port);
      });
    }

    override async open(address: string): Promise<void> {
      const page = await browser.newPage();
      this.#page = page;
      pages.push(page);
      page.on('crash', () => this.webContents.emit('render-process-gone', {}, { reason: 'crashed' }));
      page.on('close', () => this.emit('closed'));
      this.on('closed', () => void page.close().catch(() => undefined));
      await page.exposeFunction('closeWindow', () => this.destroy());
      await page.addInitScript(preloadIn(readFileSync(String(this.options.webPreferences?.preload), 'utf8')));
      await page.goto(address.replace('zigzag://trainer', origin));
      this.webContents.emit('did-finish-load');
    }

    async #connect(channel: string, port: MessagePort): Promise<void> {
      const page = this.#page;
      await page?.exposeFunction('toShell', (message: unknown) => port.postMessage(message));
      await page?.evaluate(
        (name) => (globalThis as unknown as { shell: PageShell }).shell.port(name),
        channel,
      );
      port.on('message', (message: unknown) => {
        const deliver = (sent: unknown) =>
          (globalThis as unknown as { shell: PageShell }).shell.deliver(sent);
        page?.evaluate(deliver, message).catch(() => undefined);
      });
    }
  }

  return {
    BrowserWindow: ChromiumWindow as unknown as typeof BrowserWindow,
    pages,
    refused,
    origin,
    close: () => server.close(),
  };
}

/** The preload script with a stand-in for `electron` and for the way of a port from the main process. */
function preloadIn(script: string): string {
  return `(() => {
    const listeners = new Map();
    const electron = { ipcRenderer: { once: (channel, listener) => listeners.set(channel, listener) } };
    let own;
    globalThis.shell = {
      port(channel) {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => globalThis.toShell(data);
        own = port1;
        listeners.get(channel)({ ports: [port2] });
      },
      deliver: (message) => own.postMessage(message),
    };
    // Electron lets every page close its window, Chromium only those that a page opened.
    globalThis.close = () => globalThis.closeWindow();
    // So that a test can take the GPU away.
    const { requestDevice } = globalThis.GPUAdapter?.prototype ?? {};
    if (requestDevice !== undefined) {
      GPUAdapter.prototype.requestDevice = async function (...wanted) {
        globalThis.gpu = await requestDevice.apply(this, wanted);
        return globalThis.gpu;
      };
    }
    ((require) => {
      ${script}
    })(() => electron);
  })();`;
}
