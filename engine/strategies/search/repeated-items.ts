import { getOrCompute } from '../../get-or-compute.ts';
import { sortByKey } from '../../typed-arrays.ts';
import type { LiveModel } from './live-model.ts';

/** Items by kind: those of one kind have the same bytes and work, and are used at the same distances. */
export interface RepeatedItems {
  readonly kindOf: Int32Array;
  /** Items of kind k: sorted[offsets[k] .. offsets[k+1]). */
  readonly sorted: Int32Array;
  readonly offsets: Int32Array;
}

const known = new WeakMap<LiveModel, RepeatedItems>();

/** Finds items that repeat, as those of repeated layers do. O(V + E), once for each model. */
export const repeatedItems = (model: LiveModel): RepeatedItems =>
  getOrCompute(known, model, () => found(model));

function found({
  items,
  final,
  bytes,
  work,
  auxBytes,
  auxPosition,
  needOffsets,
  needPositions,
  outOffsets,
  outs,
}: LiveModel): RepeatedItems {
  const kinds = new Map<string, number>();
  const kindOf = Int32Array.from({ length: items }, (_, item) => {
    const at = final[item]!;
    const key = [
      bytes[item],
      work[item],
      auxBytes[item],
      auxPosition[item]! < 0 ? -1 : auxPosition[item]! - at,
      ...needPositions.subarray(needOffsets[item], needOffsets[item + 1]).map((p) => p - at),
      '',
      ...outs.subarray(outOffsets[item], outOffsets[item + 1]).map((out) => out - item),
    ].join();
    const kind = kinds.get(key) ?? kinds.size;
    kinds.set(key, kind);
    return kind;
  });
  return { kindOf, ...sortByKey(kindOf, kinds.size) };
}
