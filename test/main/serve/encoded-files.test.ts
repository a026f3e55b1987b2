import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { cachingOf, EncodedFiles, encodingOf, hasTag } from '../../../main/serve/encoded.ts';

const text = (length: number): Buffer => Buffer.alloc(length, 'a line of text\n');
const SCRIPT = 'text/javascript; charset=utf-8';
const VARY = { Vary: 'Accept-Encoding' };

describe('a compressed file', () => {
  it.each([SCRIPT, 'application/json; charset=utf-8', 'application/wasm', 'image/svg+xml', 'text/html'])(
    'is text or code: %s',
    async (type) => {
      const { body, headers } = await new EncodedFiles().encode(text(1024), type, 'gzip');
      expect(headers).toEqual({ ...VARY, 'Content-Encoding': 'gzip' });
      expect(gunzipSync(body).equals(text(1024))).toBe(true);
    },
  );

  it.each(['image/png', 'image/x-icon', 'font/woff2', 'x-text/plain', 'x-application/json'])(
    'is not one that is already compressed: %s',
    async (type) => {
      const body = text(4000);
      expect(await new EncodedFiles().encode(body, type, 'br')).toEqual({ body, headers: VARY });
    },
  );

  it('is not a short one, and not sent to a client without encodings', async () => {
    const files = new EncodedFiles();
    for (const [body, accepted] of [
      [text(1023), 'br'],
      [text(4000), 'deflate'],
      [text(4000), undefined],
    ] as const) {
      expect(await files.encode(body, SCRIPT, accepted)).toEqual({ body, headers: VARY });
    }
  });

  it('is compressed once in each encoding, and apart from every other', async () => {
    const files = new EncodedFiles();
    const of = async (length: number, accepted: string) =>
      (await files.encode(text(length), SCRIPT, accepted)).body;
    const [first, again, other] = [await of(4000, 'br'), await of(4000, 'br'), await of(5000, 'br')];
    expect(again).toBe(first);
    expect([brotliDecompressSync(first).length, brotliDecompressSync(other).length]).toEqual([4000, 5000]);
    expect(gunzipSync(await of(4000, 'gzip')).length).toBe(4000);
  });
});

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
  ['gzip', 'gzip'],
  [' gzip ', 'gzip'],
  ['gzip,br', 'br'],
  ['br;x=1;q=0,gzip', 'gzip'],
  ['br;q=0.5', 'br'],
  ['br;q=0.01', 'br'],
  ['br;q=00', 'br'],
  ['br;xq=0', 'br'],
  ['br;q=0.', null],
  ['br;Q=0', null],
  ['br;q=0;x=1', null],
  ['*', null],
])('an encoding that is accepted of %j is %j', (accepted, encoding) => {
  expect(encodingOf(accepted)).toBe(encoding);
});

describe('how long a file is cached', () => {
  const FOREVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

  it.each(['/assets/index-AbC_12-9.js', '/assets/a-b-12345678.css', '/assets/x-________.woff2'])(
    'is forever for a name with a content hash: %s',
    (path) => {
      expect(cachingOf(path, SCRIPT, text(10))).toEqual(FOREVER);
    },
  );

  it.each([
    '/assets/index.js',
    '/assets/index-1234567.js',
    '/assets/index-12345.78.js',
    '/assets/index-12345678',
    '/assets/index-12345678.',
    '/assets/index-12345678.js/',
    '/assets/-12345678.js',
    '/assets/below/index-12345678.js',
    '/other/assets/index-12345678.js',
    '/index-12345678.js',
    '/assets/index12345678.js',
  ])('is until its tag changes: %s', (path) => {
    expect(cachingOf(path, SCRIPT, text(10))).toEqual({
      'Cache-Control': 'no-cache',
      ETag: expect.stringMatching(/^W\/"[\w-]{27}"$/),
    });
  });

  it('is never for a page, and tags depend on content only', () => {
    expect(cachingOf('/', 'text/html; charset=utf-8', text(10))).toEqual({ 'Cache-Control': 'no-cache' });
    const tag = (body: Buffer, path = '/a.js', type = SCRIPT) => cachingOf(path, type, body)['ETag'];
    expect(tag(text(10), '/b.json', 'application/json; of text/html')).toBe(tag(text(10)));
    expect(tag(text(11))).not.toBe(tag(text(10)));
  });
});

describe('a browser’s tag', () => {
  const tag = 'W/"abc"';
  it.each([tag, `"x", ${tag}`, `${tag} ,"x"`, '*', '"x", *'])('is among %j', (asked) => {
    expect(hasTag(asked, tag)).toBe(true);
  });

  it.each([undefined, '', '"abc"', 'W/"abcd"', 'W/"ab"', `${tag}"x"`, '**'])('is not among %j', (asked) => {
    expect(hasTag(asked, tag)).toBe(false);
  });

  it('is missing without the header', () => {
    expect(hasTag('*', undefined)).toBe(false);
    expect(hasTag(undefined, undefined)).toBe(false);
  });
});
