import { formatBytes } from '../../engine/bytes.ts';
import { type Held, TERMS, type Term } from '../../engine/training-memory/held.ts';

/** Name of a term in a table or a sentence. */
export const TERM_TITLES: Readonly<Record<Term, string>> = {
  weights: 'weights',
  copies: 'half copies',
  gradients: 'gradients of weights',
  optimizer: 'optimizer',
  activations: 'activations',
  inFlight: 'other micro-batches',
  loss: 'loss',
  workspace: 'workspace',
  rounding: 'rounding',
  context: 'context',
};

/** Source of a term's bytes, in a few words (SPEC, "What a device holds"). */
export const TERM_SOURCES: Readonly<Record<Term, string>> = {
  weights: 'Parameters, and the buffers of batch norm',
  copies: 'Copies of weights for autocast’s products, two bytes an element',
  gradients: 'Gradients computed by then',
  optimizer: 'The optimizer’s state, allocated in its first step',
  activations: 'Live bytes of the step, as the simulator counts them',
  inFlight: 'Kept by a pipeline stage for micro-batches between their forward and backward pass',
  loss: 'Model output, still referenced, and the memory of cross entropy',
  workspace:
    'Workspace of cuBLAS, and on several GPUs gathered weights and buffers of collectives; cuDNN’s is unknown',
  rounding: 'PyTorch’s allocator gives every tensor a multiple of 512 bytes',
  context: 'Driver and libraries: an assumption',
};

/** The terms that are there, in their order: `weights 44.6 MiB, activations 1.20 GiB, context 768 MiB`. */
export function termsText({ terms }: Pick<Held, 'terms'>): string {
  return TERMS.filter((term) => terms[term] > 0)
    .map((term) => `${TERM_TITLES[term]} ${formatBytes(terms[term])}`)
    .join(', ');
}
