import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Lru } from '../solver/lru.ts';

/** Names that carry a content hash: such a file never changes. */
const HASHED = /^\/assets\/[^/]+-[\w-]{8}\.\w+$/;
const FOREVER = 'public, max-age=31536000, immutable';
const ASK_FIRST = 'no-cache';

/** Below this size, an encoding's headers cost more than it saves. */
const LEAST_BYTES = 1024;
const MAX_KEPT = 128;
/** Compression level, of 11. Higher levels take a second for the first megabyte and save 5 %. */
const BROTLI_QUALITY = 5;

const ENCODINGS = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
} as const;

type Encoding = keyof typeof ENCODINGS;

export interface Encoded {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Compresses the files of a page, each once. */
export class EncodedFiles {
  readonly #bodies = new Lru<Promise<Buffer>>(MAX_KEPT);

  /** @param accepted the request's Accept-Encoding */
  async encode(body: Buffer, type: string, accepted: string | undefined): Promise<Encoded> {
    const encoding = body.length < LEAST_BYTES || !isText(type) ? null : encodingOf(accepted);
    const headers = { Vary: 'Accept-Encoding' };
    if (encoding === null) return { body, headers };
    const small = await this.#bodies.get(`${encoding} ${tagOf(body)}`, () => ENCODINGS[encoding](body));
    return { body: small, headers: { ...headers, 'Content-Encoding': encoding } };
  }
}

/** Pictures and fonts are already compressed. */
const isText = (type: string): boolean => /^(?:text\/|application\/|image\/svg)/.test(type);

/** The best accepted encoding, by RFC 9110 (12.5.3): `gzip, br;q=0` refuses brotli. */
export function encodingOf(accepted = ''): Encoding | null {
  const offers = new Map(
    accepted.split(',').map((offer) => {
      const [name = '', ...parameters] = offer.split(';').map((part) => part.trim().toLowerCase());
      return [name, !parameters.some((one) => /^q=0(?:\.0*)?$/.test(one))] as const;
    }),
  );
  return (['br', 'gzip'] as const).find((name) => offers.get(name) === true) ?? null;
}

const tagOf = (body: Buffer): string => createHash('sha256').update(body).digest('base64url').slice(0, 27);

/** How long a browser may cache a file, and the tag by which it asks for changes. */
export function cachingOf(pathname: string, type: string, body: Buffer): Record<string, string> {
  if (HASHED.test(pathname)) return { 'Cache-Control': FOREVER };
  // A page carries a nonce, which differs in every response.
  if (type.startsWith('text/html')) return { 'Cache-Control': ASK_FIRST };
  // Weak, because all encodings share it.
  return { 'Cache-Control': ASK_FIRST, ETag: `W/"${tagOf(body)}"` };
}

/** True if the browser has the tagged file; If-None-Match lists tags, or is `*`. */
export function hasTag(asked: string | undefined, tag: string | undefined): boolean {
  if (asked === undefined || tag === undefined) return false;
  return asked.split(',').some((one) => one.trim() === tag || one.trim() === '*');
}
