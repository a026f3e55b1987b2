import { predecessorsOf, successorsOf } from '../../engine/graph/graph.ts';
import { needsOf } from '../../engine/ops/memory-model.ts';
import type { Problem } from '../../engine/strategies/strategy.ts';

/**
 * The least peak, and the least recompute at it, over all schedules that forward each vertex at most
 * `times` times: every forward, backward and free at any time, without a thought. Bytes-only graphs of
 * up to about seven vertices.
 */
export function exhaustiveLeast(problem: Problem, times = 2): { peak: number; work: number } {
  const { graph, memory } = problem;
  const n = graph.size;
  const bytes = memory.outputBytes;
  type State = { count: number[]; live: boolean[]; done: boolean[] };

  const held = ({ live, done }: State): number => {
    let sum = 0;
    for (let v = 0; v < n; v++) {
      if (live[v]) sum += bytes[v]!;
      if (v > 0 && !done[v] && [...successorsOf(graph, v)].some((w) => done[w]))
        sum += memory.gradientBytes[v]!;
    }
    return sum;
  };
  const nextOf = (state: State): { state: State; peak: number; work: number }[] => {
    const next: { state: State; peak: number; work: number }[] = [];
    const now = held(state);
    const copy = (): State => ({ count: [...state.count], live: [...state.live], done: [...state.done] });
    for (let v = 1; v < n; v++) {
      if (state.live[v]) {
        const after = copy();
        after.live[v] = false;
        next.push({ state: after, peak: 0, work: 0 });
      } else if (state.count[v]! < times && [...predecessorsOf(graph, v)].every((u) => state.live[u])) {
        const after = copy();
        after.live[v] = true;
        after.count[v]!++;
        next.push({ state: after, peak: now + bytes[v]!, work: state.count[v] === 0 ? 0 : bytes[v]! });
      }
      const ready =
        !state.done[v] &&
        [...successorsOf(graph, v)].every((w) => state.done[w]) &&
        [...needsOf(memory, v)].every((u) => state.live[u]) &&
        (v < n - 1 || state.count[v]! > 0);
      if (!ready) continue;
      const after = copy();
      after.done[v] = true;
      // While the step runs: what was there, the new gradients, and still its own.
      const own = v === n - 1 ? memory.gradientBytes[v]! : 0;
      const kept = [...successorsOf(graph, v)].length > 0 ? memory.gradientBytes[v]! : 0;
      next.push({ state: after, peak: held(after) + own + kept, work: 0 });
    }
    return next;
  };

  const start: State = {
    count: Array.from({ length: n }, (_, v) => (v === 0 ? 1 : 0)),
    live: Array.from({ length: n }, (_, v) => v === 0),
    done: Array.from({ length: n }, (_, v) => v === 0),
  };
  /** Least cost of reaching the end, steps above `limit` forbidden; cost by peak or by work. */
  const least = (byPeak: boolean, limit: number): number => {
    const known = new Map<string, number>();
    // Costs are few, so buckets by cost replace a heap.
    const buckets = new Map<number, State[]>([[byPeak ? bytes[0]! : 0, [start]]]);
    for (;;) {
      const cost = Math.min(...buckets.keys());
      const bucket = buckets.get(cost) ?? [];
      const state = bucket.pop();
      if (bucket.length === 0) buckets.delete(cost);
      if (state === undefined) throw new Error('no schedule');
      const key = JSON.stringify(state);
      if (known.has(key)) continue;
      known.set(key, cost);
      if (state.done.every(Boolean)) return cost;
      for (const { state: after, peak, work } of nextOf(state)) {
        if (peak > limit) continue;
        const reached = byPeak ? Math.max(cost, peak) : cost + work;
        const list = buckets.get(reached);
        if (list === undefined) buckets.set(reached, [after]);
        else list.push(after);
      }
    }
  };
  const peak = least(true, Number.POSITIVE_INFINITY);
  return { peak, work: least(false, peak) };
}
