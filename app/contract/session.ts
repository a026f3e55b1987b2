import { SESSION_PATH, TOKEN_PARAMETER } from './socket.ts';

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
 * shared by all ports of 127.0.0.1, so another server of the same machine would be sent it.
 *
 * @throws TypeError when the lab does not answer; the key is exchanged the next time then
 */
export async function sessionKey(): Promise<string | null> {
  if (offered !== null) {
    const answer = await exchange(offered);
    // One that is refused is of an address that was opened before: this tab may know better.
    offered = null;
    if (answer.ok) sessionStorage.setItem(TOKEN_PARAMETER, (await answer.text()).trim());
  }
  return sessionStorage.getItem(TOKEN_PARAMETER);
}

/**
 * Whether a session key still counts: a WebSocket that is refused does not say why.
 *
 * @throws TypeError when the lab does not answer
 */
export async function isAdmitted(session: string): Promise<boolean> {
  return (await exchange(session)).status !== REFUSED;
}

const REFUSED = 403;

const exchange = (key: string): Promise<Response> =>
  fetch(SESSION_PATH, { method: 'POST', headers: { authorization: `Bearer ${key}` } });
