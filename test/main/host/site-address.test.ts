import { describe, expect, it } from 'vitest';
import { siteAddress } from '../../../main/host/site-address.ts';

describe('the address of the static site', () => {
  it.each<[string | undefined, unknown, string | null]>([
    [undefined, undefined, null],
    ['', '', null],
    [undefined, 7, null],
    ['https://example.org', undefined, 'https://example.org/'],
    ['https://example.org/zigzag', undefined, 'https://example.org/zigzag/'],
    ['http://localhost:8080/a/index.html?x#y', undefined, 'http://localhost:8080/a/'],
    [undefined, 'https://example.org/own/', 'https://example.org/own/'],
    ['https://example.org/env/', 'https://example.org/own/', 'https://example.org/env/'],
  ])('of ZIGZAG_SITE %j and a package that says %j is %j', (own, packaged, address) => {
    expect(siteAddress(own === undefined ? {} : { ZIGZAG_SITE: own }, packaged)).toBe(address);
  });

  it.each([
    'example.org',
    'file:///srv/site',
    'javascript:alert(1)',
    'https://user@example.org/',
    'https://user:key@example.org/',
  ])('is refused in one sentence where it is %j', (own) => {
    expect(() => siteAddress({ ZIGZAG_SITE: own }, undefined)).toThrow(
      `ZIGZAG_SITE: expected the address of a site, such as https://example.org/zigzag/, got ${JSON.stringify(own)}`,
    );
  });
});
