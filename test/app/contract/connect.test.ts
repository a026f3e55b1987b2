import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import NodeWebSocket from 'ws';
import { BRIDGE_NAME, PORT_MESSAGE } from '../../../app/contract/desktop.ts';
import { servePort } from '../../../main/host/carriers.ts';
import { createLabRouter } from '../../../main/host/router.ts';
import { serveLab } from '../../../main/serve/server.ts';
import { stubServices } from '../../main/support/stub-services.ts';

/** `connect.ts` keeps one connection a page, so every page of these tests loads it again. */
async function freshPage() {
  vi.resetModules();
  const { takeKey } = await import('../../../app/contract/session.ts');
  const page = await import('../../../app/contract/connect.ts');
  return { ...page, takeKey };
}

beforeEach(() => {
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', { querySelector: () => null });
});
afterEach(() => vi.unstubAllGlobals());

const storageOf = (values: Map<string, string>) => ({
  getItem: (key: string) => values.get(key) ?? null,
  setItem: (key: string, value: string) => values.set(key, value),
  removeItem: (key: string) => values.delete(key),
});

/** Parts of a browser's page that the connection reads. */
function stubBrowser(address: string, storage: Map<string, string>) {
  const url = new URL(address);
  const replaceState = vi.fn();
  vi.stubGlobal('location', { href: address, host: url.host, protocol: url.protocol });
  vi.stubGlobal('history', { state: null, replaceState });
  vi.stubGlobal('sessionStorage', storageOf(storage));
  vi.stubGlobal('localStorage', storageOf(new Map()));
  // As a browser does it: relative to the page, and with its origin.
  const ask = fetch;
  vi.stubGlobal('fetch', (path: string, { headers, ...init }: RequestInit) =>
    ask(new URL(path, url), {
      ...init,
      headers: { ...(headers as Record<string, string>), origin: url.origin },
    }),
  );
  vi.stubGlobal(
    'WebSocket',
    class extends NodeWebSocket {
      constructor(target: string, protocols: string[]) {
        super(target, protocols, { origin: url.origin });
      }
    },
  );
  return { replaceState };
}

describe('connectLab in a browser', () => {
  it.each(['printed', 'opened'] as const)(
    'removes the %s key from the address at once, exchanges it, and keeps the session key in the tab',
    async (kind) => {
      const server = await serveLab({ services: stubServices({}), pageRoot: import.meta.dirname });
      const address = kind === 'printed' ? server.url : server.urlForOnce();
      const { origin, searchParams } = new URL(address);
      const storage = new Map<string, string>();
      const { replaceState } = stubBrowser(`${address}#/compare`, storage);
      const page = await freshPage();
      page.takeKey();
      expect(String(replaceState.mock.calls[0]?.[2])).toBe(`${origin}/#/compare`);
      const client = await page.connectLab();
      expect(await client.about()).toMatchObject({ carrier: 'test' });
      expect([...storage.values()]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
      expect(storage.get('token')).not.toBe(searchParams.get('token'));
      page.labConnection().close();
      vi.unstubAllGlobals();

      vi.stubGlobal('window', new EventTarget());
      vi.stubGlobal('document', { querySelector: () => null });
      const clean = stubBrowser(`${origin}/#/compare`, storage);
      const reloaded = await freshPage();
      reloaded.takeKey();
      await reloaded.connectLab();
      expect(clean.replaceState).not.toHaveBeenCalled();
      reloaded.labConnection().close();
      await server.close();
    },
  );

  it('exchanges the key later if the lab does not answer at first', async () => {
    const server = await serveLab({ services: stubServices({}), pageRoot: import.meta.dirname });
    stubBrowser(server.url, new Map());
    const answering = fetch;
    const failing = vi
      .fn()
      .mockRejectedValueOnce(new TypeError('Failed to fetch'))
      .mockImplementation(answering);
    vi.stubGlobal('fetch', failing);
    const page = await freshPage();
    page.takeKey();
    await page.connectLab();
    expect(failing).toHaveBeenCalledTimes(2);
    page.labConnection().close();
    await server.close();
  });
});

it('connectLab on the desktop asks the bridge for a port, accepts messages of its own window only, and asks again', async () => {
  const router = createLabRouter(stubServices({}));
  const served: MessageChannel[] = [];
  const say = (data: unknown, source: unknown, port?: unknown): void => {
    const event = Object.assign(new Event('message'), {
      data,
      source,
      ports: port === undefined ? [] : [port],
    });
    window.dispatchEvent(event);
  };
  const requestPort = vi.fn(() => {
    const channel = new MessageChannel();
    served.push(channel);
    servePort(router, channel.port1);
    const foreign = new MessageChannel();
    say(PORT_MESSAGE, {}, foreign.port1);
    say('something else', window, foreign.port1);
    say(PORT_MESSAGE, window);
    foreign.port1.close();
    say(PORT_MESSAGE, window, channel.port2);
  });
  Object.assign(window, { [BRIDGE_NAME]: { requestPort } });
  const { connectLab, labConnection } = await freshPage();
  const client = await connectLab();
  expect(await client.about()).toMatchObject({ carrier: 'test' });

  served[0]?.port1.close();
  await vi.waitFor(() => expect(requestPort).toHaveBeenCalledTimes(2));
  expect(await client.about()).toMatchObject({ carrier: 'test' });
  labConnection().close();
});

it.each([
  [{ nonce: 'abc' }, 'abc'],
  [null, ''],
])('styleNonce reads %j', async (element, nonce) => {
  vi.stubGlobal('document', { querySelector: () => element });
  const { styleNonce } = await freshPage();
  expect(styleNonce()).toBe(nonce);
});
