import { undominated } from '../../bounds/stage-bound.ts';
import { type Choice, choicesOfEach, type Held } from '../../bounds/stage-choices.ts';
import { type Stage, stagesOf } from '../../bounds/stages.ts';
import type { SearchLimit } from './search-limit.ts';
import { ByteCurve } from './byte-curve.ts';
import type { KeptOrder } from './candidate.ts';
import { type KeepEncoding, KEEP_ALL } from './keep-encoding.ts';
import type { LiveModel } from './live-model.ts';

/** Effort guards: labels of one run and stage, and checks of a choice for one limit. */
const MAX_LABELS = 16;
const MAX_CHECKS = 300_000;
/** The search for the least limit ends at this part of it. */
const FINE = 512;

/** A choice with what of it lives at each step of its stage beside what the step itself needs. */
interface Kept {
  readonly choice: Choice;
  readonly bytes: number;
  readonly waiting: Float64Array;
}

interface Ready {
  readonly stage: Stage;
  readonly kept: readonly Kept[];
  readonly endBytes: number;
  /** By step: bytes of the end where it waits for its backward and the step does not need it. */
  readonly endWaiting: Float64Array;
}

/** Kept values of a stage, and of the stages before it. */
interface Way {
  readonly stage: Stage;
  readonly lives: Uint8Array;
  readonly endLives: boolean;
  readonly before: Way | null;
}

/** Run of stages whose ends, except the first, are recomputed. */
interface Label {
  /** Bytes that are kept of the run. */
  readonly kept: number;
  /** Other bytes that live once the run has been recomputed, the end of its last stage apart. */
  readonly locked: number;
  readonly way: Way | null;
}

/**
 * Plan of a network that is a chain of stages (bounds/stages.ts), by a dynamic program over them: that of the
 * bound B6 with what a plan really holds. Runs of stages whose ends are recomputed follow one on the other; while
 * backward is in one, all that is kept of those before it lives. Of a stage any of its largest values may be kept. The
 * least limit on the bytes for which there is a way is looked for between `floor` and `ceiling` by halving; the program
 * sees neither forward nor the order within a stage, so each way is judged by its curve, under each of the models.
 *
 * - Source: Zigzag.
 * - Time: stages x stages of a run x labels x choices for each of some ten limits; a limit at which that is too much
 *   counts as one that is not met.
 *
 * @param models of one graph under several orders
 * @returns null where no way was found
 */
export function bestStages(
  models: readonly LiveModel[],
  floor: number,
  ceiling: number,
  search: SearchLimit,
): KeptOrder | null {
  const { graph, memory } = models[0]!;
  const plain = stagesOf(graph, memory);
  const choices = choicesOfEach(plain);
  const stages = plain.map((stage, i) => readyOf(stage, choices[i]!));
  let best: KeptOrder | null = null;
  let [low, high] = [floor, ceiling];
  while (high - low > high / FINE && !search.isReached) {
    const limit = Math.floor((low + high) / 2);
    const way = wayWithin(stages, limit, search);
    if (way === null) {
      low = limit + 1;
      continue;
    }
    high = limit;
    for (const model of models) {
      const keep = keepOf(model, way);
      const curve = new ByteCurve(model, keep);
      curve.measure(0);
      if (best === null || curve.peak < best.peak) best = { model, keep, peak: curve.peak };
    }
  }
  return best;
}

function readyOf(stage: Stage, choices: readonly Choice[]): Ready {
  const end = stage.bytes.length - 1;
  const waits = (n: number, x: number): boolean =>
    stage.pending[x]!.includes(n) && !stage.needs[x]!.includes(n);
  return {
    stage,
    endBytes: stage.bytes[end]!,
    endWaiting: Float64Array.from(stage.steps, (_, x) => (waits(end, x) ? stage.bytes[end]! : 0)),
    kept: choices.map((choice) => {
      const lives = [...choice.lives.keys()].filter((n) => choice.lives[n] === 1);
      const sum = (values: readonly number[]): number => values.reduce((all, n) => all + stage.bytes[n]!, 0);
      const waiting = Float64Array.from(stage.steps, (_, x) => sum(lives.filter((n) => waits(n, x))));
      return { choice, bytes: sum(lives), waiting };
    }),
  };
}

/** Plan for all stages that keeps backward within a limit, as far as the program sees. */
function wayWithin(stages: readonly Ready[], limit: number, search: SearchLimit): Way | null {
  const count = stages.length;
  /** By end: the least bytes kept of the stages up to it where it lives, and what they are. */
  const alive = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
  const ways: (Way | null)[] = new Array<Way | null>(count + 1).fill(null);
  alive[0] = 0;
  let checks = 0;
  for (let a = 0; a < count; a++) {
    if (alive[a] === Number.POSITIVE_INFINITY) continue;
    let labels: readonly Label[] = [{ kept: 0, locked: 0, way: ways[a]! }];
    for (let i = a + 1; i <= count && labels.length > 0; i++) {
      const { stage, kept, endBytes, endWaiting } = stages[i - 1]!;
      const entryBytes = i > 1 ? stages[i - 2]!.endBytes : 0;
      const next: Label[] = [];
      for (const label of labels) {
        const others = beside(stage, alive[a]!, i === a + 1 ? null : label, entryBytes);
        checks += kept.length;
        if (search.look(kept.length * stage.steps.length) || checks > MAX_CHECKS) return null;
        for (const { choice, bytes, waiting } of kept) {
          const all = label.kept + bytes;
          const wayOf = (endLives: boolean): Way => ({
            stage,
            lives: choice.lives,
            endLives,
            before: label.way,
          });
          const asKept = alive[a]! + all + endBytes;
          if (asKept < alive[i]! && fits(choice.withEnd, waiting, endWaiting, others, limit)) {
            alive[i] = asKept;
            ways[i] = wayOf(true);
          }
          if (i === count || !fits(choice.without, waiting, null, others, limit)) continue;
          const before = choice.endReaches && i > a + 1 ? label.locked + entryBytes : 0;
          const locked = choice.lockedBytes + before;
          if (alive[a]! + all + locked + endBytes > limit) continue;
          next.push({ kept: all, locked, way: wayOf(false) });
        }
      }
      labels = fewer(next);
    }
  }
  return ways[count]!;
}

/** By step, twice: bytes beside the stage's own values where the stage before is not asked for, and where it is. */
function beside(stage: Stage, alive: number, run: Label | null, entryBytes: number): Float64Array {
  return Float64Array.from({ length: 2 * stage.steps.length }, (_, at) => {
    const { base, needsEntry, entryPending } = stage.steps[at >> 1]!;
    const entry = needsEntry || entryPending ? entryBytes : 0;
    if (run === null) return base + alive - entryBytes + entry;
    return base + alive + run.kept + (at % 2 === 1 ? run.locked + entry : 0);
  });
}

function fits(
  { bytes, reaches }: Held,
  waiting: Float64Array,
  endWaiting: Float64Array | null,
  others: Float64Array,
  limit: number,
): boolean {
  for (let x = 0; x < bytes.length; x++) {
    const own = bytes[x]! + waiting[x]! + (endWaiting?.[x] ?? 0);
    if (others[2 * x + reaches[x]!]! + own > limit) return false;
  }
  return true;
}

/** Undominated labels, thinned out when there are too many. */
function fewer(labels: readonly Label[]): Label[] {
  const best = undominated(labels);
  const share = Math.ceil(best.length / MAX_LABELS);
  return best.filter((_, i) => i % share === 0);
}

function keepOf({ items, itemOf }: LiveModel, last: Way): KeepEncoding {
  const keep: KeepEncoding = new Int32Array(items);
  keep[0] = KEEP_ALL;
  for (let way: Way | null = last; way !== null; way = way.before) {
    const { stage, lives, endLives } = way;
    stage.values.forEach((v, n) => {
      if (n < lives.length ? lives[n] === 1 : endLives) keep[itemOf[v]!] = KEEP_ALL;
    });
  }
  return keep;
}
