import { predecessorsOf } from '../../graph/graph.ts';
import { needsOf } from '../../ops/memory-model.ts';
import type { LiveModel } from '../search/live-model.ts';

/** Some backward steps with what they need, recomputed before them. */
export interface Stage {
  /** Positions of its backward steps, falling. */
  readonly positions: readonly number[];
  /** By item: the lowest of these positions that needs its value, its auxiliary that grows with the batch. */
  readonly values: ReadonlyMap<number, number>;
  readonly auxiliaries: ReadonlyMap<number, number>;
  /** The last of them that needs what none before it did. */
  readonly lastNew: number;
}

/** Decisions at every stage of backward. */
export interface Stages {
  readonly model: LiveModel;
  readonly stages: readonly Stage[];
  /** True when each stage begins where a backward step needs something that the one before did not. */
  readonly isFine: boolean;
  /** By stage, rising: the items that it or a later one may have a use for. */
  readonly useful: readonly (readonly number[])[];
  /** By item: 1 where its value always stays: the source, and what cannot be computed again by itself. */
  readonly pinned: Uint8Array;
}

/** One stage for each backward step that needs something new. Time and space O(stages x (storages + edges)). */
export function fineStages(model: LiveModel): Stages {
  const { order, graph, memory, itemOf } = model;
  const pinned = new Uint8Array(model.items);
  pinned[0] = 1;
  for (let v = 1; v < order.length; v++)
    for (const u of predecessorsOf(graph, v)) if (itemOf[u]! > itemOf[v]!) pinned[itemOf[v]!] = 1;
  const stages: Draft[] = [];
  for (let p = order.length - 1; p > 0; p--) {
    const v = order[p]!;
    const values = Array.from(needsOf(memory, v), (u) => itemOf[u]!).filter((item) => pinned[item] === 0);
    const grows = (memory.auxBytes[v] ?? 0) > 0 && memory.auxIsFixed[v] !== 1;
    // An operation that cannot be recomputed keeps its auxiliary too.
    const auxiliaries = grows && pinned[itemOf[v]!] === 0 ? [itemOf[v]!] : [];
    let stage = stages.at(-1);
    if (
      stage === undefined ||
      values.some((item) => !stage?.values.has(item)) ||
      auxiliaries.some((item) => !stage?.auxiliaries.has(item))
    ) {
      stage = { positions: [], values: new Map(), auxiliaries: new Map(), lastNew: p };
      stages.push(stage);
    }
    stage.positions.push(p);
    for (const item of values) stage.values.set(item, p);
    for (const item of auxiliaries) stage.auxiliaries.set(item, p);
  }
  return { model, stages, isFine: true, useful: usefulItems(model, stages, pinned), pinned };
}

/** The same with neighbours joined until there are so many stages. */
export function joinStages(fine: Stages, count: number): Stages {
  const { model, stages, pinned } = fine;
  if (stages.length <= count) return fine;
  const joined = Array.from({ length: count }, (_, i): Draft => {
    const parts = stages.slice(
      Math.floor((i * stages.length) / count),
      Math.floor(((i + 1) * stages.length) / count),
    );
    const values = new Set<number>();
    let lastNew = parts[0]!.lastNew;
    for (const part of parts) {
      const isNew = [...part.values.keys(), ...part.auxiliaries.keys()].some((item) => !values.has(item));
      if (isNew) lastNew = part.lastNew;
      for (const item of part.values.keys()) values.add(item);
    }
    return {
      positions: parts.flatMap(({ positions }) => positions),
      values: new Map(parts.flatMap((part) => [...part.values])),
      auxiliaries: new Map(parts.flatMap((part) => [...part.auxiliaries])),
      lastNew,
    };
  });
  return { ...fine, stages: joined, isFine: false, useful: usefulItems(model, joined, pinned) };
}

interface Draft {
  readonly positions: number[];
  readonly values: Map<number, number>;
  readonly auxiliaries: Map<number, number>;
  readonly lastNew: number;
}

function usefulItems(
  { items, ins, inOffsets }: LiveModel,
  stages: readonly Stage[],
  pinned: Uint8Array,
): number[][] {
  const useful = new Uint8Array(items);
  return stages
    .toReversed()
    .map(({ values, auxiliaries }) => {
      for (const item of [...values.keys(), ...auxiliaries.keys()]) useful[item] = 1;
      for (let item = items - 1; item > 0; item--) {
        if (useful[item] === 0) continue;
        for (let k = inOffsets[item]!; k < inOffsets[item + 1]!; k++)
          if (pinned[ins[k]!] === 0) useful[ins[k]!] = 1;
      }
      return Array.from({ length: items }, (_, item) => item).filter((item) => useful[item] === 1);
    })
    .reverse();
}
