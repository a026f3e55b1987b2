import { BadInputError } from '../../engine/errors.ts';

/**
 * Address of the static site, for links that work without this lab: ZIGZAG_SITE, or else the address that the package
 * was built for (`config.site` of package.json). It ends with a slash.
 *
 * @param packaged the package's address @returns null if neither is set: no host is invented @throws BadInputError for
 *   an invalid address
 */
export function siteAddress(
  env: Readonly<Record<string, string | undefined>>,
  packaged: unknown,
): string | null {
  const { ZIGZAG_SITE: own } = env;
  const given = own !== undefined && own !== '' ? own : packaged;
  if (typeof given !== 'string' || given === '') return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new BadInputError(
      `ZIGZAG_SITE: expected the address of a site, such as https://example.org/zigzag/, got ${JSON.stringify(given)}`,
    );
  }
  const folder = url.pathname.replace(/[^/]*\.html?$/, '').replace(/\/?$/, '/');
  return `${url.origin}${folder}`;
}
