import type { Backend } from './backend.ts';
import { cpuBackend } from './cpu.ts';
import { tensorflowBackend } from './tensorflow.ts';
import { wasmBackend } from './wasm.ts';
import { webgpuBackend } from './webgpu.ts';

/** Backends of a process of Node or Electron, in the order of preference. */
export const NODE_BACKENDS: readonly Backend[] = [tensorflowBackend, webgpuBackend, wasmBackend, cpuBackend];
