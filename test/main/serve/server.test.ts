import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { MAX_IMPORT_BYTES } from '../../../app/contract/opened-file.ts';
import { SOCKET_PATH, SOCKET_PROTOCOL, TOKEN_PROTOCOL_PREFIX } from '../../../app/contract/socket.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { type LabServer, serveLab } from '../../../main/serve/server.ts';
import { openSocket } from '../support/carriers.ts';
import { stubServices } from '../support/stub-services.ts';

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
  server = await serveLab({ services: stubServices({}), pageRoot });
  url = new URL(server.url);
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
  });
}

const key = () => TOKEN_PROTOCOL_PREFIX + url.searchParams.get('token');

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
  ])('has nothing at %s', async (path) => {
    const { status, body } = await ask(path);
    expect(status).toBe(404);
    expect(body).not.toContain('secret');
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
    const socket = openSocket(server);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('open', () => socket.send(Buffer.alloc(MAX_IMPORT_BYTES + (2 << 20))));
    await closed;
    expect(await attempt([SOCKET_PROTOCOL, key()], { origin: url.origin })).toBe('open zigzag');
  });

  it('survives nonsense', async () => {
    const complain = vi.spyOn(console, 'error').mockReturnValue();
    const socket = openSocket(server);
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
    openSocket(first).on('error', () => undefined);
    await first.close();
    const second = await serveLab({ services: stubServices({}), pageRoot: folder, port });
    await second.close();
  });
});
