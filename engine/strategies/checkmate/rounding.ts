import { predecessorsOf } from '../../graph/graph.ts';
import { needsOf } from '../../ops/memory-model.ts';
import { insertFrees } from '../../schedule/liveness.ts';
import { BACKWARD, FORWARD, type Schedule, ScheduleBuilder } from '../../schedule/schedule.ts';
import { type LiveModel, membersOf } from '../search/live-model.ts';
import { type Value, valueIn } from '../milp/linear-model.ts';
import type { Decisions } from './relaxation.ts';
import type { Stages } from './stages.ts';

/** By stage and item: 1 where the value, the auxiliary is to be there when the stage begins. */
export interface Held {
  readonly values: readonly Uint8Array[];
  readonly auxiliaries: readonly Uint8Array[];
}

/** Entries of a solution above a threshold. */
export function rounded({ held, heldAux }: Decisions, solution: Float64Array, threshold: number): Held {
  const round = (table: readonly (readonly Value[])[]): Uint8Array[] =>
    table.map((row) => Uint8Array.from(row, (value) => (valueIn(solution, value) > threshold ? 1 : 0)));
  return { values: round(held), auxiliaries: round(heldAux) };
}

/**
 * The schedule of what is held between stages, in the two phases of Checkmate's Algorithm 2: what is held or needed and
 * not there is computed in the stage before, and then whatever its inputs lack. Recomputes that nothing uses in the end
 * are left out. In a stage of several needs each is computed right before the step that needs it.
 *
 * Time O(stages x (storages + edges)).
 */
export function completed(stages: Stages, held: Held): Schedule {
  const { model, pinned } = stages;
  const { graph, memory, order, itemOf } = model;
  const always = [...pinned.keys()].filter((item) => pinned[item] === 1);
  const withAlways = (some: Uint8Array): Uint8Array => {
    const here = some.slice();
    for (const item of always) here[item] = 1;
    return here;
  };
  const marks = new Uint8Array(model.items);
  const builder = new ScheduleBuilder();
  for (let p = 1; p < order.length; p++) builder.push(FORWARD, order[p]!);
  stages.stages.forEach(({ positions, lastNew }, t) => {
    const here = withAlways(held.values[t]!);
    const auxHere = withAlways(held.auxiliaries[t]!);
    const [next, auxNext] = [held.values[t + 1]!, held.auxiliaries[t + 1]!];
    for (const p of positions) {
      const v = order[p]!;
      const wanted: number[] = [];
      for (const u of needsOf(memory, v)) if (here[itemOf[u]!] === 0) wanted.push(itemOf[u]!);
      const grows = (memory.auxBytes[v] ?? 0) > 0 && memory.auxIsFixed[v] !== 1;
      if (grows && auxHere[itemOf[v]!] === 0) wanted.push(itemOf[v]!);
      if (p === lastNew) {
        for (let item = 1; item < model.items; item++)
          if ((next[item] === 1 && here[item] === 0) || (auxNext[item] === 1 && auxHere[item] === 0))
            wanted.push(item);
      }
      for (const item of withInputs(model, wanted, here, marks)) {
        for (const member of membersOf(model, item)) builder.push(FORWARD, member);
        here[item] = 1;
        auxHere[item] = 1;
      }
      builder.push(BACKWARD, v);
    }
  });
  return insertFrees(graph, memory, withoutUnused(stages, builder.build()));
}

/**
 * These items with whatever of their inputs is not there, rising.
 *
 * @param marks zeros, an item each; left as they were
 */
function withInputs(
  { ins, inOffsets }: LiveModel,
  wanted: readonly number[],
  here: Uint8Array,
  marks: Uint8Array,
): number[] {
  const found: number[] = [];
  const add = (item: number): void => {
    if (marks[item] === 1) return;
    marks[item] = 1;
    found.push(item);
  };
  for (const item of wanted) add(item);
  for (let i = 0; i < found.length; i++) {
    const item = found[i]!;
    for (let k = inOffsets[item]!; k < inOffsets[item + 1]!; k++) if (here[ins[k]!] !== 1) add(ins[k]!);
  }
  for (const item of found) marks[item] = 0;
  return found.sort((a, b) => a - b);
}

/** Without recomputes of items of which neither the value nor the auxiliary is used before the next, or ever. */
function withoutUnused({ model }: Stages, { kinds, vertices }: Schedule): Schedule {
  const { graph, memory, order, itemOf } = model;
  const used = new Uint8Array(graph.size);
  const stays = new Uint8Array(kinds.length);
  for (let t = kinds.length - 1; t >= 0; t--) {
    const v = vertices[t]!;
    if (kinds[t] === BACKWARD) {
      for (const u of needsOf(memory, v)) used[u] = 1;
      if ((memory.auxBytes[v] ?? 0) > 0) used[v] = 1;
      stays[t] = 1;
      continue;
    }
    // The members of an item are computed again one after another.
    const isAgain = t >= order.length - 1;
    const together = isAgain ? [...membersOf(model, itemOf[v]!)].filter((u) => u !== 0) : [v];
    const first = t - together.length + 1;
    if (!isAgain || together.some((u) => used[u] === 1)) {
      for (const u of together) used[u] = 0;
      for (const u of together) for (const input of predecessorsOf(graph, u)) used[input] = 1;
      // Inputs among themselves are there.
      for (const u of together) used[u] = 0;
      stays.fill(1, first, t + 1);
    }
    t = first;
  }
  const builder = new ScheduleBuilder();
  for (let t = 0; t < kinds.length; t++) if (stays[t] === 1) builder.push(kinds[t]!, vertices[t]!);
  return builder.build();
}
