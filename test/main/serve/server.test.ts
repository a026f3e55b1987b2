import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { createLabClient } from '../../../app/contract/client.ts';
import {
  DEAF_CODE,
  SOCKET_PATH,
  SOCKET_PROTOCOL,
  TOKEN_PROTOCOL_PREFIX,
} from '../../../app/contract/socket.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { type LabServer, serveLab } from '../../../main/serve/server.ts';
import { MOST_QUEUED_BYTES } from '../../../main/serve/sockets.ts';
import { openSocket, sessionOf } from '../support/carriers.ts';
import { stubServices } from '../support/stub-services.ts';
import { MAX_IMPORT_BYTES } from '../../../engine/exchange/read-limits.ts';

let folder: string;
let server: LabServer;
let url: URL;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zigzag-page-'));
  const pageRoot = join(folder, 'renderer');
  mkdirSync(join(pageRoot, 'assets'), { recursive: true });
  writeFileSync(join(pageRoot, 'index.html'), '<!doctype html><html><head><title>t</title></head></html>');
  writeFileSync(join(pageRoot, 'assets', 'index.js'), 'export {};');
  writeFileSync(join(pageRoot, '.hidden.json'), '{}');
  writeFileSync(join(folder, 'secret.json'), '{"secret":true}');
  mkdirSync(join(folder, 'renderer-old'));
  writeFileSync(join(folder, 'renderer-old', 'secret.json'), '{"secret":true}');
  symlinkSync(join(folder, 'secret.json'), join(pageRoot, 'linked.json'));
  symlinkSync(folder, join(pageRoot, 'up'), 'dir');
  symlinkSync(join(folder, 'renderer-old'), join(pageRoot, 'assets', 'old'), 'dir');
  symlinkSync(join(pageRoot, 'assets', 'index.js'), join(pageRoot, 'own.js'));
  // The folder of the page may be a link itself, as of an installed package.
  symlinkSync(pageRoot, join(folder, 'page'), 'dir');
  server = await serveLab({ services: stubServices({}), pageRoot: join(folder, 'page') });
  url = new URL(server.url);
  session = await sessionOf(server.url);
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request exactly as written: no client tidies the path up or sets headers on its own. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: url.port, path, method, headers: { host: url.host, ...headers } },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => {
          body += text;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      },
    );
    sent.on('error', reject).end();
  });
}

/** How an attempt to open a WebSocket ends: `open`, or the status of the refusal. */
function attempt(protocols: string[], headers: Record<string, string>, path = SOCKET_PATH): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${url.port}${path}`, protocols, { headers });
    socket.on('open', () => {
      resolve(`open ${socket.protocol}`);
      socket.terminate();
    });
    socket.on('unexpected-response', (_request, response) => {
      resolve(String(response.statusCode));
      socket.terminate();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve('closed'));
  });
}

let session: string | null;
const key = () => TOKEN_PROTOCOL_PREFIX + session;

describe('the page over HTTP', () => {
  it('is served with a strict policy and a nonce of its own for every response', async () => {
    const first = await ask('/');
    const second = await ask('/?token=whatever');
    expect(first.status).toBe(200);
    expect(first.headers['content-type']).toBe('text/html; charset=utf-8');
    const nonces = [first, second].map(({ body }) => /property="csp-nonce" nonce="([^"]+)"/.exec(body)?.[1]);
    expect(nonces[0]).toMatch(/^[A-Za-z0-9+/]{22}==$/);
    expect(nonces[0]).not.toBe(nonces[1]);
    expect(String(first.headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "worker-src 'self'",
      `style-src 'self' 'nonce-${nonces[0]}'`,
      "img-src 'self' data: blob:",
      "font-src 'self'",
      `connect-src 'self' ws://${url.host}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(first.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it('brings its scripts with their type', async () => {
    const { status, headers, body } = await ask('/assets/index.js');
    expect([status, headers['content-type'], body]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'export {};',
    ]);
  });

  it.each([
    '/../secret.json',
    '/assets/../../secret.json',
    '/%2e%2e/secret.json',
    '/..%2fsecret.json',
    '/..%5csecret.json',
    '/%2e%2e%2frenderer-old/secret.json',
    '//etc/passwd',
    '/.hidden.json',
    '/%00index.html',
    '/%zz',
    '/nothing.js',
    '/assets',
    '/assets/',
    '/linked.json',
    '/up/secret.json',
    '/up/renderer/../secret.json',
    '/assets/old/secret.json',
  ])('has nothing at %s', async (path) => {
    const { status, body } = await ask(path);
    expect(status).toBe(404);
    expect(body).not.toContain('secret');
  });

  it('follows a link to a file of its own', async () => {
    expect(await ask('/own.js')).toMatchObject({ status: 200, body: 'export {};' });
  });

  it.each([
    'evil.example',
    'evil.example:80',
    '127.0.0.1.evil.example',
    '0.0.0.0',
    '[::1]',
    '127.0.0.1:1; x',
  ])('is refused to the host %s', async (host) => {
    const { status, body } = await ask('/', { host });
    expect([status, body]).toEqual([403, 'this lab answers on 127.0.0.1 and localhost only\n']);
  });

  it.each(['http://evil.example', 'null', 'https://127.0.0.1', 'http://127.0.0.1:1'])(
    'is refused to the origin %s',
    async (origin) => {
      expect((await ask('/', { origin })).status).toBe(403);
    },
  );

  it('is served through a forwarded port', async () => {
    expect((await ask('/', { host: 'localhost:9999', origin: 'http://localhost:9999' })).status).toBe(200);
  });

  it('answers GET and HEAD only', async () => {
    expect((await ask('/', {}, 'HEAD')).body).toBe('');
    expect((await ask('/', {}, 'POST')).status).toBe(405);
    expect((await ask('/', {}, 'OPTIONS')).headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('the WebSocket', () => {
  it('opens for the page with the key', async () => {
    expect(await attempt([SOCKET_PROTOCOL, key()], { origin: url.origin })).toBe('open zigzag');
  });

  it.each([
    ['no key', () => [SOCKET_PROTOCOL], () => ({ origin: url.origin })],
    [
      'a wrong key',
      () => [SOCKET_PROTOCOL, `${TOKEN_PROTOCOL_PREFIX}${'0'.repeat(32)}`],
      () => ({ origin: url.origin }),
    ],
    ['half a key', () => [SOCKET_PROTOCOL, key().slice(0, -1)], () => ({ origin: url.origin })],
    ['no origin', () => [SOCKET_PROTOCOL, key()], () => ({})],
    ['a foreign origin', () => [SOCKET_PROTOCOL, key()], () => ({ origin: 'http://evil.example' })],
    ['a foreign port', () => [SOCKET_PROTOCOL, key()], () => ({ origin: 'http://127.0.0.1:1' })],
    [
      'a rebound host',
      () => [SOCKET_PROTOCOL, key()],
      () => ({ host: 'evil.example', origin: 'http://evil.example' }),
    ],
  ])('is refused with %s', async (_what, protocols, headers) => {
    expect(await attempt(protocols(), headers() as Record<string, string>)).toBe('403');
  });

  it('is at one path', async () => {
    expect(await attempt([SOCKET_PROTOCOL, key()], { origin: url.origin }, '/other')).toBe('404');
  });

  it('drops a peer that sends too much, and goes on', async () => {
    const socket = await openSocket(server);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('open', () => socket.send(Buffer.alloc(MAX_IMPORT_BYTES + (2 << 20))));
    await closed;
    expect(await attempt([SOCKET_PROTOCOL, key()], { origin: url.origin })).toBe('open zigzag');
  });

  it('survives nonsense', async () => {
    const complain = vi.spyOn(console, 'error').mockReturnValue();
    const socket = await openSocket(server);
    await new Promise((resolve) => socket.on('open', resolve));
    socket.send('nonsense');
    socket.send(Buffer.from([1, 2, 3]));
    socket.send('{"i":"1","p":{"u":"/about/../nothing"}}');
    // Its answer comes after all that was sent before it.
    socket.ping();
    await new Promise((resolve) => socket.on('pong', resolve));
    socket.terminate();
    complain.mockRestore();
    expect((await ask('/')).status).toBe(200);
  });
});

/** The raw answer to the exchange of a key with headers as they are given; an own page's by default. */
function exchange(token: string | null, headers: Record<string, string> = { origin: url.origin }) {
  const key: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  return ask('/session', { ...key, ...headers }, 'POST');
}

const keyOf = (address: string): string => new URL(address).searchParams.get('token') ?? '';

describe('the exchange of keys', () => {
  it('gives a session key for the printed one, again and again, which nobody may keep', async () => {
    const answers = [await exchange(keyOf(server.url)), await exchange(keyOf(server.url))];
    for (const { status, body, headers } of answers) {
      expect([status, body]).toEqual([200, `${session}\n`]);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['set-cookie']).toBeUndefined();
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(session).not.toBe(keyOf(server.url));
  });

  it('does not open a WebSocket by a key that is still to be exchanged', async () => {
    for (const address of [server.url, server.urlForOnce()]) {
      const protocols = [SOCKET_PROTOCOL, TOKEN_PROTOCOL_PREFIX + keyOf(address)];
      expect(await attempt(protocols, { origin: url.origin })).toBe('403');
    }
  });

  it('gives a session key for one that was opened once; the second drops the first', async () => {
    const key = keyOf(server.urlForOnce());
    const first = await exchange(key);
    expect(first.status).toBe(200);
    const protocols = [SOCKET_PROTOCOL, TOKEN_PROTOCOL_PREFIX + first.body.trim()];
    const thief = new WebSocket(`ws://${url.host}${SOCKET_PATH}`, protocols, { origin: url.origin });
    const closed = new Promise((resolve) => thief.on('close', resolve));
    await new Promise((resolve) => thief.on('open', resolve));
    const second = await exchange(key);
    expect([second.status, second.body]).toEqual([403, 'open the address that "zigzag serve" printed\n']);
    await closed;
    expect(await attempt(protocols, { origin: url.origin })).toBe('403');
    expect(
      await attempt([SOCKET_PROTOCOL, `${TOKEN_PROTOCOL_PREFIX}${session}`], { origin: url.origin }),
    ).toBe('open zigzag');
  });

  it.each<[string, (key: string) => [string | null, Record<string, string>?]]>([
    ['no key', () => [null]],
    ['a guess', () => ['0'.repeat(32)]],
    ['half a key', (key) => [key.slice(0, 16)]],
    ['two keys', (key) => [`${key} ${key}`]],
    ['a key of another scheme', (key) => [null, { origin: url.origin, authorization: `Basic ${key}` }]],
    ['a key in a cookie', (key) => [null, { origin: url.origin, cookie: `token=${key}` }]],
    ['no origin', (key) => [key, {}]],
    ['a foreign origin', (key) => [key, { origin: 'http://evil.example' }]],
    ['an origin that starts alike', (key) => [key, { origin: `${url.origin}0` }]],
    ['no page for an origin', (key) => [key, { origin: 'null' }]],
    ['a foreign port', (key) => [key, { origin: 'http://127.0.0.1:1' }]],
    ['a rebound host', (key) => [key, { host: 'evil.example', origin: 'http://evil.example' }]],
  ])('is refused with %s, and the key stays good', async (_what, attack) => {
    const key = keyOf(server.urlForOnce());
    const { status, body } = await exchange(...attack(key));
    expect(status).toBe(403);
    expect(body).not.toMatch(/[0-9a-f]{16}/);
    expect((await exchange(key)).status).toBe(200);
  });

  it('is nothing that a link or a picture can ask for', async () => {
    const headers = { origin: url.origin, authorization: `Bearer ${keyOf(server.url)}` };
    expect((await ask('/session', headers)).status).toBe(404);
    expect((await ask('/session', headers, 'PUT')).status).toBe(405);
    expect((await ask('/sessions', headers, 'POST')).status).toBe(405);
  });
});

describe('a page that does not read', () => {
  it('is dropped with a reason before what waits for it fills the lab', async () => {
    const megabytes = 'x'.repeat(4 << 20);
    let answered = 0;
    const exportFile = async () => {
      answered += 1;
      return { text: megabytes, name: 'x', type: 'text/plain', notes: [] } as never;
    };
    const lab = await serveLab({ services: stubServices({ exportFile }), pageRoot: folder });
    const socket = await openSocket(lab);
    const ended = new Promise<{ code: number; reason: string }>((resolve) =>
      socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
    );
    await new Promise((resolve) => socket.on('open', resolve));
    const client = createLabClient({ websocket: socket as unknown as globalThis.WebSocket });
    socket.pause();
    const most = MOST_QUEUED_BYTES / megabytes.length;
    const request = {
      experiment: { model: 'chain-4', batch: 1, strategies: ['regular'] },
      strategy: 'regular',
      form: 'plan' as const,
    };
    const asked = Array.from({ length: 4 * most }, () => client.exportFile(request).catch(() => 'dropped'));
    await vi.waitUntil(() => answered === asked.length);
    socket.resume();
    const { code, reason } = await ended;
    expect([DEAF_CODE, 1006]).toContain(code);
    // It was told with what it had read in the two seconds before its connection was cut, if it came to that.
    if (code === DEAF_CODE) expect(reason).toMatch(/^this page does not read: \d+ MiB wait for it$/);
    const got = (await Promise.all(asked)).filter((one) => one !== 'dropped').length;
    // The system's own buffers of a connection hold some besides.
    expect(got).toBeLessThan(2 * most);
    if (code === DEAF_CODE) expect(got).toBeGreaterThan(0);
    await lab.close();
  });
});

describe('the port', () => {
  it('listens on the loopback interface alone', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal);
    for (const { address } of others) {
      await expect(fetch(`http://${address}:${url.port}/`)).rejects.toThrow();
    }
    expect(url.hostname).toBe('127.0.0.1');
  });

  it('says in one sentence that it is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.on('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const taken = serveLab({ services: stubServices({}), pageRoot: folder, port });
    await expect(taken).rejects.toThrow(BadInputError);
    await expect(taken).rejects.toThrow(`port ${port} is in use; choose another with --port or leave it out`);
    other.close();
  });

  it.each([-1, 1.5, 65536, Number.NaN])('refuses %s', async (port) => {
    const refused = serveLab({ services: stubServices({}), pageRoot: folder, port });
    await expect(refused).rejects.toThrow(`--port: expected a whole number from 0 to 65535, got ${port}`);
  });

  it('is free again after close', async () => {
    const first = await serveLab({ services: stubServices({}), pageRoot: folder });
    const port = Number(new URL(first.url).port);
    (await openSocket(first)).on('error', () => undefined);
    await first.close();
    const second = await serveLab({ services: stubServices({}), pageRoot: folder, port });
    await second.close();
  });
});
