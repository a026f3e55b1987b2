import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type WebSocket from 'ws';
import { createLabClient, failureOf, type LabClient } from '../../../app/contract/client.ts';
import { type LabServer, serveLab } from '../../../main/serve/server.ts';
import { openSocket, sessionOf } from '../support/carriers.ts';
import { stubServices } from '../support/stub-services.ts';
import * as raw from './raw.ts';
import { MAX_IMPORT_BYTES } from '../../../engine/exchange/read-limits.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

const LARGE = 'x'.repeat(4 << 20);
const CONNECTIONS = 12;
const PATIENCE = { timeout: 180_000, interval: 50 };

const folder = freshFolder();
let server: LabServer;
let url: URL;
let session: string;
const opened: Socket[] = [];

beforeAll(async () => {
  writeFileSync(join(folder, 'index.html'), '<head></head>');
  writeFileSync(join(folder, 'large.js'), LARGE);
  const limits = { headersMs: 200, requestMs: 400, checkMs: 50, connections: CONNECTIONS };
  server = await serveLab({ services: stubServices({}), pageRoot: folder, limits });
  url = new URL(server.url);
  session = (await vi.waitUntil(() => sessionOf(server.url), PATIENCE))!;
});

afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

afterAll(async () => {
  await server.close();
});

async function open(address = url): Promise<Socket> {
  const socket = await raw.open(address);
  socket.on('error', () => undefined);
  opened.push(socket);
  return socket;
}

/** The lab goes on: both the page and what it asks. A busy machine may need several tries within these limits. */
const isThere = (at = server): Promise<boolean> =>
  vi.waitUntil(() => answers(at).catch(() => false), PATIENCE);

async function answers(at: LabServer): Promise<boolean> {
  const client = await labClient(at);
  const [{ carrier }, page] = await Promise.all([client.lab.about(), fetch(new URL('/', at.url))]);
  await page.text();
  client.socket.terminate();
  return carrier === 'test' && page.ok;
}

async function labClient(at = server): Promise<{ lab: LabClient; socket: WebSocket }> {
  const socket = await openSocket(at);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return { lab: createLabClient({ websocket: socket as unknown as globalThis.WebSocket }), socket };
}

const closed = (socket: Socket): Promise<unknown> => raw.answerOf(socket);

describe('a slow connection', () => {
  it.each([
    ['says nothing', ''],
    ['never ends its first line', 'GET /'],
    ['never ends its headers', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: '],
  ])('is closed if it %s', async (_what, text) => {
    const socket = await open();
    socket.write(text);
    expect(await raw.answerOf(socket)).toMatch(/^(|HTTP\/1\.1 408 .*)/);
    expect(await isThere()).toBe(true);
  });

  it('is closed if it sends its headers byte by byte', async () => {
    const socket = await open();
    socket.write('GET / HTTP/1.1\r\nX-A: ');
    const drip = setInterval(() => socket.writable && socket.write('a'), 20);
    await closed(socket);
    clearInterval(drip);
    expect(await isThere()).toBe(true);
  });

  it('is closed if its announced body never comes', async () => {
    const socket = await open();
    const headers = { Host: url.host, Origin: url.origin, 'Content-Length': '1000000' };
    socket.write(raw.requestText('POST /session', headers));
    expect(await raw.answerOf(socket)).toMatch(/^HTTP\/1\.1 403/);
    expect(await isThere()).toBe(true);
  });

  it('is closed both ways when its upgrade was refused, though it does not end itself', async () => {
    const socket = await open();
    socket.write(raw.upgradeText(url, raw.protocolsOf('0'.repeat(32))));
    expect(await raw.answerOf(socket)).toMatch(/^HTTP\/1\.1 403/);
    await raw.refusedWrites(socket);
  });
});

it('many connections do not disturb existing ones, and free their places', async () => {
  const patient = { headersMs: 300_000, requestMs: 300_000, checkMs: 300_000, connections: CONNECTIONS };
  const lab = await serveLab({ services: stubServices({}), pageRoot: folder, limits: patient });
  const page = await labClient(lab);
  const address = new URL(lab.url);
  const others = await Promise.all(Array.from({ length: 3 * CONNECTIONS }, () => open(address)));
  await Promise.all(others.slice(CONNECTIONS).map(closed));
  expect((await page.lab.about()).carrier).toBe('test');
  for (const socket of others) socket.destroy();
  expect(await isThere(lab)).toBe(true);
  await lab.close();
});

it.each([
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['a line of nonsense', 'nonsense\r\n\r\n'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a header folded', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n evil\r\n\r\n'],
  [
    'two lengths',
    'POST /session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
  ],
  ['headers without end', `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'a'.repeat(1 << 17)}`],
  ['a tunnel', 'CONNECT evil.example:80 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
])('invalid HTTP is refused: %s', async (_what, text) => {
  const socket = await open();
  socket.write(Buffer.from(text, 'latin1'));
  expect(await raw.answerOf(socket)).toMatch(/^(|HTTP\/1\.1 4\d\d [\s\S]*)$/);
  expect(await isThere()).toBe(true);
});

describe('frames', () => {
  it.each<[string, () => Buffer, number]>([
    ['that announces a terabyte', () => raw.frame(0x81, Buffer.alloc(0), 2n ** 40n), 1009],
    ['that announces more than a number holds', () => raw.frame(0x81, Buffer.alloc(0), 2n ** 63n), 1009],
    ['that is not masked', () => raw.frame(0x81, Buffer.from('{}'), 2n, false), 1002],
    ['with a reserved bit', () => raw.frame(0xc1, Buffer.from('{}')), 1002],
    ['of an unknown kind', () => raw.frame(0x83, Buffer.from('{}')), 1002],
    ['that goes on with nothing', () => raw.frame(0x80, Buffer.from('{}')), 1002],
    ['of text that is no UTF-8', () => raw.frame(0x81, Buffer.from([0xc0, 0xae])), 1007],
    ['of a ping that is too long', () => raw.frame(0x89, Buffer.alloc(200)), 1002],
  ])('one %s ends its socket, not the lab', async (_what, bytes, code) => {
    const socket = await raw.openFrames(url, session);
    opened.push(socket);
    socket.write(bytes());
    expect(raw.closeCode(await raw.answerOf(socket))).toBe(code);
    expect(await isThere()).toBe(true);
  });

  it('of one message that never ends are dropped at the size of the largest', async () => {
    const socket = await raw.openFrames(url, session);
    opened.push(socket);
    socket.on('error', () => undefined);
    const part = Buffer.alloc(8 << 20, 'x');
    const ended = raw.answerOf(socket);
    for (let sent = 0; sent <= MAX_IMPORT_BYTES + 2 * part.length; sent += part.length) {
      socket.write(raw.frame(sent === 0 ? 0x01 : 0x00, part));
    }
    await ended;
    expect(await isThere()).toBe(true);
  });
});

describe('messages other than calls', () => {
  it.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['no JSON', 'compare'],
    ['null', 'null'],
    ['a number', '1e999'],
    ['a list of lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['a prototype', '{"i":"x","p":{"u":"/__proto__/constructor","b":{"__proto__":{"x":1}}}}'],
    ['a call that is not there', '{"i":"y","p":{"u":"/constructor"}}'],
    ['bytes', Buffer.from([0, 255, 0, 255])],
    ['zeros', Buffer.alloc(1 << 20)],
  ])('%s costs nothing', async (_what, message) => {
    const complain = vi.spyOn(console, 'error').mockReturnValue();
    const { lab, socket } = await labClient();
    socket.send(message);
    expect((await lab.about()).carrier).toBe('test');
    socket.terminate();
    complain.mockRestore();
  });

  it.each([
    ['a BigInt', { model: 'alexnet', batch: 8n, strategies: ['regular'] }, 'batch'],
    ['a date', { model: new Date(0), batch: 8, strategies: ['regular'] }, 'model'],
    ['no number', { model: 'alexnet', batch: Number.NaN, strategies: ['regular'] }, 'batch'],
    ['a map', new Map([['model', 'alexnet']]), 'model'],
  ])('%s in a call is refused in one sentence', async (_what, input, path) => {
    const { lab, socket } = await labClient();
    const failure = await lab.compare(input as never).then(() => null, failureOf);
    expect(failure).toMatchObject({ code: 'BAD_INPUT', path });
    expect(failure?.message).toMatch(/^[^\n]{8,300}$/);
    socket.terminate();
  });
});
