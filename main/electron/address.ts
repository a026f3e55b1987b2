/** The desktop's page has an origin of its own, `zigzag://lab`, whose files only this program serves. */

export const SCHEME = 'zigzag';
export const LAB_HOST = 'lab';
export const LAB_ADDRESS = `${SCHEME}://${LAB_HOST}/`;

const LONGEST_LINK = 2000;

/** Whether an address is inside the lab's own page. */
export function isLabAddress(address: string): boolean {
  const url = parse(address);
  return url?.protocol === `${SCHEME}:` && url.host === LAB_HOST && url.username === '' && url.port === '';
}

/**
 * Whether a link may be handed to the system's browser: https alone (a file: or a custom scheme would
 * start other programs), without a user name that could pose as a host.
 */
export function isExternalLink(address: string): boolean {
  const url = parse(address);
  return (
    url?.protocol === 'https:' &&
    url.hostname !== '' &&
    url.username === '' &&
    url.password === '' &&
    address.length <= LONGEST_LINK
  );
}

function parse(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}
