import { insertFrees } from '../../schedule/liveness.ts';
import { FETCH, FORWARD, type Schedule, ScheduleBuilder, SEND } from '../../schedule/schedule.ts';
import type { Problem } from '../strategy/strategy.ts';
import type { Computing, IdleGap } from './idle-gaps.ts';

/** A gap that is spent in host memory: gone before the step at `free`, back before that at `fetch`. */
interface Placed {
  readonly gap: IdleGap;
  free: number;
  fetch: number;
}

/**
 * The schedule with these gaps spent in host memory. Each is sent right after the use before it; what is sent is freed
 * only when the budget asks for its bytes, what was sent first first, so that the copy has time; in the same way, seen
 * from the end, it is fetched as soon as from then on there is room. A gap for which there is room throughout is not
 * spent there. Where even that is above the budget, `budget` as ever is what the steps with room keep to.
 * Time O(steps + gaps log gaps).
 */
export function withTransfers(
  { graph, memory }: Problem,
  { compute, live }: Pick<Computing, 'compute' | 'live'>,
  chosen: readonly IdleGap[],
  budget: number,
): Schedule {
  const room = leftRoom(live, chosen, budget);
  const freed = placeFrees(chosen, room);
  const placed = placeFetches(freed, room);
  const sent = new Map<number, IdleGap>();
  for (const { gap } of placed) {
    const first = sent.get(gap.vertex);
    if (first === undefined || gap.from < first.from) sent.set(gap.vertex, gap);
  }
  const steps = compute.kinds.length;
  const sendsAfter = at(steps, [...sent.values()], ({ from }) => from);
  const fetchesBefore = at(steps, placed, ({ fetch }) => fetch);
  const viewsBefore = at(steps, placed, ({ gap }) => gap.to);
  const freesBefore = at(steps, placed, ({ free }) => free);
  const builder = new ScheduleBuilder();
  const alsoUsed = new Map<number, number[]>();
  for (let t = 0; t < steps; t++) {
    for (const { gap } of fetchesBefore[t] ?? []) builder.push(FETCH, gap.vertex);
    for (const { gap } of viewsBefore[t] ?? []) for (const w of gap.views) builder.push(FORWARD, w);
    builder.push(compute.kinds[t]!, compute.vertices[t]!);
    for (const { vertex } of sendsAfter[t] ?? []) builder.push(SEND, vertex);
    // A value freed before the next step is kept until then.
    const kept = (freesBefore[t + 1] ?? []).filter(({ gap }) => gap.from < t);
    if (kept.length > 0) {
      alsoUsed.set(
        builder.length - 1,
        kept.map(({ gap }) => gap.vertex),
      );
    }
  }
  return insertFrees(graph, memory, builder.build(), alsoUsed);
}

/** Bytes that the budget leaves at each step where all gaps are spent in host memory. */
export function leftRoom(live: Float64Array, chosen: readonly IdleGap[], budget: number): Float64Array {
  const steps = live.length;
  const away = new Float64Array(steps + 1);
  for (const { bytes, from, to } of chosen) {
    away[from + 1]! += bytes;
    away[to]! -= bytes;
  }
  const room = new Float64Array(steps);
  let sum = 0;
  for (let t = 0; t < steps; t++) {
    sum += away[t]!;
    room[t] = budget - live[t]! + sum;
  }
  return room;
}

/** Takes from the room what copies on their way out take. */
function placeFrees(chosen: readonly IdleGap[], room: Float64Array): Placed[] {
  const sorted = [...chosen].sort((a, b) => a.from - b.from || b.to - a.to || a.vertex - b.vertex);
  const placed: Placed[] = [];
  const waiting = new Set<IdleGap>();
  let bytes = 0;
  let next = 0;
  for (let t = 0; t < room.length; t++) {
    // Needed again before its bytes were: it stays.
    for (const gap of waiting) {
      if (gap.to > t) continue;
      waiting.delete(gap);
      bytes -= gap.bytes;
    }
    for (; next < sorted.length && sorted[next]!.from < t; next++) {
      const gap = sorted[next]!;
      if (gap.to <= t) continue;
      waiting.add(gap);
      bytes += gap.bytes;
    }
    for (const gap of waiting) {
      if (bytes <= room[t]!) break;
      waiting.delete(gap);
      bytes -= gap.bytes;
      placed.push({ gap, free: t, fetch: gap.to });
    }
    room[t]! -= bytes;
  }
  return placed;
}

/** Takes from the room what copies on their way back take; whatever there is room for from its free on stays. */
function placeFetches(freed: readonly Placed[], room: Float64Array): Placed[] {
  const sorted = [...freed].sort((a, b) => b.gap.to - a.gap.to || a.gap.from - b.gap.from);
  const placed: Placed[] = [];
  const waiting = new Set<Placed>();
  let bytes = 0;
  let next = 0;
  for (let t = room.length - 1; t >= 0; t--) {
    for (const one of waiting) {
      if (one.free <= t) continue;
      waiting.delete(one);
      bytes -= one.gap.bytes;
    }
    for (; next < sorted.length && sorted[next]!.gap.to > t; next++) {
      const one = sorted[next]!;
      waiting.add(one);
      bytes += one.gap.bytes;
    }
    for (const one of waiting) {
      if (bytes <= room[t]!) break;
      waiting.delete(one);
      bytes -= one.gap.bytes;
      one.fetch = t + 1;
      placed.push(one);
    }
  }
  // In the order in which they are needed.
  return placed.sort((a, b) => a.gap.to - b.gap.to || a.gap.vertex - b.gap.vertex);
}

function at<Item>(steps: number, items: readonly Item[], placeOf: (item: Item) => number): Item[][] {
  const lists: Item[][] = new Array<Item[]>(steps + 1);
  for (const item of items) {
    const place = placeOf(item);
    const list = lists[place];
    if (list === undefined) lists[place] = [item];
    else list.push(item);
  }
  return lists;
}
