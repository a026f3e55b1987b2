import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { knownLicense, WITHOUT_TEXT } from '../../../app/start/license-table.mjs';
import {
  licensesDocument,
  licenseText,
  lockedPackages,
  shippedPackages,
} from '../../../app/start/licenses.mjs';
import { shippedBill } from '../../../app/start/sbom.mjs';
import { freshFolder } from '../../support/fresh-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');
const IS_LICENSE = /permission is hereby granted|redistribution and use|permission to use|apache license/i;

describe('the packages that the program loads', () => {
  const locked = lockedPackages();

  it('include their licence text, or it is known, on every platform', () => {
    const unlicensed = locked.filter(
      ({ path, name }) => !IS_LICENSE.test(licenseText(join(ROOT, path), name) ?? ''),
    );
    expect(unlicensed.map(({ name, license }) => `${name} (${license})`)).toEqual([]);
    expect(locked.length).toBeGreaterThan(100);
  });

  it('have no licence that requires more than its text', () => {
    const licenses = locked.flatMap(({ license }) => license.match(/[\w.-]+/g) ?? []);
    const asks = new Set(licenses.filter((word) => !['AND', 'OR'].includes(word)));
    expect([...asks].sort()).toEqual(['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT']);
  });

  it('are the only entries of the table of texts, with matching licences', () => {
    const bundled = ['react-remove-scroll-bar'];
    for (const { name, of } of WITHOUT_TEXT) {
      const users = locked.filter((one) => knownLicense(one.name)?.name === name);
      if (!bundled.includes(name)) expect(users, name).not.toEqual([]);
      for (const { license } of users) {
        for (const text of of.flatMap(({ texts }) => texts)) expect(license, name).toContain(text);
      }
    }
  });
});

describe('what ships', () => {
  const root = freshFolder();
  const MIT = 'MIT License\n\nCopyright (c) Somebody\n\nPermission is hereby granted, free of charge';

  const put = (path: string, files: Record<string, string>): void => {
    mkdirSync(join(root, path), { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(root, path, file), text);
  };
  beforeAll(() => {
    const packages = {
      '': {},
      'node_modules/a': { version: '1.0.0', license: 'MIT' },
      'node_modules/a/node_modules/b': { version: '2.0.0', license: 'MIT' },
      'node_modules/tool': { version: '1.0.0', license: 'MIT', dev: true },
      'node_modules/elsewhere': { version: '1.0.0', license: 'MIT', optional: true },
    };
    put('.', { 'package-lock.json': JSON.stringify({ packages }) });
    put('node_modules/a', { LICENSE: MIT, 'license.js': 'code', NOTICE: 'a notice' });
    put('node_modules/a/node_modules/b', {
      'README.md': `# b\n\nLicense\n-------\n\n(The MIT License)\n\n${MIT}\n`,
    });
    put('node_modules/page', { 'LICENSE.md': MIT });
    put('node_modules/bare', { 'README.md': '# License\nMIT\n' });
  });

  it('is the loaded packages and those in a page, each once, with notices and README texts', () => {
    const page = { name: 'page', version: '3.0.0', identifier: '(MIT)' };
    const shipped = shippedPackages([page, page, { name: 'a', version: '1.0.0', text: MIT }], root);
    expect(shipped.map(({ name, version }) => `${name} ${version}`)).toEqual([
      'a 1.0.0',
      'b 2.0.0',
      'page 3.0.0',
    ]);
    const [, b, own] = shipped;
    expect(b?.text).toBe(`(The MIT License)\n\n${MIT}`);
    expect(own?.text).toBe(MIT);
    expect(licenseText(join(root, 'node_modules/a'), 'a')).toBe(`${MIT}\n\na notice`);
    const document = licensesDocument(shipped);
    expect(document).toContain('ships 3 packages of others');
    expect(document).toContain('a 1.0.0 (unknown)\npage 3.0.0 (MIT)\n');
    expect(document.split('Permission is hereby granted')).toHaveLength(3);
  });

  it('fails the build if a text is missing, and says what to do', () => {
    expect(() => shippedPackages([{ name: 'bare', version: '1.0.0', identifier: 'MIT' }], root)).toThrow(
      'bare 1.0.0 (MIT) ships without the text of its licence: add it to app/start/license-table.mjs.',
    );
  });
});

describe('the bill of materials', () => {
  const component = (name: string) => ({ 'bom-ref': `${name}@1.0.0`, name, version: '1.0.0' });
  const bom = {
    metadata: { component: component('folder') },
    components: ['a', 'b', 'tool'].map(component),
    dependencies: [
      { ref: 'folder@1.0.0', dependsOn: ['a@1.0.0', 'tool@1.0.0'] },
      { ref: 'a@1.0.0', dependsOn: ['b@1.0.0'] },
      { ref: 'tool@1.0.0' },
    ],
  };

  it('lists what ships, with dependencies', () => {
    const bill = shippedBill(bom, ['a', 'b'].map(component), 'zigzag');
    expect(bill.components.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(bill.metadata.component).toMatchObject({ name: 'zigzag', type: 'application' });
    expect(bill.dependencies).toEqual([
      { ref: 'folder@1.0.0', dependsOn: ['a@1.0.0'] },
      { ref: 'a@1.0.0', dependsOn: ['b@1.0.0'] },
    ]);
  });

  it('is refused if npm does not know the shipped packages', () => {
    expect(() => shippedBill(bom, [component('c')], 'zigzag')).toThrow(
      'npm sbom does not know c 1.0.0, which ships.',
    );
  });
});
