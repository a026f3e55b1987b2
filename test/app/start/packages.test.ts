import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LATER, manifestWithout, ON_REQUEST } from '../../../app/start/packages.mjs';

const ROOT = join(import.meta.dirname, '../../..');
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** Packages that only tests, checks and packing run. */
const NOT_THE_LAB =
  /^app\/start\/(?:dist|docs|sbom|self-test|test|prepare-tests|chromium|screenshots|bench)\.mjs$/;

/** Packages that a source loads, types left out; as `import('…')` too. */
function loaded(source: string): string[] {
  const names = [
    ...source.matchAll(/^(?:import|export) (?!type )[^;']*?from '([^'.][^']*)'/gm),
    ...source.matchAll(/^import '([^'.][^']*)'/gm),
    ...source.matchAll(/\b(?:import|require)\('([^'.][^']*)'\)/g),
  ].map(([, name]) => name!);
  return names
    .filter((name) => !isBuiltin(name))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}

describe('the packages that an installation gets', () => {
  it('leaves out only existing packages, and keeps all others unchanged', () => {
    const fields = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;
    const all = fields.flatMap((field) => Object.keys(MANIFEST[field]));
    expect(LATER.filter((name) => !all.includes(name))).toEqual([]);
    expect(ON_REQUEST.filter((name) => !LATER.includes(name))).toEqual([]);
    const left = manifestWithout(MANIFEST, LATER);
    for (const field of fields) {
      const kept = Object.entries(MANIFEST[field]).filter(([name]) => !LATER.includes(name));
      expect(left[field]).toEqual(Object.fromEntries(kept));
    }
    expect({ ...left, ...Object.fromEntries(fields.map((f) => [f, MANIFEST[f]])) }).toEqual(MANIFEST);
  });

  it('has every package that its sources load, except those on request', () => {
    const files = ['engine', 'app', 'main', 'renderer'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true })
        .map((file) => `${folder}/${String(file).replaceAll('\\', '/')}`)
        .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !NOT_THE_LAB.test(file)),
    );
    const missing = files.flatMap((file) =>
      loaded(readFileSync(join(ROOT, file), 'utf8'))
        .filter((name) => LATER.includes(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(missing).toEqual(['main/trainer/backends/webgpu.ts: webgpu']);
    expect(
      loaded("import { a } from 'vitest';\nimport type { b } from 'knip';\nawait import('webgpu');"),
    ).toEqual(['vitest', 'webgpu']);
  });
});
