import { predecessorsOf, successorsOf } from '../../engine/graph/graph.ts';
import { needsOf } from '../../engine/ops/memory-model.ts';
import { insertFrees } from '../../engine/schedule/liveness.ts';
import {
  BACKWARD,
  FETCH,
  FORWARD,
  FREE,
  FREE_AUX,
  FREE_GRADIENT,
  HOLD_GRADIENT,
  type Schedule,
  ScheduleBuilder,
  SEND,
  STEP_KINDS,
} from '../../engine/schedule/schedule.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import { referenceSimulate } from './reference-simulator.ts';
import { between, chance, type Rng } from './rng.ts';

/** A random order that respects the edges (or, with `backwards`, their reverse), source left out. */
function randomOrder(rng: Rng, { graph }: Problem, backwards: boolean): number[] {
  const before = backwards ? successorsOf : predecessorsOf;
  const after = backwards ? predecessorsOf : successorsOf;
  const waiting = Int32Array.from({ length: graph.size }, (_, v) => before(graph, v).length);
  const ready = [backwards ? graph.size - 1 : 0];
  const order: number[] = [];
  while (ready.length > 0) {
    const [v = 0] = ready.splice(rng.below(ready.length), 1);
    if (v !== 0) order.push(v);
    for (const w of after(graph, v)) {
      waiting[w]!--;
      if (waiting[w] === 0) ready.push(w);
    }
  }
  return order;
}

/** A random valid schedule: random orders, random forgetting, recompute on demand, some of it for nothing. */
export function randomSchedule(rng: Rng, problem: Problem): Schedule {
  const { graph, memory } = problem;
  const builder = new ScheduleBuilder();
  const available = new Uint8Array(graph.size);
  const auxAvailable = new Uint8Array(graph.size);
  available[0] = 1;
  const forward = (v: number): void => {
    builder.push(FORWARD, v);
    available[v] = 1;
    auxAvailable[v] = 1;
    const destroyed = memory.takesOver[v] ?? -1;
    if (destroyed >= 0) available[destroyed] = 0;
  };
  const make = (v: number): void => {
    // An input made for one consumer can be overwritten while another input is made, so look again.
    for (let again = true; again; ) {
      again = false;
      for (const u of predecessorsOf(graph, v)) {
        if (available[u] === 1) continue;
        make(u);
        again = true;
      }
    }
    forward(v);
  };
  const forget = (probability: number): void => {
    for (let v = 1; v < graph.size; v++) if (chance(rng, probability)) available[v] = 0;
  };
  for (const v of randomOrder(rng, problem, false)) forward(v);
  const rate = rng.next();
  forget(rate);
  for (const v of randomOrder(rng, problem, true)) {
    if (chance(rng, 0.2)) forget(rate);
    if (chance(rng, 0.1)) {
      const u = between(rng, 1, graph.size - 1);
      if (available[u] === 0) make(u);
    }
    if ((memory.auxBytes[v] ?? 0) > 0 && (auxAvailable[v] === 0 || chance(rng, 0.2))) {
      available[v] = 0;
      make(v);
    }
    for (let again = true; again; ) {
      again = false;
      for (const u of needsOf(memory, v)) {
        if (available[u] === 1) continue;
        make(u);
        again = true;
      }
    }
    builder.push(BACKWARD, v);
  }
  return insertFrees(graph, memory, builder.build());
}

/** A schedule with some gradients held, each from somewhere before its backward to somewhere after it. */
export function withHeldGradients(rng: Rng, { graph, memory }: Problem, schedule: Schedule): Schedule {
  const steps = schedule.kinds.length;
  const begin = new Map<number, number[]>();
  const end = new Map<number, number[]>();
  const put = (at: Map<number, number[]>, t: number, v: number): unknown =>
    at.set(t, [...(at.get(t) ?? []), v]);
  const backwardOf = new Int32Array(graph.size);
  schedule.kinds.forEach((kind, t) => {
    if (kind === BACKWARD) backwardOf[schedule.vertices[t]!] = t;
  });
  const ofConsumers = [...successorsOf(graph, 0)].map((w) => backwardOf[w]!);
  const rate = rng.next();
  for (let v = 0; v < graph.size; v++) {
    if (!chance(rng, rate) || (v === 0 && memory.sourceGradientBytes === 0)) continue;
    put(begin, between(rng, 0, v === 0 ? Math.min(...ofConsumers) : backwardOf[v]!), v);
    put(end, between(rng, v === 0 ? Math.max(...ofConsumers) : backwardOf[v]!, steps - 1), v);
  }
  const builder = new ScheduleBuilder();
  for (let t = 0; t < steps; t++) {
    for (const v of begin.get(t) ?? []) builder.push(HOLD_GRADIENT, v);
    builder.push(schedule.kinds[t]!, schedule.vertices[t]!);
    for (const v of end.get(t) ?? []) builder.push(FREE_GRADIENT, v);
  }
  return builder.build();
}

/**
 * A schedule with some activations sent to host memory and fetched, once or twice, wherever that is legal. Its frees
 * are placed again; steps that hold gradients stay.
 */
export function withTransfers(rng: Rng, { graph, memory }: Problem, schedule: Schedule): Schedule {
  let compute: { kind: number; vertex: number }[] = [];
  schedule.kinds.forEach((kind, t) => {
    if (kind !== FREE && kind !== FREE_AUX) compute.push({ kind, vertex: schedule.vertices[t]! });
  });
  let result = schedule;
  for (let tries = between(rng, 1, 6); tries > 0; tries--) {
    const vertex = between(rng, 1, graph.size - 1);
    const changed = [...compute];
    const from = rng.below(changed.length);
    changed.splice(from, 0, { kind: SEND, vertex });
    for (let fetches = between(rng, 1, 2); fetches > 0; fetches--) {
      changed.splice(between(rng, from + 1, changed.length), 0, { kind: FETCH, vertex });
    }
    const builder = new ScheduleBuilder();
    for (const step of changed) builder.push(step.kind, step.vertex);
    const completed = insertFrees(graph, memory, builder.build());
    if (referenceSimulate(graph, memory, completed).fault !== -1) continue;
    compute = changed;
    result = completed;
  }
  return result;
}

/** One or two steps dropped, doubled, swapped or replaced: most results are not legal. */
export function mutated(rng: Rng, problem: Problem, schedule: Schedule): Schedule {
  const steps = Array.from(schedule.kinds, (kind, t) => ({ kind, vertex: schedule.vertices[t] ?? 0 }));
  for (let i = between(rng, 1, 2); i > 0 && steps.length > 0; i--) {
    const t = rng.below(steps.length);
    const step = steps[t]!;
    const choice = rng.below(7);
    if (choice === 0) steps.splice(t, 1);
    else if (choice === 1) steps.splice(rng.below(steps.length), 0, step);
    else if (choice === 2)
      steps[t] = { kind: rng.below(STEP_KINDS.length), vertex: rng.below(problem.graph.size) };
    else {
      // Moved a little: often still legal, with another live size.
      steps.splice(t, 1);
      steps.splice(Math.min(steps.length, t + between(rng, 1, 4)), 0, step);
    }
  }
  const builder = new ScheduleBuilder();
  for (const { kind, vertex } of steps) builder.push(kind, vertex);
  return builder.build();
}
