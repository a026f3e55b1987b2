import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importSpecifiers, wrongImports } from './support/layers.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['engine', 'app', 'main', 'renderer'];

function sourceFiles(): string[] {
  return FOLDERS.flatMap((folder) => {
    try {
      return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(ts|tsx|mts|cts)$/.test(entry.name))
        .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  });
}

describe('layering', () => {
  it('holds for every source file', () => {
    const wrong = sourceFiles().flatMap((file) => wrongImports(file, readFileSync(join(ROOT, file), 'utf8')));
    expect(wrong.map(({ file, specifier, reason }) => `${file}: '${specifier}': ${reason}`)).toEqual([]);
  });

  it.each([
    ['engine/graph/a.ts', '../../app/contract/x.ts', 'engine may import engine'],
    ['engine/graph/a.ts', '../../main/x.ts', 'engine may import engine'],
    ['engine/graph/a.ts', '../strategies/../../main/x.ts', 'not main'],
    ['engine/graph/a.ts', 'node:fs', 'no package'],
    ['engine/graph/a.ts', 'zod', 'no package'],
    ['engine/simulate/a.ts', '../strategies/live.ts', 'not engine/strategies'],
    ['engine/graph/a.ts', '../../package.json', 'not package.json'],
    ['app/contract/a.ts', '../cli/main.ts', 'not app'],
    ['app/contract/a.ts', 'node:fs', 'without Node'],
    ['app/bridges/a.ts', '../cli/main.ts', 'not app'],
    ['app/bridges/a.ts', '../contract/index.ts', 'not app/contract'],
    ['app/contract/a.ts', '../bridges/import-file.ts', 'not app/bridges'],
    ['renderer/graph/a.tsx', '../../app/bridges/import-file.ts', 'not app/bridges'],
    ['app/cli/a.ts', '../../main/electron/window.ts', 'not main/electron'],
    ['app/cli/a.ts', '../../main/trainer/run.ts', 'not main/trainer'],
    ['app/cli/a.ts', '../../renderer/x.ts', 'not renderer'],
    ['app/cli/a.ts', 'electron', 'electron is imported'],
    ['app/cli/a.ts', '@tensorflow/tfjs-core', 'TensorFlow.js is imported'],
    ['main/lab/a.ts', '../electron/window.ts', 'not main/electron'],
    ['main/lab/a.ts', '../../app/cli/x.ts', 'not app'],
    ['main/lab/a.ts', '../../renderer/x.ts', 'not renderer'],
    ['main/lab/a.ts', 'electron', 'electron is imported'],
    ['main/trainer/a.ts', 'electron', 'electron is imported'],
    ['renderer/graph/a.tsx', '../../main/x.ts', 'not main'],
    ['renderer/graph/a.tsx', 'node:path', 'without Node'],
    ['renderer/graph/a.tsx', 'electron', 'electron is imported'],
    ['renderer/graph/a.tsx', '../../test/support/x.ts', 'nothing outside test imports test'],
  ])('refuses %s importing %s', (file, specifier, reason) => {
    const [wrong, ...more] = wrongImports(file, `import { x } from '${specifier}';`);
    expect(more).toEqual([]);
    expect(wrong?.specifier).toBe(specifier);
    expect(wrong?.reason).toContain(reason);
  });

  it.each([
    ['engine/strategies/live.ts', '../simulate/simulate.ts'],
    ['engine/simulate/a.ts', '../graph/graph.ts'],
    ['app/cli/main.ts', '../contract/index.ts'],
    ['app/cli/main.ts', 'commander'],
    ['app/cli/load.ts', '../bridges/import-file.ts'],
    ['app/cli/commands/serve.ts', '../../../main/serve.ts'],
    ['main/host/lab.ts', '../../app/bridges/import-file.ts'],
    ['app/bridges/onnx/read.ts', '@bufbuild/protobuf'],
    ['app/preload.ts', 'electron'],
    ['main/electron/main.ts', 'electron'],
    ['main/electron/main.ts', '../lab/host.ts'],
    ['main/trainer/process.ts', '@tensorflow/tfjs-core'],
    ['renderer/main.tsx', './theme.css'],
    ['renderer/graph/a.tsx', '../../engine/graph/graph.ts'],
  ])('allows %s importing %s', (file, specifier) => {
    expect(wrongImports(file, `import { x } from '${specifier}';`)).toEqual([]);
  });

  it('sees every way to import', () => {
    const source = `
      /// <reference types="node" />
      import a from 'a';
      import type { B } from 'b';
      import 'c';
      export * from 'd';
      export { e } from 'e';
      const f = await import('f');
      type G = import('g').G;
      // import 'comment';
      const text = "import 'text'";
    `.trimStart();
    expect(importSpecifiers(source).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'node']);
  });
});
