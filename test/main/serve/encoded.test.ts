import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodingOf } from '../../../main/serve/encoded.ts';
import { type LabServer, serveLab } from '../../../main/serve/server.ts';
import { stubServices } from '../support/stub-services.ts';

const LONG = 'export const steps = "forward, backward";\n'.repeat(200);
const HASHED = '/assets/first-Ab3_x-9Z.js';

let folder: string;
let server: LabServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zigzag-encoded-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), `<!doctype html><head></head>${'<p>a</p>'.repeat(400)}`);
  writeFileSync(join(folder, 'assets', 'first-Ab3_x-9Z.js'), LONG);
  writeFileSync(join(folder, 'assets', 'picture.png'), Buffer.alloc(4000));
  writeFileSync(join(folder, 'plain.js'), LONG);
  writeFileSync(join(folder, 'short.js'), 'export {};');
  server = await serveLab({ services: stubServices({}), pageRoot: folder });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, server.url), { method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on('error', reject).end();
  });
}

describe('a file of the page', () => {
  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const)('is sent as %s to who takes %j', async (encoding, accepted, decode) => {
    for (const path of [HASHED, '/plain.js']) {
      const { headers, body } = await ask(path, { 'accept-encoding': accepted });
      expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' });
      expect(Number(headers['content-length'])).toBe(body.length);
      expect(body.length).toBeLessThan(LONG.length / 10);
      expect(decode(body).toString()).toBe(LONG);
    }
    const head = await ask(HASHED, { 'accept-encoding': accepted }, 'HEAD');
    expect(head.headers['content-encoding']).toBe(encoding);
    expect(head.body.length).toBe(0);
  });

  it.each(['/short.js', '/assets/picture.png'])(
    'is sent as it is where that is no gain: %s',
    async (path) => {
      const { headers } = await ask(path, { 'accept-encoding': 'br' });
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers['vary']).toBe('Accept-Encoding');
    },
  );

  it('is kept for good where its name is of its content, and asked for by its tag elsewhere', async () => {
    expect((await ask(HASHED)).headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const { headers } = await ask('/plain.js');
    expect(headers['cache-control']).toBe('no-cache');
    const tag = headers.etag ?? '';
    expect(tag).toMatch(/^W\/"[\w-]{27}"$/);
    const again = await ask('/plain.js', { 'if-none-match': `"other", ${tag}` });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect(again.headers['content-security-policy']).toContain("default-src 'none'");
    writeFileSync(join(folder, 'plain.js'), `${LONG}// changed`);
    expect((await ask('/plain.js', { 'if-none-match': tag })).status).toBe(200);
    writeFileSync(join(folder, 'plain.js'), LONG);
  });

  it('is never kept where it is the page itself, whose nonce is another each time', async () => {
    const page = () => ask('/', { 'accept-encoding': 'gzip' });
    const [first, second] = [await page(), await page()];
    expect(first.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-encoding': 'gzip' });
    expect(first.headers.etag).toBeUndefined();
    expect(gunzipSync(first.body).toString()).not.toBe(gunzipSync(second.body).toString());
    expect((await ask('/nothing.js')).headers['cache-control']).toBe('no-store');
  });
});

describe('the encoding of a request', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['deflate, zstd', null],
    ['BR', 'br'],
    ['gzip;q=0.5, br;q=0.1', 'br'],
    ['gzip, br;q=0', 'gzip'],
    ['gzip; q=0.000, br ;q=0.0', null],
    ['xbr, gzipped', null],
  ])('of %j is %j', (accepted, encoding) => {
    expect(encodingOf(accepted)).toBe(encoding);
  });
});
