import type { CustomScheme, Protocol } from 'electron';
import { loadPage } from '../page/files.ts';
import { contentSecurityPolicy, freshNonce, SECURITY_HEADERS, TRAINER_POLICY } from '../page/policy.ts';
import { isLabAddress, isTrainerAddress, SCHEME } from './address.ts';

/** Register it before the app is ready: an origin like a web page's, in a secure context. */
export const LAB_SCHEME: CustomScheme = {
  scheme: SCHEME,
  privileges: { standard: true, secure: true, supportFetchAPI: true },
};

/** Serves the built page under `zigzag://lab/`, with the same policy as the browser's server. */
export function servePage(protocol: Pick<Protocol, 'handle'>, root: string): void {
  protocol.handle(SCHEME, (request) => answerPage(root, request));
}

/** Serves the trainer's page under `zigzag://trainer/`, to its own session only. */
export function serveTrainerPage(protocol: Pick<Protocol, 'handle'>, root: string): void {
  protocol.handle(SCHEME, (request) => answerTrainerPage(root, request));
}

type PageRequest = Pick<Request, 'url' | 'method'>;

export function answerPage(root: string, request: PageRequest): Promise<Response> {
  return answer(root, request, isLabAddress, contentSecurityPolicy);
}

export function answerTrainerPage(root: string, request: PageRequest): Promise<Response> {
  return answer(root, request, isTrainerAddress, () => TRAINER_POLICY);
}

async function answer(
  root: string,
  request: PageRequest,
  isInside: (address: string) => boolean,
  policyOf: (nonce: string) => string,
): Promise<Response> {
  if (!isInside(request.url)) return new Response(null, { status: 404 });
  if (request.method !== 'GET') return new Response(null, { status: 405 });
  const nonce = freshNonce();
  const { status, type, body } = await loadPage(root, new URL(request.url).pathname, nonce);
  return new Response(new Uint8Array(body), {
    status,
    headers: { ...SECURITY_HEADERS, 'Content-Security-Policy': policyOf(nonce), 'Content-Type': type },
  });
}
