import { takeKey } from '../app/contract/session.ts';
import { siteHost } from '../app/contract/site.ts';

// A module of its own, because a module runs after all that it imports: the key leaves the address before any other.
takeKey();
if (siteHost() !== null) allowOwnStyles();

/**
 * A static file has no fresh nonce: the page makes one for the style elements that Mantine adds, and from then on
 * allows no other. The file's own policy also applies.
 */
function allowOwnStyles(): void {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const known = document.createElement('meta');
  known.setAttribute('property', 'csp-nonce');
  known.nonce = nonce;
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = `style-src 'self' 'nonce-${nonce}'`;
  document.head.append(known, policy);
}
