import { type Graph, predecessorsOf, successorsOf } from '../../engine/graph/graph.ts';
import { type MemoryModel, needsOf } from '../../engine/ops/memory-model.ts';
import {
  BACKWARD,
  FETCH,
  FORWARD,
  FREE,
  FREE_AUX,
  FREE_GRADIENT,
  HOLD_GRADIENT,
  type Schedule,
  SEND,
} from '../../engine/schedule/schedule.ts';

/** A piece of memory. Several values may share one; it is gone when none does. */
interface Storage {
  readonly bytes: number;
}

export interface ReferenceRun {
  /** Live bytes after the allocations of each step. */
  readonly live: number[];
  /** Bytes in host memory at each step. */
  readonly host: number[];
  /** The step that is not legal, the number of steps when something is left over, or -1. */
  readonly fault: number;
}

/**
 * SPEC M1 to M13, word by word and slowly: everything that lives is an entry of a map, and the bytes
 * are counted again after every step. Shares no idea with engine/simulate but the text.
 */
export function referenceSimulate(graph: Graph, memory: MemoryModel, schedule: Schedule): ReferenceRun {
  const target = graph.size - 1;
  const values = new Map<number, Storage>();
  const gradients = new Map<number, Storage>();
  const auxiliaries = new Set<number>();
  const held = new Set<number>();
  const forwarded = new Set<number>();
  const backwarded = new Set<number>();
  /** Storages that the program itself holds, by the vertex that it forwards last with them. */
  const heldUntil: [number, Storage][] = [];
  values.set(0, { bytes: graph.bytes[0] ?? 0 });

  const count = (): number => {
    const programs = heldUntil.filter(([w]) => w >= 0).map(([, storage]) => storage);
    const storages = new Set<Storage>([...values.values(), ...gradients.values(), ...programs]);
    let bytes = 0;
    for (const storage of storages) bytes += storage.bytes;
    for (const v of auxiliaries) bytes += memory.auxBytes[v] ?? 0;
    return bytes;
  };
  const live: number[] = [];
  /** Bytes of what was sent to host memory, and what of it came back. */
  const sent = new Map<number, number>();
  const fetched = new Set<number>();
  const gradientBytes = (v: number): number =>
    (v === 0 ? memory.sourceGradientBytes : memory.gradientBytes[v]) ?? 0;
  const hasPassed = (v: number): boolean =>
    v === 0 ? [...successorsOf(graph, 0)].every((w) => backwarded.has(w)) : backwarded.has(v);

  for (let t = 0; t < schedule.kinds.length; t++) {
    const v = schedule.vertices[t] ?? 0;
    const kind = schedule.kinds[t];
    const isOfGradient = kind === HOLD_GRADIENT || kind === FREE_GRADIENT;
    if ((v < 1 && !(v === 0 && isOfGradient)) || v > target) return { live, host: [], fault: t };
    if (kind === FORWARD) {
      const inputs = [...predecessorsOf(graph, v)];
      if (values.has(v) || auxiliaries.has(v) || inputs.some((u) => !values.has(u)))
        return { live, host: [], fault: t };
      const takenOver = memory.takesOver[v] ?? -1;
      const viewed = memory.viewOf[v] ?? -1;
      if (takenOver >= 0) {
        const storage = values.get(takenOver)!;
        values.delete(takenOver);
        if ([...values.values()].includes(storage)) return { live, host: [], fault: t };
        values.set(v, storage);
      } else if (viewed >= 0) values.set(v, values.get(viewed)!);
      else values.set(v, { bytes: memory.outputBytes[v] ?? 0 });
      if ((memory.auxBytes[v] ?? 0) > 0) auxiliaries.add(v);
      const until = memory.heldUntil?.[v] ?? 0;
      if (until > 0 && !forwarded.has(v) && !forwarded.has(until)) heldUntil.push([until, values.get(v)!]);
      const beside = forwarded.has(v) ? 0 : (memory.besideBytes?.[v] ?? 0);
      forwarded.add(v);
      live.push(count() + beside);
      for (const hold of heldUntil) if (hold[0] === v) hold[0] = -1;
    } else if (kind === BACKWARD) {
      if (backwarded.has(v) || (v === target && !forwarded.has(v))) return { live, host: [], fault: t };
      if ([...successorsOf(graph, v)].some((w) => !backwarded.has(w))) return { live, host: [], fault: t };
      if ([...needsOf(memory, v)].some((u) => !values.has(u))) return { live, host: [], fault: t };
      if ((memory.auxBytes[v] ?? 0) > 0 && !auxiliaries.has(v)) return { live, host: [], fault: t };
      if (v === target) gradients.set(v, { bytes: memory.gradientBytes[v] ?? 0 });
      const before = count();
      let [added, replaced] = [0, 0];
      for (const u of predecessorsOf(graph, v)) {
        if (u === 0 && !held.has(0)) continue;
        const known = gradients.get(u);
        const isAlone = ![...gradients].some(([w, storage]) => w !== u && storage === known);
        if (known !== undefined && isAlone && known.bytes === gradientBytes(u)) continue;
        // The gradient of a view of the same size is the gradient of what it views, that of a sum is those of its inputs.
        const isView = memory.viewOf[v] === u && gradientBytes(v) === gradientBytes(u);
        const shared = isView || memory.sharesGradient?.[v] === 1;
        if (known === undefined && shared) gradients.set(u, gradients.get(v)!);
        else gradients.set(u, { bytes: gradientBytes(u) });
        if (known !== undefined) added += gradientBytes(u);
        if (known !== undefined && isAlone) replaced += known.bytes;
      }
      live.push(Math.max(count() + replaced, before + added + (memory.backwardBytes?.[v] ?? 0)));
      if (!held.has(v)) gradients.delete(v);
      auxiliaries.delete(v);
      backwarded.add(v);
    } else if (kind === FREE) {
      if (!values.delete(v)) return { live, host: [], fault: t };
      live.push(count());
    } else if (kind === HOLD_GRADIENT) {
      const isLate = v === 0 ? [...successorsOf(graph, 0)].some((w) => backwarded.has(w)) : backwarded.has(v);
      if (isLate || held.has(v) || gradientBytes(v) + v === 0) return { live, host: [], fault: t };
      held.add(v);
      live.push(count());
    } else if (isOfGradient) {
      if (!held.delete(v) || !hasPassed(v)) return { live, host: [], fault: t };
      gradients.delete(v);
      live.push(count());
    } else if (kind === SEND) {
      const storage = values.get(v);
      const isShared = [...values].some(([w, other]) => w !== v && other === storage);
      if (storage === undefined || (memory.viewOf[v] ?? -1) >= 0 || isShared || sent.has(v))
        return { live, host: [], fault: t };
      sent.set(v, storage.bytes);
      live.push(count());
    } else if (kind === FETCH) {
      if (!sent.has(v) || values.has(v)) return { live, host: [], fault: t };
      values.set(v, { bytes: sent.get(v)! });
      fetched.add(v);
      live.push(count());
    } else {
      if (kind !== FREE_AUX || !auxiliaries.delete(v)) return { live, host: [], fault: t };
      live.push(count());
    }
  }
  const complete =
    held.size === 0 &&
    forwarded.size === target &&
    backwarded.size === target &&
    values.size === 1 &&
    auxiliaries.size === 0 &&
    fetched.size === sent.size;
  return { live, host: hostBytes(schedule, sent), fault: complete ? -1 : schedule.kinds.length };
}

/** At each step, what was sent by then and will be fetched from then on. */
function hostBytes({ kinds, vertices }: Schedule, sent: ReadonlyMap<number, number>): number[] {
  const isThere = (v: number, t: number): boolean => {
    const has = (kind: number, from: number, to: number): boolean => {
      for (let s = from; s <= to; s++) if (kinds[s] === kind && vertices[s] === v) return true;
      return false;
    };
    return has(SEND, 0, t) && has(FETCH, t, kinds.length - 1);
  };
  return Array.from(kinds, (_kind, t) => {
    let bytes = 0;
    for (const [v, size] of sent) if (isThere(v, t)) bytes += size;
    return bytes;
  });
}
