/** Messages of package managers about a network or a disk, with their meaning; the first match counts. */
const REASONS = /** @type {const} */ ([
  [/No space left on device|ENOSPC/, 'the disk is full: make room, and try again'],
  [
    /Temporary failure in name resolution|Name or service not known|NameResolutionError|ENOTFOUND|EAI_AGAIN/,
    'the name of its server could not be resolved: look at the network, and set HTTPS_PROXY where it needs a proxy',
  ],
  [/ProxyError|Cannot connect to proxy|\b407\b/, 'the proxy refused: look at HTTPS_PROXY'],
  [
    /CERTIFICATE_VERIFY_FAILED|SELF_SIGNED_CERT|UNABLE_TO_(?:GET|VERIFY)/,
    'the certificate of its server is not trusted: name your own (PIP_CERT, NODE_EXTRA_CA_CERTS)',
  ],
  [/Connection refused|ECONNREFUSED/, 'its server refused the connection: try again later'],
  [
    /timed out|ETIMEDOUT|Network is unreachable|ENETUNREACH|EHOSTUNREACH|No route to host/,
    'its server does not answer: look at the network, and try again',
  ],
  [/Connection aborted|ECONNRESET|IncompleteRead|socket hang up/, 'the connection broke: try again'],
]);

/**
 * @param {string} said by npm or pip
 * @returns {string | null} a phrase that says what to do; null where it was something else
 */
export function reasonOfNetwork(said) {
  return REASONS.find(([pattern]) => pattern.test(said))?.[1] ?? null;
}
