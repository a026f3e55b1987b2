import type { LinkedDevice } from '../../engine/offload/link.ts';
import { stepTimes } from '../../engine/offload/step-times.ts';
import { lazySchedule } from '../../engine/schedule/lazy.ts';
import { insertFrees } from '../../engine/schedule/liveness.ts';
import { FETCH, FORWARD, ScheduleBuilder, SEND } from '../../engine/schedule/schedule.ts';
import { simulate } from '../../engine/simulate/simulate.ts';
import { type Computing, computingOf, type IdleGap } from '../../engine/strategies/offload/idle-gaps.ts';
import { withTransfers } from '../../engine/strategies/offload/transfers.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';

/** Every way to keep or recompute each activation at most once in the given order, auxiliaries with their activation or not. */
export function* keepingChoices({ graph, memory }: Problem): Generator<ReturnType<typeof lazySchedule>> {
  const order = Array.from({ length: graph.size - 1 }, (_, i) => i + 1);
  const seen = new Set<string>();
  for (let mask = 0; mask < 4 ** (graph.size - 1); mask++) {
    const kept = new Uint8Array(graph.size);
    const keptAux = new Uint8Array(graph.size);
    order.forEach((v, i) => {
      kept[v] = (mask >> (2 * i)) & 1;
      keptAux[v] = (mask >> (2 * i + 1)) & 1;
    });
    // Vertices without kept auxiliaries have no second choice.
    if (order.some((v) => keptAux[v] === 1 && memory.auxBytes[v] === 0)) continue;
    const plan = { order, kept, keptAux, expiry: new Int32Array(graph.size) };
    const schedule = lazySchedule(graph, memory, plan);
    const key = `${schedule.kinds.join()} ${schedule.vertices.join()}`;
    if (seen.has(key)) continue;
    seen.add(key);
    yield schedule;
  }
}

/** The least seconds within a budget of all choices to keep, recompute or send, placed as engine/strategies/offload places them. */
export function leastSeconds(problem: Problem, budget: number, device: LinkedDevice): number {
  let least = Number.POSITIVE_INFINITY;
  for (const base of keepingChoices(problem)) {
    const computing = computingOf(problem, base);
    for (const chosen of subsets(computing.gaps)) {
      const schedule = withTransfers(problem, computing, chosen, budget);
      if (simulate(problem.graph, problem.memory, schedule).peakBytes > budget) continue;
      least = Math.min(least, stepTimes(problem.graph, problem.memory, schedule, device).seconds);
    }
  }
  return least;
}

interface Place {
  readonly send: number;
  readonly free: number;
  readonly fetch: number;
}

/** The least seconds within a budget of some of these transfers, whenever each is sent, freed and fetched. */
export function leastPlacing(
  problem: Problem,
  { compute }: Computing,
  chosen: readonly IdleGap[],
  budget: number,
  device: LinkedDevice,
): number {
  const { graph, memory } = problem;
  let least = Number.POSITIVE_INFINITY;
  const place = (places: readonly (Place | null)[]): void => {
    const gap = chosen[places.length];
    if (gap === undefined) {
      const builder = new ScheduleBuilder();
      const alsoUsed = new Map<number, number[]>();
      for (let t = 0; t < compute.kinds.length; t++) {
        places.forEach((at, i) => {
          if (at?.fetch === t) builder.push(FETCH, chosen[i]!.vertex);
        });
        chosen.forEach(({ to, views }, i) => {
          if (to === t && places[i] !== null) for (const w of views) builder.push(FORWARD, w);
        });
        builder.push(compute.kinds[t]!, compute.vertices[t]!);
        places.forEach((at, i) => {
          if (at?.send === t) builder.push(SEND, chosen[i]!.vertex);
        });
        const kept = places.flatMap((at, i) =>
          at !== null && at.send < t && at.free > t ? [chosen[i]!.vertex] : [],
        );
        if (kept.length > 0) alsoUsed.set(builder.length - 1, kept);
      }
      const schedule = insertFrees(graph, memory, builder.build(), alsoUsed);
      if (simulate(graph, memory, schedule).peakBytes > budget) return;
      least = Math.min(least, stepTimes(graph, memory, schedule, device).seconds);
      return;
    }
    place([...places, null]);
    for (let send = gap.from; send < gap.to - 1; send++) {
      for (let free = send + 1; free < gap.to; free++) {
        for (let fetch = free + 1; fetch <= gap.to; fetch++) place([...places, { send, free, fetch }]);
      }
    }
  };
  place([]);
  return least;
}

function subsets<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: 2 ** items.length }, (_, mask) =>
    items.filter((_item, i) => ((mask >> i) & 1) === 1),
  );
}
