import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { findSwiftShader, NO_SOFTWARE_GPU } from '../../app/start/chromium.mjs';
import { skippedFor } from '../support/skipped.ts';
import { CACHE, ROOT } from '../main/support/built.ts';
import { nodeOfElectron, obstacleToRefusal } from './standin/node-of-electron.ts';

const swiftShader = findSwiftShader();
const why = obstacleToRefusal() ?? (swiftShader === undefined ? NO_SOFTWARE_GPU : '');

/** Dawn's binding for Node hands memory of its own to JavaScript, which is why the desktop trains in a window. */
const MAP = `
  import { create, globals } from 'webgpu';
  Object.assign(globalThis, globals);
  const device = await (await create([]).requestAdapter()).requestDevice();
  const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.MAP_WRITE;
  const buffer = device.createBuffer({ size: 16, usage, mappedAtCreation: true });
  let answer = 'refused';
  try { answer = String(buffer.getMappedRange().byteLength); } catch {}
  process.stdout.write(answer, () => process.exit(0));
`;

const map = (node: string): string =>
  execFileSync(node, ['--input-type=module', '-e', MAP], {
    cwd: ROOT,
    env: { ...process.env, VK_ICD_FILENAMES: swiftShader ?? '' },
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString();

describe.skipIf(why !== '')(`the Node of the desktop's tests${skippedFor(why)}`, () => {
  it('refuses external buffers, as in Electron, and this one does not', () => {
    expect(map(process.execPath)).toBe('16');
    expect(map(nodeOfElectron(CACHE))).toBe('refused');
  });
});
