import { predecessorsOf } from '../../graph/graph.ts';
import { needsOf } from '../../ops/memory-model.ts';
import { insertFrees } from '../../schedule/liveness.ts';
import { BACKWARD, FORWARD, FREE, FREE_AUX, type Schedule } from '../../schedule/schedule.ts';
import { simulate } from '../../simulate/simulate.ts';
import type { Problem } from '../strategy/strategy.ts';

/** Two uses of a storage with others' steps in between, in which it may be in host memory instead. */
export interface IdleGap {
  /** Content of the storage in between: the activation to send. */
  readonly vertex: number;
  readonly bytes: number;
  /** Places of the two uses among the steps that compute. */
  readonly from: number;
  readonly to: number;
  /** Views of it that are used afterwards and have to be recomputed once it is back; in order. */
  readonly views: readonly number[];
}

/** A schedule without its frees, the live bytes of each of its steps where all is freed as early as can be, and its gaps. */
export interface Computing {
  readonly compute: Schedule;
  readonly live: Float64Array;
  readonly recomputeWork: number;
  readonly gaps: readonly IdleGap[];
}

interface Storage {
  /** Whose value is in it. */
  holder: number;
  readonly bytes: number;
  /** Place of the last use so far. */
  lastUse: number;
}

interface View {
  readonly storage: Storage;
  readonly vertex: number;
  readonly made: number;
  lastUse: number;
}

/**
 * Values of a schedule that might move to host memory, and when. Left out are the source, views themselves, gaps without
 * an operation, views that need more than their input, and values recomputed in between. Time O(steps + uses), space too.
 */
export function computingOf(problem: Problem, schedule: Schedule): Computing {
  const { graph, memory } = problem;
  const kinds = schedule.kinds.filter((kind) => kind !== FREE && kind !== FREE_AUX);
  const vertices = schedule.vertices.filter(
    (_v, t) => schedule.kinds[t] !== FREE && schedule.kinds[t] !== FREE_AUX,
  );
  const compute: Schedule = { kinds, vertices };
  const freed = insertFrees(graph, memory, compute);
  const timeline = simulate(graph, memory, freed);
  const live = timeline.live.filter((_bytes, t) => freed.kinds[t] !== FREE && freed.kinds[t] !== FREE_AUX);
  return { compute, live, recomputeWork: timeline.recomputeWork, gaps: gapsOf(problem, compute) };
}

function gapsOf({ graph, memory }: Problem, { kinds, vertices }: Schedule): IdleGap[] {
  const storageOf = new Array<Storage | undefined>(graph.size);
  const viewAt = new Array<View | undefined>(graph.size);
  const forwarded = new Int32Array(graph.size).fill(-1);
  const found: { gap: Omit<IdleGap, 'views'>; storage: Storage }[] = [];
  const viewsIn = new Map<Storage, View[]>();
  storageOf[0] = { holder: 0, bytes: 0, lastUse: 0 };
  const use = (u: number, t: number, isHeld = false): void => {
    const storage = storageOf[u];
    if (storage === undefined) return;
    const view = viewAt[u];
    if (view !== undefined) view.lastUse = t;
    const { holder: vertex, bytes, lastUse: from } = storage;
    const isIdle = !isHeld && t - from > 1 && bytes > 0 && forwarded[vertex]! <= from;
    if (isIdle) found.push({ gap: { vertex, bytes, from, to: t }, storage });
    storage.lastUse = t;
  };
  for (let t = 0; t < kinds.length; t++) {
    const v = vertices[t]!;
    if (kinds[t] === BACKWARD) for (const u of needsOf(memory, v)) use(u, t);
    if (kinds[t] !== FORWARD) continue;
    // A program that runs the first forward itself holds what it still reads there.
    const isHeld = graph.keepsOrder === true && forwarded[v] === -1;
    for (const u of predecessorsOf(graph, v)) use(u, t, isHeld);
    forwarded[v] = t;
    viewAt[v] = undefined;
    const destroyed = memory.takesOver[v]!;
    const viewed = memory.viewOf[v]!;
    if (destroyed >= 0) {
      const storage = storageOf[destroyed]!;
      storage.holder = v;
      storageOf[destroyed] = undefined;
      storageOf[v] = storage;
    } else if (viewed >= 0) {
      const storage = storageOf[viewed]!;
      storageOf[v] = storage;
      const view: View = { storage, vertex: v, made: t, lastUse: t };
      viewAt[v] = view;
      const known = viewsIn.get(storage);
      if (known === undefined) viewsIn.set(storage, [view]);
      else known.push(view);
    } else storageOf[v] = { holder: v, bytes: memory.outputBytes[v]!, lastUse: t };
  }
  const isPlain = (v: number): boolean => memory.auxBytes[v] === 0 && predecessorsOf(graph, v).length === 1;
  return found.flatMap(({ gap, storage }) => {
    const views = new Set<number>();
    for (const { vertex, made, lastUse } of viewsIn.get(storage) ?? []) {
      if (made > gap.from || lastUse < gap.to) continue;
      for (let w = vertex; w !== gap.vertex && w >= 0 && !views.has(w); w = memory.viewOf[w]!) views.add(w);
    }
    const again = [...views].sort((a, b) => a - b);
    return again.every(isPlain) ? [{ ...gap, views: again }] : [];
  });
}
