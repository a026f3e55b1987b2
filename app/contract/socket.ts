/** How a page in a browser reaches the lab: paths and subprotocols of the WebSocket on its own origin. */

export const SOCKET_PATH = '/lab';
/** The protocol spoken; the server selects it. */
export const SOCKET_PROTOCOL = 'zigzag';
/** A second offered subprotocol carries the session key, because a page can set no header on a WebSocket. */
export const TOKEN_PROTOCOL_PREFIX = 'zigzag.key.';
/** Query parameter of the address that `zigzag serve` prints or opens: a key to exchange. */
export const TOKEN_PARAMETER = 'token';
/**
 * Path to which a page POSTs that key, as `Authorization: Bearer KEY`, or none from a browser that has been there; the answer is
 * the session key, as a line of text.
 */
export const SESSION_PATH = '/session';
/** Header with the page's half of what admits further tabs of a browser; the other half is a cookie. */
export const BROWSER_HEADER = 'zigzag-browser';
/** Closing code of a socket whose other side does not read or answer; the reason says which. */
export const DEAF_CODE = 4008;
