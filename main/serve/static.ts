import type { IncomingMessage, ServerResponse } from 'node:http';
import { SESSION_PATH } from '../../app/contract/socket.ts';
import { loadPage } from '../page/files.ts';
import { contentSecurityPolicy, freshNonce, SECURITY_HEADERS } from '../page/policy.ts';
import { exchangeKey, refuseRequest } from './guard.ts';
import type { SessionKeys } from './keys.ts';

/**
 * Answers one HTTP request with a file of the built page, or a key with a session key. The page holds no secret, so
 * it needs no key: a session key is asked for by the WebSocket, which is what can do things.
 */
export async function answerRequest(
  root: string,
  keys: SessionKeys,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refusal = refuseRequest(request);
  if (refusal !== null) return answerText(response, 403, refusal);
  const [pathname = '/'] = (request.url ?? '/').split(/[?#]/, 1);
  if (request.method === 'POST' && pathname === SESSION_PATH) {
    const exchanged = exchangeKey(request, keys);
    if ('refusal' in exchanged) return answerText(response, 403, exchanged.refusal);
    return answerText(response, 200, exchanged.session);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return answerText(response, 405, 'this lab serves files; everything else goes over its WebSocket');
  }
  const nonce = freshNonce();
  const page = await loadPage(root, pathname, nonce);
  response.writeHead(page.status, {
    ...SECURITY_HEADERS,
    // Some browsers do not count ws: as the page's own origin. The Host was checked above.
    'Content-Security-Policy': contentSecurityPolicy(nonce, [`ws://${request.headers.host ?? ''}`]),
    'Content-Type': page.type,
    'Content-Length': page.body.length,
    'Cache-Control': 'no-cache',
  });
  // Node sends none for HEAD.
  response.end(page.body);
}

function answerText(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(`${reason}\n`);
}
