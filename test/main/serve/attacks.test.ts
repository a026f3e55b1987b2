import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type LabServer, serveLab } from '../../../main/serve/server.ts';
import { sessionOf } from '../support/carriers.ts';
import { stubServices } from '../support/stub-services.ts';
import { answerOf, open, protocolsOf, requestText, statusOf, upgradeText } from './raw.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

const folder = freshFolder();
let server: LabServer;
let url: URL;
let session: string;

beforeAll(async () => {
  const pageRoot = join(folder, 'page');
  mkdirSync(join(pageRoot, 'assets'), { recursive: true });
  writeFileSync(join(pageRoot, 'index.html'), '<head></head>');
  writeFileSync(join(folder, 'secret.json'), '{"secret":true}');
  writeFileSync(join(pageRoot, '.hidden.json'), '{"secret":true}');
  writeFileSync(join(pageRoot, 'own.json'), '{"own":true}');
  mkdirSync(join(folder, 'page-old'));
  writeFileSync(join(folder, 'page-old', 'secret.json'), '{"secret":true}');
  symlinkSync('own.json', join(pageRoot, 'link-to-own.json'));
  symlinkSync(folder, join(pageRoot, 'up'), 'dir');
  symlinkSync(join(folder, 'page-old'), join(pageRoot, 'assets', 'old'), 'dir');
  // The folder of the page may be a link itself, as of an installed package.
  symlinkSync(pageRoot, join(folder, 'linked'), 'dir');
  symlinkSync('../../secret.json', join(pageRoot, 'assets', 'relative.json'));
  symlinkSync('/proc/self/environ', join(pageRoot, 'environ.json'));
  symlinkSync('loop.json', join(pageRoot, 'loop.json'));
  server = await serveLab({ services: stubServices({}), pageRoot: join(folder, 'linked') });
  url = new URL(server.url);
  session = (await sessionOf(server.url)) ?? '';
});

afterAll(async () => {
  await server.close();
});

const printed = (): string => url.searchParams.get('token') ?? '';

/** The three ways in, each with the right key. */
const DOORS = {
  page: (headers: Record<string, string>) => requestText('GET /', { Host: url.host, ...headers }),
  session: (headers: Record<string, string>) =>
    requestText('POST /session', {
      Host: url.host,
      Origin: url.origin,
      Authorization: `Bearer ${printed()}`,
      'Content-Length': '0',
      ...headers,
    }),
  socket: (headers: Record<string, string>) => upgradeText(url, protocolsOf(session), headers),
};

const OPEN = { page: '200', session: '200', socket: '101' };

async function doors(headers: Record<string, string>): Promise<Record<string, string>> {
  const statuses = Object.entries(DOORS).map(
    async ([name, text]) => [name, await statusOf(url, text(headers))] as const,
  );
  return Object.fromEntries(await Promise.all(statuses));
}

const SHUT = { page: '403', session: '403', socket: '403' };

describe('every endpoint', () => {
  it('accepts our page’s requests', async () => {
    expect(await doors({})).toEqual(OPEN);
  });

  // Each spelling of a host is tried on the guard itself.
  it.each(['evil.example', '127.0.0.1.evil.example', '127.0.0.1:80@evil.example', '0.0.0.0', '[::1]', ''])(
    'refuses a page after DNS rebinding: %j',
    async (Host) => {
      // Such a page is its own origin, as it should be.
      expect(await doors({ Host, Origin: `http://${Host}` })).toEqual(SHUT);
    },
  );

  it.each(['http://evil.example', 'http://127.0.0.1:1', 'null', 'file://', ''])(
    'refuses the foreign origin %j',
    async (Origin) => {
      expect(await doors({ Origin })).toEqual(SHUT);
    },
  );

  it.each([
    ['another', 'evil.example'],
    ['the same', null],
  ])('refuses a request with a second Host, %s', async (_name, second) => {
    const twice = (text: string): string => text.replace('\r\n', `\r\nHost: ${second ?? url.host}\r\n`);
    const after = (text: string): string =>
      text.replace('\r\n\r\n', `\r\nHost: ${second ?? url.host}\r\n\r\n`);
    for (const text of Object.values(DOORS))
      for (const doubled of [twice, after])
        expect(await statusOf(url, doubled(text({})))).toMatch(/^40[03]$/);
  });

  it('looks at the Host, not at an address in the request line', async () => {
    expect(await statusOf(url, requestText('GET http://127.0.0.1/', { Host: 'evil.example' }))).toBe('403');
    expect(await statusOf(url, requestText('GET http://evil.example/secret.json', { Host: url.host }))).toBe(
      '404',
    );
  });

  it('refuses a request without a Host', async () => {
    expect(await statusOf(url, requestText('GET /', {}))).toBe('400');
    expect(await statusOf(url, 'GET / HTTP/1.0\r\n\r\n')).toBe('403');
  });
});

describe('a key', () => {
  const half = 16;
  it.each<[string, (key: string) => string]>([
    ['a guess', () => 'f'.repeat(32)],
    ['nothing', () => ''],
    ['one byte', (key) => key.slice(0, 2)],
    ['two bytes', (key) => key.slice(0, 4)],
    ['its first half', (key) => key.slice(0, half)],
    ['its last half', (key) => key.slice(half)],
    ['all but the last digit', (key) => key.slice(0, -1)],
    ['a digit more', (key) => `${key}0`],
    ['twice', (key) => key + key],
    ['its last digit changed', (key) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')],
    ['its first digit changed', (key) => (key.startsWith('0') ? '1' : '0') + key.slice(1)],
    ['in capitals', (key) => `${key.toUpperCase()}A`],
    ['a property of every object', () => 'constructor'],
  ])('is not %s of it', async (_what, forged) => {
    expect(await statusOf(url, upgradeText(url, protocolsOf(forged(session))))).toBe('403');
    const headers = { Authorization: `Bearer ${forged(printed())}` };
    expect(await statusOf(url, DOORS.session(headers))).toBe('403');
  });

  it.each([
    ['no protocol beside it', (key: string) => `zigzag.key.${key}`],
    ['a protocol that begins alike', (key: string) => `zigzag2, zigzag.key.${key}`],
    ['a protocol of another case', (key: string) => `Zigzag, zigzag.key.${key}`],
    ['the key for a protocol', (key: string) => `zigzag, ${key}`],
  ])('opens nothing with %s', async (_what, protocols) => {
    expect(await statusOf(url, upgradeText(url, protocols(session)))).toBe('403');
  });

  it('is ignored in a cookie, an address, a header and another protocol', async () => {
    const without = (path: string, headers = {}) => statusOf(url, upgradeText(url, 'zigzag', headers, path));
    expect(await without('/lab', { Cookie: `token=${session}`, Authorization: `Bearer ${session}` })).toBe(
      '403',
    );
    expect(await without(`/lab?token=${session}`)).toBe('403');
    const h2c = { Upgrade: 'h2c', 'Sec-WebSocket-Protocol': protocolsOf(session) };
    expect(await statusOf(url, upgradeText(url, '', h2c))).toMatch(/^4/);
    const old = { 'Sec-WebSocket-Version': '7' };
    expect(await statusOf(url, upgradeText(url, protocolsOf(session), old))).toMatch(/^4/);
  });

  it('of another lab opens nothing, and ends with its own lab', async () => {
    const other = await serveLab({ services: stubServices({}), pageRoot: join(folder, 'page') });
    const foreign = (await sessionOf(other.url)) ?? '';
    const key = new URL(other.url).searchParams.get('token') ?? '';
    await other.close();
    expect(await statusOf(url, upgradeText(url, protocolsOf(foreign)))).toBe('403');
    expect(await statusOf(url, DOORS.session({ Authorization: `Bearer ${key}` }))).toBe('403');
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('of a command line is exchanged once and within a minute, on a real socket too', async () => {
    const at = (seconds: number) => vi.spyOn(performance, 'now').mockReturnValue(1e9 + 1000 * seconds);
    at(0);
    const [used, late] = [server.urlForOnce(), server.urlForOnce()];
    at(59);
    const first = (await sessionOf(used)) ?? '';
    expect(await statusOf(url, upgradeText(url, protocolsOf(first)))).toBe('101');
    at(61);
    expect([await sessionOf(late), await sessionOf(used)]).toEqual([null, null]);
    // Responses after the minute, as from a browser's history, end nothing.
    expect(await statusOf(url, upgradeText(url, protocolsOf(first)))).toBe('101');
    expect(await sessionOf(server.url)).toBe(session);
  });
});

describe('a further tab of a browser', () => {
  const half = 'ab'.repeat(16);
  const cookieFrom = async (from: URL, key: string): Promise<string> => {
    const answer = await fetch(new URL('/session', from), {
      method: 'POST',
      headers: { origin: from.origin, authorization: `Bearer ${key}`, 'zigzag-browser': half },
    });
    return answer.headers.get('set-cookie') ?? '';
  };
  const tab = (headers: Record<string, string>): Promise<string> =>
    statusOf(
      url,
      requestText('POST /session', {
        Host: url.host,
        Origin: url.origin,
        'Content-Length': '0',
        ...headers,
      }),
    );
  const pairOf = (cookie: string): string => cookie.split(';')[0] ?? '';

  it('is admitted by both halves; no script and no other site gets the cookie', async () => {
    const cookie = await cookieFrom(url, printed());
    expect(cookie).toMatch(
      new RegExp(`^zigzag-${url.port}=[0-9a-f]{64}; Path=/session; HttpOnly; SameSite=Strict$`),
    );
    for (const secret of [session, printed(), half]) expect(cookie).not.toContain(secret);
    const headers = { Origin: url.origin, Cookie: `a=b; ${pairOf(cookie)}`, 'zigzag-browser': half };
    const answer = await fetch(new URL('/session', url), { method: 'POST', headers });
    expect([answer.status, await answer.text()]).toEqual([200, `${session}\n`]);
  });

  it.each<[string, (pair: string) => Record<string, string>]>([
    ['its cookie alone, as any port of the machine is sent it', (pair) => ({ Cookie: pair })],
    ['its cookie and a guess', (pair) => ({ Cookie: pair, 'zigzag-browser': 'ba'.repeat(16) })],
    ['its cookie and no half at all', (pair) => ({ Cookie: pair, 'zigzag-browser': '' })],
    ['the page’s half alone', () => ({ 'zigzag-browser': half })],
    ['a cookie of another name', (pair) => ({ Cookie: `x${pair}`, 'zigzag-browser': half })],
    ['half a cookie', (pair) => ({ Cookie: pair.slice(0, -1), 'zigzag-browser': half })],
    ['both from another page', (pair) => ({ ...both(pair), Origin: 'http://127.0.0.1:1' })],
    ['both from no page', (pair) => ({ ...both(pair), Origin: '' })],
    ['both and a wrong key', (pair) => ({ ...both(pair), Authorization: 'Bearer 00' })],
  ])('is not admitted by %s', async (_what, headers) => {
    const pair = pairOf(await cookieFrom(url, printed()));
    expect(await tab(both(pair))).toBe('200');
    expect(await tab(headers(pair))).toBe('403');
  });
  const both = (pair: string) => ({ Cookie: pair, 'zigzag-browser': half });

  it('is not admitted by a revoked session, or another lab’s', async () => {
    const once = server.urlForOnce();
    const key = new URL(once).searchParams.get('token') ?? '';
    const pair = pairOf(await cookieFrom(url, key));
    expect(await tab(both(pair))).toBe('200');
    expect(await sessionOf(once)).toBeNull();
    expect(await tab(both(pair))).toBe('403');
    const other = await serveLab({ services: stubServices({}), pageRoot: join(folder, 'page') });
    const theirs = await cookieFrom(new URL(other.url), new URL(other.url).searchParams.get('token') ?? '');
    await other.close();
    const renamed = pairOf(theirs).replace(/^[^=]*/, `zigzag-${url.port}`);
    expect(await tab(both(renamed))).toBe('403');
  });

  it('opens no WebSocket by its halves', async () => {
    const pair = pairOf(await cookieFrom(url, printed()));
    expect(await statusOf(url, upgradeText(url, 'zigzag', both(pair)))).toBe('403');
  });
});

describe('the page folder', () => {
  it.each([
    ...['/../secret.json', '/assets/../../secret.json', '/./../secret.json', '/%2e%2e/secret.json'],
    ...['/%2E%2E/secret.json', '/.%2e/secret.json', '/%252e%252e/secret.json'],
    ...['/%252e%252e%252fsecret.json', '/..%2fsecret.json', '/..%252fsecret.json', '/..%5csecret.json'],
    ...['/..\\secret.json', '/%c0%ae%c0%ae/secret.json', '/%c0%ae%c0%ae%c0%afsecret.json'],
    ...['/%e0%80%ae%e0%80%ae/secret.json', '/%uff0e%uff0e/secret.json', '/\uff0e\uff0e/secret.json'],
    ...['/..;/secret.json', '/....//secret.json', '/assets/..%00/../../secret.json'],
    ...['/secret.json%00.html', '/index.html%00', '//secret.json', '///../secret.json', '../secret.json'],
    ...['*', '/?/../secret.json/../../secret.json', '/assets/relative.json', '/environ.json', '/loop.json'],
    ...['/index.html/../../secret.json', '/C:/secret.json', 'file:///etc/passwd'],
    ...['/%2e%2e%2fpage-old/secret.json', '//etc/passwd', '/.hidden.json', '/%00index.html', '/%zz'],
    ...['/nothing.js', '/assets', '/assets/', '/up/secret.json', '/up/page/../secret.json'],
    ...['/assets/old/secret.json'],
  ])('serves nothing outside it at %s', async (path) => {
    const socket = await open(url);
    socket.write(Buffer.from(requestText(`GET ${path}`, { Host: url.host, Connection: 'close' }), 'latin1'));
    const answer = await answerOf(socket);
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 (404|400|200)/);
    expect(answer).not.toMatch(/secret"|PATH=|root:/);
    // The answer is the page itself; the query is no part of it.
    if (answer.startsWith('HTTP/1.1 200')) expect(path).toBe('/?/../secret.json/../../secret.json');
  });

  it('follows its own links', async () => {
    const answer = await fetch(new URL('/link-to-own.json', url));
    expect([answer.status, await answer.text()]).toEqual([200, '{"own":true}']);
  });
});
