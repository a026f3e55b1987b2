import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

/**
 * Snapshots that test/reference/torch_snapshots.py wrote on PyTorch 2.15: training runs on a CPU, laid out by a model
 * of the caching allocator. Nothing in them was measured on a GPU.
 */
export type SnapshotName =
  | 'resnet18-stacks'
  | 'resnet18-threads'
  | 'resnet18-out-of-memory'
  | 'tiny-gpt-annotations'
  | 'tiny-gpt-ring'
  | 'tiny-gpt-none';

/** From the repository's folder, in which all tests run, as the fuzzer's processes are one file elsewhere. */
export const snapshotPath = (name: SnapshotName): string =>
  resolve('test', 'fixtures', 'snapshots', `${name}.pickle.gz`);

export const snapshotFile = (name: SnapshotName): Uint8Array =>
  new Uint8Array(gunzipSync(readFileSync(snapshotPath(name))));
