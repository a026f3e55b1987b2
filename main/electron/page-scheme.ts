import type { CustomScheme, Protocol } from 'electron';
import { loadPage } from '../page/files.ts';
import { contentSecurityPolicy, freshNonce, SECURITY_HEADERS } from '../page/policy.ts';
import { isLabAddress, SCHEME } from './address.ts';

/** To be registered before the app is ready: an origin like a web page's, in a secure context. */
export const LAB_SCHEME: CustomScheme = {
  scheme: SCHEME,
  privileges: { standard: true, secure: true, supportFetchAPI: true },
};

/** Serves the built page under `zigzag://lab/`, with the same policy as the browser's server. */
export function servePage(protocol: Pick<Protocol, 'handle'>, root: string): void {
  protocol.handle(SCHEME, (request) => answerPage(root, request));
}

export async function answerPage(root: string, request: Pick<Request, 'url' | 'method'>): Promise<Response> {
  if (!isLabAddress(request.url)) return new Response(null, { status: 404 });
  if (request.method !== 'GET') return new Response(null, { status: 405 });
  const nonce = freshNonce();
  const { status, type, body } = await loadPage(root, new URL(request.url).pathname, nonce);
  return new Response(new Uint8Array(body), {
    status,
    headers: {
      ...SECURITY_HEADERS,
      'Content-Security-Policy': contentSecurityPolicy(nonce),
      'Content-Type': type,
    },
  });
}
