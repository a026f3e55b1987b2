import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm';
// Compiled from native/ and ../native/ by `npm run kernels`.
import kernels from './kernels.wasm?url&inline';

/** Rows and columns of the tiles in which products are computed (native/products.h). */
export const ROWS = 4;
export const COLUMNS = 8;

/** The kernels of native/: their arguments are addresses on the heap, extents and numbers. */
export type SimdKernels = Readonly<Record<KernelName, (...values: number[]) => void>>;
type KernelName =
  | ('product' | 'outerProduct' | 'pad' | 'maxPoolGradient' | 'copyRows' | 'gatherRows')
  | ('tilesOf' | 'outputsOf' | 'filtersOf' | 'outputGradientsOf' | 'filterGradientsOf')
  | ('add' | 'divide' | 'relu' | 'reluGradient' | 'gelu' | 'geluGradient' | 'descend')
  | ('attentionShares' | 'attentionSharesAgain' | 'attentionScoresGradient' | 'hideLater')
  | ('columnSum' | 'columnSquares' | 'columnProducts' | 'normalise' | 'normaliseGradient')
  | ('softmax' | 'softmaxGradient' | 'layerNorm' | 'layerNormGradient');

/** The part of TensorFlow.js's module that is used; private in its types. */
interface HeapModule {
  readonly asm: { readonly memory: WebAssembly.Memory };
}

const kernelsOf = new WeakMap<BackendWasm, SimdKernels>();

/** The kernels on a backend's heap. */
export function simd(backend: BackendWasm): SimdKernels {
  const known = kernelsOf.get(backend);
  if (known !== undefined) return known;
  const { asm } = (backend as unknown as { readonly wasm: HeapModule }).wasm;
  const module = new WebAssembly.Module(Buffer.from(kernels.slice(kernels.indexOf(',') + 1), 'base64'));
  const { exports } = new WebAssembly.Instance(module, { heap: { memory: asm.memory } });
  kernelsOf.set(backend, exports as SimdKernels);
  return exports as SimdKernels;
}
