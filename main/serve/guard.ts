import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { SOCKET_PROTOCOL, TOKEN_PROTOCOL_PREFIX } from '../../app/contract/socket.ts';

/** A new key of 128 bits: who has it may use the lab. */
export function freshToken(): string {
  return randomBytes(16).toString('hex');
}

const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/;

/**
 * Whether a request may be answered at all. The server listens on 127.0.0.1, but a page of any site can
 * still send requests there; what it cannot do is choose the Host and Origin headers. A foreign Host is
 * DNS rebinding, a foreign Origin another page. The port may differ from ours: SSH forwards ports.
 *
 * @returns the reason of the refusal, or null
 */
export function refuseRequest(request: IncomingMessage): string | null {
  const { host, origin } = request.headers;
  if (host === undefined || !LOOPBACK_HOST.test(host))
    return 'this lab answers on 127.0.0.1 and localhost only';
  if (origin !== undefined && origin !== `http://${host}`) return 'this lab answers its own page only';
  return null;
}

/**
 * The same for a WebSocket, which must say where it comes from and bring the key as a subprotocol.
 *
 * @returns the reason of the refusal, or null
 */
export function refuseUpgrade(request: IncomingMessage, token: string): string | null {
  const refusal = refuseRequest(request);
  if (refusal !== null) return refusal;
  if (request.headers.origin === undefined) return 'this lab answers its own page only';
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const keys = offered.filter((name) => name.startsWith(TOKEN_PROTOCOL_PREFIX));
  const fits = keys.some((name) => sameText(name.slice(TOKEN_PROTOCOL_PREFIX.length), token));
  if (!fits || !offered.includes(SOCKET_PROTOCOL)) return 'open the address that "zigzag serve" printed';
  return null;
}

/** Compares in constant time, so that the time of a refusal tells nothing of the key. */
function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
