import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BROWSER_HEADER, SESSION_PATH } from '../../app/contract/socket.ts';
import { sameKey, type SessionKeys } from './keys.ts';

/**
 * Admits further tabs of a browser that has a session key, by two halves. The page creates a random half and stores it
 * in its origin's storage. The lab's half is a cookie: the page's half, signed with the session key. Browsers send
 * cookies of 127.0.0.1 to every port, but never send storage, so another server gets only the cookie: neither the other
 * half nor a key.
 */
export function browserCookie(request: IncomingMessage, session: string): string | null {
  const half = halfOf(request);
  if (half === null) return null;
  // A session cookie, which ends with the browser. Its name contains the port, so several labs can coexist.
  return `${nameOf(request)}=${signed(half, session)}; Path=${SESSION_PATH}; HttpOnly; SameSite=Strict`;
}

/** The session key that both halves of a request prove; null if they prove no valid key. */
export function sessionOfBrowser(request: IncomingMessage, keys: SessionKeys): string | null {
  const half = halfOf(request);
  if (half === null) return null;
  const start = `${nameOf(request)}=`;
  const sent = (request.headers.cookie ?? '')
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(start))
    .map((cookie) => cookie.slice(start.length));
  return keys.find((session) => {
    const wanted = signed(half, session);
    return sent.some((value) => sameKey(value, wanted));
  });
}

const signed = (half: string, session: string): string =>
  createHmac('sha256', session).update(half).digest('hex');

function halfOf({ headers }: IncomingMessage): string | null {
  const half = headers[BROWSER_HEADER];
  return typeof half === 'string' && /^[0-9a-f]{32}$/.test(half) ? half : null;
}

const nameOf = ({ headers }: IncomingMessage): string => `zigzag-${headers.host?.split(':')[1] ?? '80'}`;
