import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { cruise, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser';
import { beforeAll, describe, expect, it } from 'vitest';
import config from '../.dependency-cruiser.mjs';
import { freshFolder } from './support/fresh-folder.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['engine', 'app', 'main', 'renderer'];

/** Faults that the linter would report for the tree in a folder: the same rules, from the same list. */
async function faultsIn(root: string): Promise<{ from: string; to: string; rule: string }[]> {
  const { forbidden, options } = config;
  const { output } = await cruise(FOLDERS, {
    ...options,
    baseDir: root,
    validate: true,
    ruleSet: { forbidden } as IFlattenedRuleSet,
  });
  return (output as ICruiseResult).summary.violations.map(({ from, to, rule }) => ({
    from,
    to,
    rule: rule.name,
  }));
}

const REFUSED: readonly (readonly [string, string, string])[] = [
  ['engine/graph/a.ts', '../../app/contract/x.ts', 'engine may not import app/contract'],
  ['engine/graph/a.ts', '../strategies/../../main/x.ts', 'engine may not import main'],
  ['engine/graph/a.ts', 'node:fs', 'engine may not import node'],
  ['engine/graph/a.ts', 'zod', 'engine may not import packages'],
  ['engine/simulate/a.ts', '../strategies/live.ts', 'engine/simulate may not import engine/strategies'],
  ['app/contract/a.ts', '../cli/x.ts', 'app/contract may not import app/cli'],
  ['app/contract/a.ts', 'node:fs', 'app/contract may not import node'],
  ['app/contract/a.ts', '../bridges/x.ts', 'app/contract may not import app/bridges'],
  ['app/bridges/a.ts', '../cli/x.ts', 'app/bridges may not import app/cli'],
  ['app/bridges/a.ts', '../contract/x.ts', 'app/bridges may not import app/contract'],
  ['app/cli/a.ts', '../../renderer/x.ts', 'app/cli may not import renderer'],
  ['app/cli/a.ts', '../../main/electron/x.ts', 'app/cli may not import main/electron'],
  ['app/cli/a.ts', 'electron', 'app/cli may not import electron'],
  ['app/cli/a.ts', '@tensorflow/tfjs-core', 'app/cli may not import tensorflow'],
  ['main/lab/a.ts', '../electron/x.ts', 'main may not import main/electron'],
  ['main/lab/a.ts', '../../app/cli/x.ts', 'main may not import app/cli'],
  ['main/lab/a.ts', '../../renderer/x.ts', 'main may not import renderer'],
  ['main/lab/a.ts', 'electron', 'main may not import electron'],
  ['main/trainer-client/a.ts', 'webgpu', 'main may not import tensorflow'],
  ['main/trainer/a.ts', 'electron', 'main/trainer may not import electron'],
  ['renderer/shell/a.tsx', '../../main/x.ts', 'renderer may not import main'],
  ['renderer/shell/a.tsx', 'node:path', 'renderer may not import node'],
  ['renderer/shell/a.tsx', 'electron', 'renderer may not import electron'],
  ['renderer/shell/a.tsx', '../../app/bridges/x.ts', 'renderer may not import app/bridges'],
  ['renderer/shell/a.tsx', '../../test/support/x.ts', 'renderer may not import test'],
  ['renderer/shared/a.ts', '../../app/contract/x.ts', 'renderer/shared may not import app/contract'],
  ['renderer/shared/a.ts', '../state/x.ts', 'renderer/shared may not import renderer/state'],
  ['renderer/state/a.ts', '../screens/graph/x.ts', 'renderer/state may not import renderer/screens'],
  ['renderer/screens/graph/a.ts', '../../shell/x.ts', 'renderer/screens may not import renderer'],
  ['renderer/screens/graph/a.ts', '../train/x.ts', 'no screen imports another'],
];

const ALLOWED: readonly (readonly [string, string])[] = [
  ['engine/strategies/a.ts', '../simulate/x.ts'],
  ['app/cli/a.ts', '../contract/x.ts'],
  ['app/cli/a.ts', '../../main/x.ts'],
  ['app/cli/a.ts', 'commander'],
  ['app/cli/a.ts', '../bridges/x.ts'],
  ['main/host/a.ts', '../../app/bridges/x.ts'],
  ['app/preload.ts', 'electron'],
  ['main/electron/a.ts', 'electron'],
  ['main/electron/a.ts', '../lab/x.ts'],
  ['main/trainer/a.ts', '@tensorflow/tfjs-core'],
  ['renderer/screens/graph/a.tsx', '../../shared/x.ts'],
  ['renderer/shell/a.tsx', '../screens/graph/x.ts'],
  ['renderer/screens/graph/a.tsx', '../../../engine/graph/x.ts'],
];

/** Each case is a file of its own in the folder of the first word, so that faults can be told apart. */
const caseFile = (file: string, index: number): string =>
  posix
    .join(posix.dirname(file), `case${index}-${posix.basename(file)}`)
    .replace('app/case', 'app/preload-case');

describe('layering', () => {
  it('holds for every source file, without a cycle', async () => {
    expect(await faultsIn(ROOT)).toEqual([]);
  });

  describe('in a made-up tree', () => {
    const root = freshFolder();
    let faults: Awaited<ReturnType<typeof faultsIn>> = [];
    const write = (file: string, text: string): void => {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    };

    beforeAll(async () => {
      [...REFUSED, ...ALLOWED].forEach(([file, specifier], i) => {
        write(caseFile(file, i), `import { x } from '${specifier}';\nexport const y = x;\n`);
        if (specifier.startsWith('.')) {
          write(posix.join(posix.dirname(file), specifier), 'export const x = 1;\n');
        }
      });
      write('engine/graph/b.ts', "import type { C } from './c.ts';\nexport interface B { readonly c: C }\n");
      write('engine/graph/c.ts', "import type { B } from './b.ts';\nexport interface C { readonly b: B }\n");
      write('renderer/state/p/one.ts', "import { two } from '../q/two.ts';\nexport const one = two;\n");
      write('renderer/state/q/two.ts', 'export const two = 2;\n');
      write(
        'renderer/state/q/three.ts',
        "import { four } from '../p/four.ts';\nexport const three = four;\n",
      );
      write('renderer/state/p/four.ts', 'export const four = 4;\n');
      faults = await faultsIn(root);
    });

    it.each(REFUSED.map((one, i) => [...one, i] as const))('refuses %s importing %s', (file, _, rule, i) => {
      expect(faults.filter(({ from }) => from === caseFile(file, i)).map((fault) => fault.rule)).toEqual([
        rule,
      ]);
    });

    it.each(ALLOWED.map((one, i) => [...one, i] as const))('allows %s importing %s', (file, _, i) => {
      expect(faults.filter(({ from }) => from === caseFile(file, REFUSED.length + i))).toEqual([]);
    });

    it('refuses a cycle of types', () => {
      expect(faults.filter(({ rule }) => rule === 'no cycle').map(({ from }) => from)).toEqual([
        'engine/graph/b.ts',
      ]);
    });

    it('refuses folders that import each other, though no file does', () => {
      const folders = faults.filter(({ rule }) => rule === 'no cycle of folders').map(({ from }) => from);
      expect(folders).toEqual(expect.arrayContaining(['renderer/state/p', 'renderer/state/q']));
    });
  });
});
