import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import NodeWebSocket from 'ws';
import { BRIDGE_NAME, PORT_MESSAGE } from '../../../app/contract/desktop.ts';
import { servePort } from '../../../main/host/carriers.ts';
import { createLabRouter } from '../../../main/host/router.ts';
import { serveLab } from '../../../main/serve/server.ts';
import { stubServices } from '../../main/support/stub-services.ts';

/** `connect.ts` keeps one connection a page, so every page of these tests loads it anew. */
async function freshPage() {
  vi.resetModules();
  return import('../../../app/contract/connect.ts');
}

beforeEach(() => {
  vi.stubGlobal('window', new EventTarget());
});
afterEach(() => vi.unstubAllGlobals());

/** What a page in a browser has, as far as the connection looks at it. */
function stubBrowser(address: string, storage: Map<string, string>) {
  const url = new URL(address);
  const replaceState = vi.fn();
  vi.stubGlobal('location', { href: address, host: url.host, protocol: url.protocol });
  vi.stubGlobal('history', { state: null, replaceState });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
  });
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
  it('takes the key from the address, keeps it for the tab and removes it from the address', async () => {
    const server = await serveLab({ services: stubServices({}), pageRoot: import.meta.dirname });
    const storage = new Map<string, string>();
    const { replaceState } = stubBrowser(`${server.url}#/compare`, storage);
    const page = await freshPage();
    const client = await page.connectLab();
    expect(await client.about()).toMatchObject({ carrier: 'test' });
    expect(String(replaceState.mock.calls[0]?.[2])).toBe(`${new URL(server.url).origin}/#/compare`);
    page.labConnection().close();

    const clean = stubBrowser(`${new URL(server.url).origin}/#/compare`, storage);
    const reloaded = await freshPage();
    await reloaded.connectLab();
    expect(clean.replaceState).not.toHaveBeenCalled();
    reloaded.labConnection().close();
    await server.close();
  });
});

describe('connectLab on the desktop', () => {
  it('asks the bridge for a port, believes messages of its own window alone, and asks again', async () => {
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
});

describe('styleNonce', () => {
  it.each([
    [{ nonce: 'abc' }, 'abc'],
    [null, ''],
  ])('reads %j', async (element, nonce) => {
    vi.stubGlobal('document', { querySelector: () => element });
    const { styleNonce } = await freshPage();
    expect(styleNonce()).toBe(nonce);
  });
});
