import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { composeSite, SITE_POLICY } from '../../../app/start/site.mjs';
import { contentSecurityPolicy } from '../../../main/page/policy.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

let root: string;
const at = (...path: string[]): string => join(root, ...path);

beforeEach(() => {
  root = freshFolder();
  for (const folder of ['page', 'site']) mkdirSync(at(folder, 'assets'), { recursive: true });
  writeFileSync(
    at('page', 'index.html'),
    '<!doctype html><html><head>\n<meta charset="utf-8" /><title>Zigzag</title></head><body><div id="root"></div></body></html>',
  );
  writeFileSync(at('page', 'assets', 'index-1.js'), 'run();\n//# sourceMappingURL=index-1.js.map');
  writeFileSync(at('page', 'assets', 'index-1.js.map'), '{}');
  writeFileSync(at('site', 'assets', 'host-2.js'), 'serve();');
  writeFileSync(at('licenses.txt'), 'MIT');
});

const compose = (downloads: string | null = null): string => {
  composeSite({ page: at('page'), site: at('site'), licenses: at('licenses.txt'), downloads });
  return readFileSync(at('site', 'index.html'), 'utf8');
};

describe('the static site', () => {
  it('is the page with its workers, which name only existing files', () => {
    compose();
    expect(readdirSync(at('site')).sort()).toEqual(['.nojekyll', 'assets', 'index.html', 'licenses.txt']);
    expect(readdirSync(at('site', 'assets')).sort()).toEqual(['host-2.js', 'index-1.js', 'loading.css']);
    expect(readFileSync(at('site', 'assets', 'index-1.js'), 'utf8')).toBe('run();\n');
  });

  it('states its policy before anything is loaded, its host by a relative address, and what needs a server', () => {
    const html = compose();
    const policy = `<meta http-equiv="Content-Security-Policy" content="${SITE_POLICY}" />`;
    expect(html.indexOf(policy)).toBe(
      html.indexOf('<meta charset="utf-8" />') + '<meta charset="utf-8" />\n    '.length,
    );
    expect(html).toContain('<meta name="zigzag-host" content="./assets/host-2.js" />');
    expect(html).toMatch(/<div id="root"><p class="zz-loading">[\s\S]*file:\/\/[\s\S]*<\/p><\/div>/);
    expect(html).not.toContain('zigzag-downloads');
  });

  it('names the desktop’s address only as configured, as text', () => {
    expect(compose('https://example.org/"a"&b')).toContain(
      '<meta name="zigzag-downloads" content="https://example.org/&quot;a&quot;&amp;b" />',
    );
  });

  it('allows what the served page may do, except styles, which the page narrows itself', () => {
    const parts = (policy: string) => policy.split('; ').filter((part) => !part.startsWith('style-src'));
    // A policy in a page cannot say who may frame it.
    const served = parts(contentSecurityPolicy('x')).filter((part) => !part.startsWith('frame-ancestors'));
    expect(parts(SITE_POLICY)).toEqual(served);
    expect(SITE_POLICY).toContain("style-src 'self' 'unsafe-inline'");
  });

  it('is not built from a page without a place for it, or without a host', () => {
    writeFileSync(at('page', 'index.html'), '<html></html>');
    expect(() => compose()).toThrow('the page has no place');
    rmSync(at('site', 'assets', 'host-2.js'));
    expect(() => compose()).toThrow('no host');
  });
});
