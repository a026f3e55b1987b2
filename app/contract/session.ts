import { BROWSER_HEADER, SESSION_PATH, TOKEN_PARAMETER } from './socket.ts';

/** The key that the address brought, until it is exchanged. */
let offered: string | null = null;

/**
 * Takes the key out of the page's address, before anything else looks at that: it is not to stay in the address bar,
 * in bookmarks or on a projector. For a page only.
 */
export function takeKey(): void {
  const address = new URL(location.href);
  const key = address.searchParams.get(TOKEN_PARAMETER);
  if (key === null) return;
  offered = key;
  address.searchParams.delete(TOKEN_PARAMETER);
  history.replaceState(history.state, '', address);
}

/**
 * The page's session key, for which the key of its address is exchanged once; null where it has none. A tab keeps it in
 * its session storage, so that a reload goes on, and a lab that was started again knows it. Not a cookie: cookies are
 * shared by all ports of 127.0.0.1, so another server of the same machine would be sent it. A further tab of the same
 * browser gets it for the two halves that the first one left (main/serve/browser-cookie.ts).
 *
 * @throws TypeError when the lab does not answer; the key is exchanged the next time then
 */
export async function sessionKey(): Promise<string | null> {
  const kept = sessionStorage.getItem(TOKEN_PARAMETER);
  if (offered === null && (kept !== null || localStorage.getItem(BROWSER_HEADER) === null)) return kept;
  const answer = await exchange(offered);
  const wasOffered = offered !== null;
  offered = null;
  // A key that is refused is of an address that was opened before: this tab or this browser may know better.
  if (!answer.ok) return wasOffered ? sessionKey() : null;
  const session = (await answer.text()).trim();
  sessionStorage.setItem(TOKEN_PARAMETER, session);
  return session;
}

/**
 * Asks the lab if a session key is still valid: a WebSocket that is refused does not say why.
 *
 * @throws TypeError when the lab does not answer
 */
export async function isAdmitted(session: string): Promise<boolean> {
  if ((await exchange(session)).status !== REFUSED) return true;
  // The browser may have been admitted since.
  sessionStorage.removeItem(TOKEN_PARAMETER);
  return false;
}

const REFUSED = 403;

const exchange = (key: string | null): Promise<Response> =>
  fetch(SESSION_PATH, {
    method: 'POST',
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      [BROWSER_HEADER]: browserHalf(),
    },
  });

/** This browser's half: 128 random bits in the storage of this very origin, which no other port reads. */
function browserHalf(): string {
  const kept = localStorage.getItem(BROWSER_HEADER);
  if (kept !== null) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const half = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  localStorage.setItem(BROWSER_HEADER, half);
  return half;
}
