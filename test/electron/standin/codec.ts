/**
 * Structured clone as JSON: the form of a message between the stand-in's process and a page of Chromium,
 * which have nothing but text between them. What cannot be cloned throws, as `postMessage` of Electron does.
 */
export type Encoded = unknown;

type Tagged =
  | { readonly $: 'undefined' }
  | { readonly $: 'number' | 'bigint' | 'buffer'; readonly of: string }
  | { readonly $: 'date'; readonly of: number }
  | { readonly $: 'view'; readonly of: string; readonly kind: ViewName }
  | { readonly $: 'map'; readonly of: readonly (readonly [Encoded, Encoded])[] }
  | { readonly $: 'set'; readonly of: readonly Encoded[] }
  | { readonly $: 'error'; readonly of: string; readonly name: string }
  | { readonly $: 'object'; readonly of: Readonly<Record<string, Encoded>> };

const VIEWS = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
};
type ViewName = keyof typeof VIEWS;

const CHUNK = 32_768;

export function bytesToText(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

function textToBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** @throws DataCloneError for what structured clone does not carry */
export function encode(value: unknown): Encoded {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (value === undefined) return { $: 'undefined' } satisfies Tagged;
  if (typeof value === 'number') return encodeNumber(value);
  if (typeof value === 'bigint') return { $: 'bigint', of: String(value) } satisfies Tagged;
  if (typeof value !== 'object') throw notCloned();
  if (Array.isArray(value)) return value.map(encode);
  if (value instanceof ArrayBuffer)
    return { $: 'buffer', of: bytesToText(new Uint8Array(value)) } satisfies Tagged;
  if (ArrayBuffer.isView(value)) return encodeView(value);
  if (value instanceof Date) return { $: 'date', of: value.getTime() } satisfies Tagged;
  if (value instanceof Map) {
    return {
      $: 'map',
      of: [...value].map(([key, of]) => [encode(key), encode(of)] as const),
    } satisfies Tagged;
  }
  if (value instanceof Set) return { $: 'set', of: [...value].map(encode) } satisfies Tagged;
  if (value instanceof Error) return { $: 'error', of: value.message, name: value.name } satisfies Tagged;
  if (value instanceof Blob || value instanceof Promise) throw notCloned();
  const of = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, encode(part)]));
  return { $: 'object', of } satisfies Tagged;
}

function encodeNumber(value: number): Encoded {
  const isPlain = Number.isFinite(value) && !Object.is(value, -0);
  const of = Object.is(value, -0) ? '-0' : String(value);
  return isPlain ? value : ({ $: 'number', of } satisfies Tagged);
}

function encodeView(value: ArrayBufferView): Encoded {
  const of = bytesToText(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  // Node's Buffer arrives as what it extends.
  const { name } = value.constructor;
  return { $: 'view', of, kind: name in VIEWS ? (name as ViewName) : 'Uint8Array' } satisfies Tagged;
}

function notCloned(): Error {
  return new DOMException('An object could not be cloned.', 'DataCloneError');
}

export function decode(encoded: Encoded): unknown {
  if (encoded === null || typeof encoded !== 'object') return encoded;
  if (Array.isArray(encoded)) return encoded.map(decode);
  const tagged = encoded as Tagged;
  switch (tagged.$) {
    case 'undefined':
      return undefined;
    case 'number':
      return Number(tagged.of);
    case 'bigint':
      return BigInt(tagged.of);
    case 'buffer':
      return textToBytes(tagged.of).buffer;
    case 'view':
      return new VIEWS[tagged.kind](textToBytes(tagged.of).buffer);
    case 'date':
      return new Date(tagged.of);
    case 'map':
      return new Map(tagged.of.map(([key, of]) => [decode(key), decode(of)]));
    case 'set':
      return new Set(tagged.of.map(decode));
    case 'error':
      return Object.assign(new Error(tagged.of), { name: tagged.name });
    case 'object':
      return Object.fromEntries(Object.entries(tagged.of).map(([key, part]) => [key, decode(part)]));
  }
}
