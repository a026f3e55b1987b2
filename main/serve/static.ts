import type { IncomingMessage, ServerResponse } from 'node:http';
import { SESSION_PATH } from '../../app/contract/socket.ts';
import { loadPage } from '../page/files.ts';
import { contentSecurityPolicy, freshNonce, SECURITY_HEADERS } from '../page/policy.ts';
import { cachingOf, EncodedFiles, hasTag } from './encoded.ts';
import { exchangeKey, refuseRequest } from './guard.ts';
import type { SessionKeys } from './keys.ts';

const NEVER: Record<string, string> = { 'Cache-Control': 'no-store' };
const encoded = new EncodedFiles();

/**
 * Answers one HTTP request with a file of the built page, or a key with a session key. The page holds no secret, so it
 * needs no key; the WebSocket, which can act, requires a session key.
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
    if (exchanged.cookie !== null) response.setHeader('Set-Cookie', exchanged.cookie);
    return answerText(response, 200, exchanged.session);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return answerText(response, 405, 'this lab serves files; everything else goes over its WebSocket');
  }
  const nonce = freshNonce();
  const page = await loadPage(root, pathname, nonce);
  const caching = page.status === 200 ? cachingOf(pathname, page.type, page.body) : NEVER;
  const headers = {
    ...SECURITY_HEADERS,
    // Some browsers do not count ws: as the page's own origin. Host was checked above.
    'Content-Security-Policy': contentSecurityPolicy(nonce, [`ws://${request.headers.host ?? ''}`]),
    ...caching,
  };
  if (hasTag(request.headers['if-none-match'], caching['ETag'])) {
    response.writeHead(304, headers);
    response.end();
    return;
  }
  const accepted = request.headers['accept-encoding'];
  const sent = await encoded.encode(page.body, page.type, String(accepted ?? ''));
  response.writeHead(page.status, {
    ...headers,
    ...sent.headers,
    'Content-Type': page.type,
    'Content-Length': sent.body.length,
  });
  // Node sends no body for HEAD.
  response.end(sent.body);
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
