import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm';
import compile from 'watr/compile';
import { ATTENTION } from './attention.ts';
import { COLUMN_KERNELS } from './columns.ts';
import { ELEMENTWISE } from './elementwise.ts';
import { PACKING } from './packing.ts';
import { PADDING } from './padding.ts';
import { POOL } from './pool.ts';
import { PRODUCTS } from './products.ts';
import { ROW_KERNELS } from './rows.ts';
import { lines } from './text.ts';
import { WINOGRAD } from './winograd.ts';

/** Every kernel of this folder; all numbers are i32 or f32, as their texts say. */
const NAMES = [
  ...(['product', 'outerProduct', 'pad', 'maxPoolGradient'] as const),
  ...(['tilesOf', 'outputsOf', 'filtersOf', 'outputGradientsOf', 'filterGradientsOf'] as const),
  ...(['add', 'divide', 'relu', 'reluGradient', 'gelu', 'geluGradient', 'descend'] as const),
  ...(['attentionShares', 'attentionSharesAgain', 'attentionScoresGradient'] as const),
  ...(['columnSum', 'columnSquares', 'columnProducts', 'normalise', 'normaliseGradient'] as const),
  ...([
    'softmax',
    'softmaxGradient',
    'layerNorm',
    'layerNormGradient',
    'copyRows',
    'gatherRows',
    'hideLater',
  ] as const),
] as const;

export type SimdKernels = Readonly<Record<(typeof NAMES)[number], (...values: number[]) => void>>;

const PARTS = [
  PACKING,
  PRODUCTS,
  PADDING,
  POOL,
  ELEMENTWISE,
  COLUMN_KERNELS,
  ROW_KERNELS,
  WINOGRAD,
  ATTENTION,
];

/** Assembles the kernels for the heap of another module, on which they work. Takes about 50 ms. */
function instantiate(memory: WebAssembly.Memory): SimdKernels {
  const text = lines('(module (import "heap" "memory" (memory 0))', ...PARTS, ')');
  const module = new WebAssembly.Module(compile(text) as BufferSource);
  return new WebAssembly.Instance(module, { heap: { memory } }).exports as SimdKernels;
}

/** What is used of TensorFlow.js's module, which is private in its types. */
interface HeapModule {
  readonly asm: { readonly memory: WebAssembly.Memory };
}

const kernelsOf = new WeakMap<BackendWasm, SimdKernels>();

/** The kernels on a backend's heap. */
export function simd(backend: BackendWasm): SimdKernels {
  const known = kernelsOf.get(backend);
  if (known !== undefined) return known;
  const { asm } = (backend as unknown as { readonly wasm: HeapModule }).wasm;
  const kernels = instantiate(asm.memory);
  kernelsOf.set(backend, kernels);
  return kernels;
}
