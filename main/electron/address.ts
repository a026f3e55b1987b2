/**
 * Each desktop page has its own origin, and only this program serves its files: the lab is `zigzag://lab`, the
 * trainer's hidden window `zigzag://trainer`.
 */

export const SCHEME = 'zigzag';
const LAB_HOST = 'lab';
export const LAB_ADDRESS = `${SCHEME}://${LAB_HOST}/`;
const TRAINER_HOST = 'trainer';
export const TRAINER_PAGE = 'window.html';
export const TRAINER_ADDRESS = `${SCHEME}://${TRAINER_HOST}/${TRAINER_PAGE}`;

const LONGEST_LINK = 2000;

/** True for an address inside the lab's own page. */
export function isLabAddress(address: string): boolean {
  return isOnHost(address, LAB_HOST);
}

/** True for an address among the files of the trainer's hidden window. */
export function isTrainerAddress(address: string): boolean {
  return isOnHost(address, TRAINER_HOST);
}

/**
 * True for a link that may open in the system's browser: https only (a file: or a custom scheme would start other
 * programs), and no user name that could pose as a host.
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

function isOnHost(address: string, host: string): boolean {
  const url = parse(address);
  return url?.protocol === `${SCHEME}:` && url.host === host && url.username === '' && url.port === '';
}

function parse(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}
