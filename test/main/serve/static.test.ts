import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SESSION_PATH } from '../../../app/contract/socket.ts';
import { SessionKeys } from '../../../main/serve/keys.ts';
import { answerRequest } from '../../../main/serve/static.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

const SCRIPT = 'export const answer = 42; // ä';

const folder = freshFolder();
let server: Server;
let origin: string;
const keys = new SessionKeys(() => undefined);

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<head></head>');
  writeFileSync(join(folder, 'assets', 'index.js'), SCRIPT);
  server = createServer((request, response) => void answerRequest(folder, keys, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function ask(path: string, init: RequestInit = {}) {
  const answer = await fetch(origin + path, { redirect: 'manual', ...init });
  return { status: answer.status, text: await answer.text(), headers: Object.fromEntries(answer.headers) };
}

/** Headers of every answer. */
const GUARDED = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
/** An answer of one sentence, which nobody keeps and which can do nothing where it is shown. */
const SENTENCE = {
  ...GUARDED,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
};

it('the page has a strict policy and a new nonce for every response, and is never cached', async () => {
  const answers = [await ask('/'), await ask('/?token=whatever')];
  const [first, second] = answers.map(({ text }) => /property="csp-nonce" nonce="([^"]+)"/.exec(text)?.[1]);
  expect(first).toMatch(/^[A-Za-z0-9+/]{22}==$/);
  expect(first).not.toBe(second);
  const { headers } = answers[0] as (typeof answers)[0];
  expect(headers['content-security-policy']?.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    `style-src 'self' 'nonce-${first}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${origin.replace('http', 'ws')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  const type = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' };
  expect(headers).toMatchObject({ ...GUARDED, ...type });
  for (const name of ['etag', 'access-control-allow-origin']) expect(headers[name]).toBeUndefined();
});

describe('a file of the page', () => {
  it.each(['/assets/index.js', '/assets/index.js?v=1', '/assets/index.js?a#b'])(
    'is answered with its type and length, to be revalidated: %s',
    async (path) => {
      const { status, text, headers } = await ask(path);
      expect([status, text]).toEqual([200, SCRIPT]);
      expect(headers).toMatchObject({
        ...GUARDED,
        'content-type': 'text/javascript; charset=utf-8',
        'content-length': `${Buffer.byteLength(SCRIPT)}`,
        'cache-control': 'no-cache',
      });
      expect(headers['content-security-policy']).toContain(
        `connect-src 'self' ${origin.replace('http', 'ws')};`,
      );
    },
  );

  it('is not sent for a HEAD request', async () => {
    const { status, text, headers } = await ask('/', { method: 'HEAD' });
    expect([status, text]).toEqual([200, '']);
    expect(Number(headers['content-length'])).toBeGreaterThan('<head></head>'.length);
  });

  it('is sent once to a client that caches it, and its security headers every time', async () => {
    const { headers } = await ask('/assets/index.js');
    const known = await ask('/assets/index.js', { headers: { 'if-none-match': headers['etag'] ?? '' } });
    expect([known.status, known.text]).toEqual([304, '']);
    expect(known.headers).toMatchObject({ ...GUARDED, etag: headers['etag'], 'cache-control': 'no-cache' });
    expect(known.headers['content-security-policy']).toContain("default-src 'none';");
    const other = await ask('/assets/index.js', { headers: { 'if-none-match': '"other"' } });
    expect([other.status, other.text]).toEqual([200, SCRIPT]);
  });

  it('is sent in the best accepted encoding', async () => {
    writeFileSync(join(folder, 'long.js'), SCRIPT.repeat(100));
    const small = await ask('/long.js', { headers: { 'accept-encoding': 'gzip' } });
    expect(small.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(small.text).toBe(SCRIPT.repeat(100));
    const plain = await ask('/long.js', { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers['content-length']).toBe(`${100 * Buffer.byteLength(SCRIPT)}`);
  });

  it('that does not exist is refused in a sentence', async () => {
    const { status, text, headers } = await ask('/none.js');
    expect([status, text]).toEqual([404, 'Not found.\n']);
    expect(headers).toMatchObject({
      ...GUARDED,
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(headers['etag']).toBeUndefined();
  });
});

describe('a refused request', () => {
  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])(
    'with %s names the allowed methods',
    async (method) => {
      const { status, text, headers } = await ask('/', { method });
      expect([status, text]).toEqual([
        405,
        'this lab serves files; everything else goes over its WebSocket\n',
      ]);
      expect(headers).toMatchObject({ ...SENTENCE, allow: 'GET, HEAD' });
    },
  );

  it('names its origin as the reason, for any path', async () => {
    for (const path of ['/', SESSION_PATH]) {
      const { status, text, headers } = await ask(path, {
        method: 'POST',
        headers: { origin: 'http://evil.example' },
      });
      expect([status, text]).toEqual([403, 'this lab answers only its own page\n']);
      expect(headers).toMatchObject(SENTENCE);
    }
  });
});

describe('a key in a request', () => {
  const bring = (path: string, method = 'POST', key = keys.printed) =>
    ask(path, { method, headers: { origin, authorization: `Bearer ${key}` } });

  it('is exchanged at one path, without caching', async () => {
    for (const path of [SESSION_PATH, `${SESSION_PATH}?x=1`]) {
      const { status, text, headers } = await bring(path);
      expect([status, text]).toEqual([200, `${keys.exchange(keys.printed)}\n`]);
      expect(headers).toMatchObject(SENTENCE);
    }
  });

  it('is ignored at other paths and methods', async () => {
    expect((await bring(SESSION_PATH, 'GET')).status).toBe(404);
    expect((await bring(SESSION_PATH, 'PUT')).status).toBe(405);
    for (const path of ['/', `${SESSION_PATH}/`, `${SESSION_PATH}s`, `/?${SESSION_PATH}`]) {
      expect((await bring(path)).status).toBe(405);
    }
  });

  it('is refused in a sentence if invalid', async () => {
    const { status, text, headers } = await bring(SESSION_PATH, 'POST', '0'.repeat(32));
    expect([status, text]).toEqual([403, 'open the address that "zigzag serve" printed\n']);
    expect(headers).toMatchObject(SENTENCE);
  });
});
