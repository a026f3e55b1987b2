/** How a page in a browser reaches the lab: path and subprotocols of the WebSocket on its own origin. */

export const SOCKET_PATH = '/lab';
/** The protocol spoken; the server selects it. */
export const SOCKET_PROTOCOL = 'zigzag';
/** A second offered subprotocol carries the key, because a page can set no header on a WebSocket. */
export const TOKEN_PROTOCOL_PREFIX = 'zigzag.key.';
/** Query parameter of the address that `zigzag serve` prints, and key in the page's session storage. */
export const TOKEN_PARAMETER = 'token';
