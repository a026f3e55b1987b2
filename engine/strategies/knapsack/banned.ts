import type { OperationKind } from '../../ops/operation.ts';
import { type LiveModel, membersOf } from '../search/live-model.ts';

/**
 * Operations that a compiler's partitioner never recomputes by itself: matrix products, random numbers, unknown ones.
 */
const INTENSIVE: ReadonlySet<OperationKind> = new Set([
  'conv2d',
  'conv-transpose2d',
  'linear',
  'tied-linear',
  'patches',
  'attention',
  'attention-scores',
  'attention-values',
  'dropout',
  'opaque',
]);
/** And what is neither of these nor on its list of cheap operations (pointwise ones, views, normalisations). */
const NOT_LISTED: ReadonlySet<OperationKind> = new Set(['max-pool', 'avg-pool', 'concat', 'class-token']);
/** An output this many times smaller than its inputs is a reduction, which is never recomputed. */
const REDUCTION = 4;

/** Items that must not be recomputed: 1. */
export interface Banned {
  /** For the fastest cut: all but the cheap operations. */
  readonly cautious: Uint8Array;
  /** Only what is dear, and reductions. */
  readonly dear: Uint8Array;
}

/** By the kinds of an item's operations and by its size. */
export function bannedItems(model: LiveModel): Banned {
  const { graph, items, bytes, ins, inOffsets } = model;
  const cautious = new Uint8Array(items);
  const dear = new Uint8Array(items);
  for (let item = 1; item < items; item++) {
    const kinds = Array.from(membersOf(model, item), (v) => graph.operations[v]!.kind);
    const inputs = ins
      .subarray(inOffsets[item], inOffsets[item + 1])
      .reduce((sum, input) => sum + bytes[input]!, 0);
    if (kinds.some((kind) => INTENSIVE.has(kind)) || REDUCTION * bytes[item]! < inputs) dear[item] = 1;
    if (dear[item] === 1 || kinds.some((kind) => NOT_LISTED.has(kind))) cautious[item] = 1;
  }
  return { cautious, dear };
}
