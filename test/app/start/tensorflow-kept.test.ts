import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isKeptOfWheel, keepWhatRuns } from '../../../app/start/tensorflow-kept.mjs';
import { addonFile, sourceSizes, targetFolder } from '../../../app/start/tensorflow-plan.mjs';
import { sizesIn } from '../../../app/start/wheels.mjs';
import { skippedFor } from '../../support/skipped.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

function filled(files: readonly string[]): string {
  const folder = freshFolder();
  for (const file of files) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), file);
  }
  return folder;
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

describe('the kept files of TensorFlow', () => {
  it('are the library, what locates it, and notices; no folder is left empty', () => {
    const kept = [
      'node_modules/@tensorflow/tfjs-node/LICENSE',
      'node_modules/@tensorflow/tfjs-node/dist/index.js',
      'node_modules/@tensorflow/tfjs-node/lib/napi-v8/tfjs_binding.node',
      'node_modules/@tensorflow/tfjs-node/package.json',
      'node_modules/long/package.json',
      'package.json',
      'python/nvidia/cudnn/lib/libcudnn.so.9',
      'python/nvidia/cuda_nvcc/bin/ptxas',
      'python/tensorflow/THIRD_PARTY_NOTICES.txt',
      'python/tensorflow/libtensorflow_cc.so.2',
      'python/tensorflow/libtensorflow_framework.so.2',
      'python/tensorflow_cpu-2.21.0.dist-info/METADATA',
    ].sort();
    const gone = [
      'node_modules/@tensorflow/tfjs-node/binding/tfjs_backend.cc',
      'node_modules/@tensorflow/tfjs-node/dist/index.d.ts',
      'node_modules/long/src/long.js',
      'node_modules/node-api-headers/include/node_api.h',
      'python/bin/toco',
      'python/nvidia/cudnn/include/cudnn.h',
      'python/tensorflow/__init__.py',
      'python/tensorflow/include/external/llvm/LICENSE.txt',
      'python/tensorflow/python/_pywrap_tensorflow_internal.so',
      'python/tensorflow_cpu-2.21.0.dist-info/RECORD',
    ];
    const folder = filled([...kept, ...gone]);
    keepWhatRuns(
      folder,
      kept.filter((file) => /\.(?:js|node)$/.test(file)).map((file) => join(folder, file)),
    );
    expect(filesIn(folder)).toEqual(kept);
    expect(existsSync(join(folder, 'python', 'bin'))).toBe(false);
    expect(existsSync(join(folder, 'node_modules', 'node-api-headers'))).toBe(false);
    expect(isKeptOfWheel('tensorflow/lite/libtensorflowlite.so')).toBe(false);
  });

  const built = targetFolder();
  const wheels = join(import.meta.dirname, '../../../app/start/tensorflow/linux-x64.txt');
  const isWhole = existsSync(join(built, 'python', 'bin'));
  const why =
    existsSync(addonFile(built)) && process.arch === 'x64' && !isWhole
      ? ''
      : 'npm run setup:tensorflow was not run';
  it.skipIf(why !== '')(`have the announced size${skippedFor(why)}`, () => {
    const bytes = filesIn(built).reduce((sum, file) => sum + statSync(join(built, file)).size, 0);
    const said = sizesIn(wheels).diskBytes + sourceSizes().diskBytes;
    // The addon itself and what pip and npm leave of themselves.
    expect(bytes - said).toBeGreaterThan(0);
    expect(bytes - said).toBeLessThan(1e6);
  });
});
