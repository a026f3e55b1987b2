import type { IncomingMessage } from 'node:http';
import { SOCKET_PROTOCOL, TOKEN_PROTOCOL_PREFIX } from '../../app/contract/socket.ts';
import { browserCookie, sessionOfBrowser } from './browser-cookie.ts';
import type { SessionKeys } from './keys.ts';

const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/;
const NOT_OURS = 'this lab answers only its own page';
const NO_KEY = 'open the address that "zigzag serve" printed';

/** Why a request is not answered, in one sentence. */
export interface Refusal {
  readonly refusal: string;
}

/**
 * Refuses requests from elsewhere. The server listens on 127.0.0.1, but a page of any site can still send requests
 * there. It cannot choose the Host and Origin headers, though: a foreign Host means DNS rebinding, a foreign Origin
 * another page. The port may differ from ours, because SSH forwards ports.
 *
 * @returns the reason of the refusal, or null
 */
export function refuseRequest(request: IncomingMessage): string | null {
  const { host, origin } = request.headers;
  // Node reports the first of two Host headers; a proxy may use the other.
  const isOne = request.headersDistinct['host']?.length === 1;
  if (host === undefined || !isOne || !LOOPBACK_HOST.test(host))
    return 'this lab answers on 127.0.0.1 and localhost only';
  if (origin !== undefined && origin !== `http://${host}`) return NOT_OURS;
  return null;
}

/** The same for requests that only our page makes, which must state their origin. */
function refuseStranger(request: IncomingMessage): string | null {
  return refuseRequest(request) ?? (request.headers.origin === undefined ? NOT_OURS : null);
}

/**
 * The same for an exchange of keys; the key is checked only if the request comes from our page. A session key is
 * exchanged for itself: a page whose WebSocket was refused does not learn why, and asks here if it has access. Without
 * a key, the browser's cookie may admit it.
 */
export function exchangeKey(
  request: IncomingMessage,
  keys: SessionKeys,
): Refusal | { readonly session: string; readonly cookie: string | null } {
  const refusal = refuseStranger(request);
  if (refusal !== null) return { refusal };
  const session = sessionFor(request, keys);
  return session === null ? { refusal: NO_KEY } : { session, cookie: browserCookie(request, session) };
}

function sessionFor(request: IncomingMessage, keys: SessionKeys): string | null {
  const { authorization } = request.headers;
  if (authorization === undefined) return sessionOfBrowser(request, keys);
  const [, key] = /^Bearer ([0-9a-f]{1,64})$/.exec(authorization) ?? [];
  if (key === undefined) return null;
  return keys.accepts(key) ? key : keys.exchange(key);
}

/** The same for a WebSocket, which must bring a session key as a subprotocol. */
export function admitUpgrade(
  request: IncomingMessage,
  keys: SessionKeys,
): Refusal | { readonly session: string } {
  const refusal = refuseStranger(request);
  if (refusal !== null) return { refusal };
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const session = offered
    .filter((name) => name.startsWith(TOKEN_PROTOCOL_PREFIX))
    .map((name) => name.slice(TOKEN_PROTOCOL_PREFIX.length))
    .find((key) => keys.accepts(key));
  if (session === undefined || !offered.includes(SOCKET_PROTOCOL)) return { refusal: NO_KEY };
  return { session };
}
