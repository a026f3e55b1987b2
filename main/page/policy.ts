import { randomBytes } from 'node:crypto';

/** A fresh value for `'nonce-…'`, one per response: a repeated nonce protects nothing. */
export function freshNonce(): string {
  return randomBytes(16).toString('base64');
}

/**
 * The page's content security policy. Scripts come from files of this very origin only. The nonce is
 * for the style elements that Mantine adds at run time; nothing else inline is allowed.
 *
 * @param connect further sources for fetch and WebSocket, beside the page's own origin
 */
export function contentSecurityPolicy(nonce: string, connect: readonly string[] = []): string {
  const directives: Readonly<Record<string, readonly string[]>> = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'worker-src': ["'self'"],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...connect],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}

/** Policy of the trainer's hidden window: its own scripts only; no style, picture or connection. */
export const TRAINER_POLICY =
  "default-src 'none'; script-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Headers of every response, page or not. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), usb=(), serial=(), hid=()',
};
