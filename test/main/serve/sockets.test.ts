import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import {
  DEAF_CODE,
  SOCKET_PATH,
  SOCKET_PROTOCOL,
  TOKEN_PROTOCOL_PREFIX,
} from '../../../app/contract/socket.ts';
import { SessionKeys } from '../../../main/serve/keys.ts';
import { type AcceptedSockets, acceptSockets, MAX_QUEUED_BYTES } from '../../../main/serve/sockets.ts';
import * as raw from './raw.ts';

const PING_MS = 20_000;

let server: Server;
let accepted: AcceptedSockets;
let keys: SessionKeys;
const labs: WebSocket[] = [];
const pages: WebSocket[] = [];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  server = createServer();
  keys = new SessionKeys(() => undefined);
  accepted = acceptSockets(server, keys, (socket) => labs.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  for (const page of pages.splice(0)) page.terminate();
  accepted.close();
  labs.splice(0);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  vi.useRealTimers();
});

interface Ends {
  readonly page: WebSocket;
  readonly lab: WebSocket;
  readonly session: string;
  /** How the page was told that it is over. */
  readonly ended: Promise<{ readonly code: number; readonly reason: string }>;
}

async function connected(options: WebSocket.ClientOptions = {}): Promise<Ends> {
  const { host } = here();
  const session = freshSession();
  const page = new WebSocket(
    `ws://${host}${SOCKET_PATH}`,
    [SOCKET_PROTOCOL, TOKEN_PROTOCOL_PREFIX + session],
    { origin: `http://${host}`, ...options },
  );
  pages.push(page);
  const ended = new Promise<{ code: number; reason: string }>((resolve) =>
    page.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
  );
  await new Promise((resolve) => page.once('open', resolve));
  return { page, lab: labs.at(-1)!, session, ended };
}

const here = (): URL => new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
const freshSession = (): string => keys.exchange(keys.issueOnce()) ?? '';

/** The same with a page that is bytes, and ends nothing by itself. */
async function connectedRaw() {
  const socket = await raw.openFrames(here(), freshSession());
  socket.on('error', () => undefined);
  return { socket, lab: labs.at(-1)! };
}

const once = (socket: WebSocket, event: string) => new Promise((resolve) => socket.once(event, resolve));

describe('a peer of the lab', () => {
  it('that answers pings stays connected', async () => {
    const { page, lab } = await connected();
    for (let minute = 0; minute < 4; minute++) {
      const heard = [once(page, 'ping'), once(lab, 'pong')];
      vi.advanceTimersByTime(PING_MS);
      await Promise.all(heard);
    }
    expect([page.readyState, lab.readyState]).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
  });

  it('that does not answer a ping is dropped at the next, with the reason', async () => {
    const { page, lab, ended } = await connected({ autoPong: false });
    const pinged = once(page, 'ping');
    vi.advanceTimersByTime(PING_MS);
    await pinged;
    expect(lab.readyState).toBe(WebSocket.OPEN);
    vi.advanceTimersByTime(PING_MS);
    expect(await ended).toEqual({ code: DEAF_CODE, reason: 'this page did not answer' });
  });

  it('that never reads is dropped two seconds later, with its timers', async () => {
    const { page, lab } = await connected();
    page.pause();
    vi.advanceTimersByTime(2 * PING_MS);
    expect(lab.readyState).toBe(WebSocket.CLOSING);
    const gone = once(lab, 'close');
    vi.advanceTimersByTime(1999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(lab.readyState).toBe(WebSocket.CLOSING);
    vi.advanceTimersByTime(1);
    await gone;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('receives data up to the bound, and nothing after it is dropped', async () => {
    const { page, lab } = await connected();
    page.pause();
    const queued = vi.spyOn(lab, 'bufferedAmount', 'get');
    queued.mockReturnValue(MAX_QUEUED_BYTES);
    lab.send('the last');
    expect(lab.readyState).toBe(WebSocket.OPEN);
    queued.mockReturnValue(MAX_QUEUED_BYTES + 1);
    lab.send('beyond');
    expect(lab.readyState).toBe(WebSocket.CLOSING);
    // No error either: work that is not cancelled yet still answers.
    lab.send('after');
    queued.mockRestore();
    const heard: string[] = [];
    page.on('message', (data) => heard.push(String(data)));
    const ended = new Promise((resolve) =>
      page.on('close', (code, reason) => resolve([code, String(reason)])),
    );
    page.resume();
    expect(await ended).toEqual([DEAF_CODE, 'this page does not read: 64 MiB wait for it']);
    expect(heard).toEqual(['the last']);
  });

  it('is dropped with its session, and no other with it', async () => {
    const [one, two] = [await connected(), await connected()];
    const gone = once(one.page, 'close');
    accepted.drop(one.session);
    await gone;
    expect(two.page.readyState).toBe(WebSocket.OPEN);
    accepted.drop('another');
    expect(two.lab.readyState).toBe(WebSocket.OPEN);
  });

  it('is dropped at once, in both directions, if it sends an invalid message', async () => {
    const { lab, socket } = await connectedRaw();
    const gone = once(lab, 'close');
    socket.write(raw.frame(0x83, Buffer.from('{}')));
    expect(raw.closeCode(await raw.answerOf(socket))).toBe(1002);
    await gone;
    // A timer of the library's own would end it half a minute later.
    expect(lab.readyState).toBe(WebSocket.CLOSED);
    expect(vi.getTimerCount()).toBe(0);
  }, 10_000);

  it('leaves its session when it disconnects', async () => {
    const { page, lab, session } = await connected();
    const gone = once(lab, 'close');
    page.terminate();
    await gone;
    const again = vi.spyOn(lab, 'terminate');
    accepted.drop(session);
    expect(again).not.toHaveBeenCalled();
  });

  it('receives its messages uncompressed', async () => {
    const { page, lab } = await connected({ perMessageDeflate: true });
    expect([page.extensions, lab.extensions]).toEqual(['', '']);
    expect(page.protocol).toBe(SOCKET_PROTOCOL);
  });

  it('is dropped with all others when the lab ends, and no new one is accepted', async () => {
    const ends = [await connected(), await connected()];
    const gone = ends.map(({ page }) => once(page, 'close'));
    accepted.close();
    await Promise.all(gone);
    expect(ends.map(({ lab }) => lab.readyState)).toEqual([WebSocket.CLOSED, WebSocket.CLOSED]);
    const url = here();
    expect(await raw.statusOf(url, raw.upgradeText(url, raw.protocolsOf(freshSession())))).toMatch(
      /503|closed/,
    );
  });
});

describe('a peer that asks for a socket', () => {
  const answerTo = async (path: string, session: string): Promise<string> => {
    const socket = await raw.open(here());
    socket.on('error', () => undefined);
    socket.write(raw.upgradeText(here(), raw.protocolsOf(session), {}, path));
    const answer = await raw.answerOf(socket, (text) => text.startsWith('HTTP/1.1 101'));
    socket.destroy();
    return answer;
  };
  const refused = (status: string, sentence: string): string =>
    [
      `HTTP/1.1 ${status}`,
      'Connection: close',
      'Content-Type: text/plain; charset=utf-8',
      `Content-Length: ${sentence.length}`,
      '',
      sentence,
    ].join('\r\n');

  it('gets it at its path, with any query', async () => {
    for (const path of [SOCKET_PATH, `${SOCKET_PATH}?a`, `${SOCKET_PATH}?a?b`]) {
      expect(await answerTo(path, freshSession())).toMatch(/^HTTP\/1\.1 101 /);
    }
  });

  it('is told in a sentence about a wrong path or key', async () => {
    const nothing = refused('404 Not Found', 'there is no socket here\n');
    for (const path of ['/', `${SOCKET_PATH}/`, `${SOCKET_PATH}s`, `/?${SOCKET_PATH}`]) {
      expect(await answerTo(path, freshSession())).toBe(nothing);
    }
    const sentence = 'open the address that "zigzag serve" printed\n';
    expect(await answerTo(SOCKET_PATH, '0'.repeat(32))).toBe(refused('403 Forbidden', sentence));
    // Who may not come in learns of no path either.
    expect(await answerTo('/', '0'.repeat(32))).toBe(refused('403 Forbidden', sentence));
    expect(labs).toEqual([]);
  });

  it('and disconnects during the handshake costs nothing', async () => {
    const stream = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
    const request = { headers: {}, headersDistinct: {}, url: '/' };
    server.emit('upgrade', request, stream, Buffer.alloc(0));
    const closed = new Promise((resolve) => stream.on('close', resolve));
    expect(() => stream.emit('error', new Error('reset'))).not.toThrow();
    await closed;
    expect(stream.destroyed).toBe(true);
  });
});
