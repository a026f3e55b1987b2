import { EventEmitter } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import type { IpcMain } from 'electron';
import { describe, expect, it } from 'vitest';
import { createLabClient } from '../../app/contract/client.ts';
import { PORT_MESSAGE, PORT_REQUEST } from '../../app/contract/desktop.ts';
import { servePorts } from '../../main/electron/carrier.ts';
import { createLabRouter } from '../../main/host/router.ts';
import { endlessCompare, stubServices } from '../main/support/stub-services.ts';
import { FakeChannelClass, FakeContents, portRequest } from './fakes.ts';

const ASKED = { model: 'resnet18', batch: 1, strategies: ['regular'] };

function shell(services = stubServices({})) {
  const ipcMain = new EventEmitter();
  servePorts(ipcMain as unknown as IpcMain, FakeChannelClass, createLabRouter(services));
  /** Asks as a page of that address and returns the client over the port that came, if one came. */
  return (url: string | null, parent: object | null = null, sender = new FakeContents()) => {
    const { event, postMessage } = portRequest(url, parent, sender);
    ipcMain.emit(PORT_REQUEST, event);
    const [channel, , ports] = (postMessage.mock.calls[0] ?? []) as [string?, unknown?, MessagePort[]?];
    const port = ports?.[0];
    if (port === undefined) return { port, client: null };
    expect(channel).toBe(PORT_MESSAGE);
    const client = createLabClient({ port: port as unknown as globalThis.MessagePort });
    port.start();
    return { port, client };
  };
}

describe('servePorts', () => {
  it('serves the lab to its page', async () => {
    const { client, port } = shell()('zigzag://lab/');
    expect(await client?.about()).toMatchObject({ carrier: 'test' });
    port?.close();
  });

  it.each([
    ['another address', 'https://evil.example/', null],
    ['a frame inside the page', 'zigzag://lab/', {}],
    ['a frame that is gone', null, null],
  ])('gives nothing to %s', (_what, url, parent) => {
    expect(shell()(url, parent).port).toBeUndefined();
  });

  it.each(['render-process-gone', 'destroyed', 'another request'])(
    'ends the work of a page after %s',
    async (how) => {
      const { compare, ended } = endlessCompare();
      const ask = shell(stubServices({ compare }));
      const sender = new FakeContents();
      const { client } = ask('zigzag://lab/', null, sender);
      const run = async () => {
        for await (const _ of (await client?.compare(ASKED)) ?? []) {
          if (how === 'another request') ask('zigzag://lab/', null, sender).port?.close();
          else sender.emit(how);
        }
      };
      await expect(run()).rejects.toThrow();
      expect(await ended).toEqual({ aborted: true });
    },
  );
});
