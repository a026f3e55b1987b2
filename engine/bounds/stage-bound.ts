import { type Choice, choicesOfEach, type Held } from './stage-choices.ts';
import type { Stage, StageStep } from './stages.ts';

/** Effort guards: labels of one run and stage, above which neighbours are merged, and checks of a choice for one peak. */
const MAX_LABELS = 256;
const MAX_CHECKS = 200_000;

/** The search for the least peak ends at this part of it. */
const FINE = 4096;

/** A stage with its choices. */
interface Ready {
  readonly stage: Stage;
  readonly choices: readonly Choice[];
  readonly endBytes: number;
}

/** A run of stages whose ends, but for the first, do not live at the moment. */
interface Label {
  /** Bytes that live of the run. */
  readonly kept: number;
  /** Bytes that live once the run has been recomputed; the end of its last stage is not among them. */
  readonly locked: number;
}

/**
 * A proved lower bound on the peak of any schedule that forwards no vertex more than twice, for networks that are a chain of
 * stages: the least peak, between `low` and `high`, at which the dynamic program below finds a way through the network.
 *
 * Let s(j) be the end of stage j, s(0) the source, and R(j) a backward step of stage j + 1 that needs s(j). Backward runs stage
 * after stage, the last first. Moments are backward steps; then every vertex has been forwarded once, so what does not live at a
 * moment and is needed after it is recomputed after it, for the last time: it lives from there on until its last need,
 * and each of its inputs lived at the moment or is recomputed before it. Let
 *
 * - L(j) be the least bytes of values of stages 1 to j at any moment up to R(j), and A(j) the least where s(j) lives.
 *
 * Take the moment m of L(j) or A(j), and let s(a), a < j, be the last of the ends before s(j) that lives at m. Its stages a + 1
 * to j are a run: of their values some live at m, the choice. That costs at least A(a) + bytes of the choice (+ s(j) if it
 * lives). s(a + 1) to s(j - 1) are recomputed before R(a + 1) to R(j - 1), with whatever leads to them and did not live,
 * which reaches back to the end of the stage before wherever no value of the choice is on the way. A backward step x of stage i of
 * the run comes after m. Then live
 *
 * - L(a) at least of stages up to a, where x is not after R(a); A(a) where it is R(a) or needs s(a) itself; else L(a - 1);
 * - of stages a + 1 to i - 1, where s(i - 1) is there again, what was recomputed and is still needed;
 * - of stage i what x needs, and what was recomputed and is still needed after x, certainly;
 * - the source, gradients (gradient-cut.ts) and the auxiliary of x.
 *
 * A choice that breaks the peak at such a step is none. If s(j) does not live at m, the same holds at R(j). So L and A follow from
 * those of earlier stages, and no peak is possible for which some A(j) or the way to the target has no choice left. Choices
 * leave the values beyond the largest of a stage out, as if they lived for nothing; labels that are merged take the lesser of
 * both. All that makes the bound weaker, not wrong.
 *
 * Time: stages x stages of a run x labels x choices, for each of some 25 peaks; where one takes too many it counts as possible.
 */
export function stagePeakBound(stages: readonly Stage[], low: number, high: number): number {
  const choices = choicesOfEach(stages);
  const ready = stages.map((stage, i): Ready => {
    return { stage, choices: choices[i]!, endBytes: stage.bytes.at(-1)! };
  });
  let proved = low;
  let possible = high;
  while (possible - proved > possible / FINE) {
    const peak = Math.floor((proved + possible) / 2);
    if (isPossible(ready, peak)) possible = peak;
    else proved = peak + 1;
  }
  return proved;
}

function isPossible(stages: readonly Ready[], peak: number): boolean {
  const count = stages.length;
  const least = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
  const alive = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
  least[0] = 0;
  alive[0] = 0;
  let checks = 0;
  let isThrough = false;
  for (let a = 0; a < count; a++) {
    if (alive[a] === Number.POSITIVE_INFINITY) return false;
    let labels: readonly Label[] = [{ kept: 0, locked: 0 }];
    for (let i = a + 1; i <= count && labels.length > 0; i++) {
      const { stage, choices, endBytes } = stages[i - 1]!;
      const entryBytes = i > 1 ? stages[i - 2]!.endBytes : 0;
      const next: Label[] = [];
      checks += labels.length;
      for (const { kept, locked } of labels) {
        const others =
          i === a + 1
            ? besideFirst(stage, { least: least[a]!, alive: alive[a]!, below: least[a - 1] ?? 0, entryBytes })
            : besideLater(stage, least[a]!, locked, entryBytes);
        for (const choice of choices) {
          if (++checks > MAX_CHECKS) return true;
          if (!fits(choice.withEnd, others, peak)) continue;
          if (i === count) {
            isThrough = true;
            continue;
          }
          const bytes = kept + choice.bytes;
          alive[i] = Math.min(alive[i]!, alive[a]! + bytes + endBytes);
          least[i] = Math.min(least[i]!, alive[i]!);
          if (!fits(choice.without, others, peak)) continue;
          const before = choice.endReaches && i > a + 1 ? locked + entryBytes : 0;
          const label = { kept: bytes, locked: choice.lockedBytes + before };
          if (least[a]! + label.locked + endBytes + atReference(stages[i]!.stage) > peak) continue;
          least[i] = Math.min(least[i]!, alive[a]! + bytes);
          next.push(label);
        }
      }
      labels = fewer(next);
    }
  }
  return isThrough;
}

function fits({ bytes, reaches }: Held, others: Float64Array, peak: number): boolean {
  for (let x = 0; x < bytes.length; x++) if (others[2 * x + reaches[x]!]! + bytes[x]! > peak) return false;
  return true;
}

/** By step of the first stage of a run, twice: the least bytes beside the stage's values. */
function besideFirst(
  stage: Stage,
  { least, alive, below, entryBytes }: Record<'least' | 'alive' | 'below' | 'entryBytes', number>,
): Float64Array {
  return twice(stage, ({ base, order, needsEntry }) => {
    if (order === 'reference' || (order === 'before' && needsEntry)) return base + alive;
    if (order === 'before') return base + least;
    return base + below + (needsEntry ? entryBytes : 0);
  });
}

/** The same of a later stage of the run: where the stage before is not reached, and where it is. */
function besideLater(stage: Stage, least: number, locked: number, entryBytes: number): Float64Array {
  return twice(stage, ({ base, entryPending }, isReached) =>
    isReached ? base + least + locked + (entryPending ? entryBytes : 0) : base + least,
  );
}

function twice(stage: Stage, bytesAt: (step: StageStep, isReached: boolean) => number): Float64Array {
  return Float64Array.from({ length: 2 * stage.steps.length }, (_, i) =>
    bytesAt(stage.steps[i >> 1]!, i % 2 === 1),
  );
}

/** Bytes at the reference of a stage beside those of the stages before. */
function atReference({ steps }: Stage): number {
  const step = steps.find(({ order }) => order === 'reference');
  return step === undefined ? 0 : step.base + step.needBytes;
}

/** Labels that no other is as good as, in rising order of what is kept, and so falling of what is locked. */
export function undominated<Some extends Label>(labels: readonly Some[]): Some[] {
  const best: Some[] = [];
  for (const label of [...labels].sort((a, b) => a.kept - b.kept || a.locked - b.locked))
    if (best.length === 0 || label.locked < best.at(-1)!.locked) best.push(label);
  return best;
}

/** The same, merged where they are many. */
function fewer(labels: readonly Label[]): Label[] {
  const best = undominated(labels);
  const share = Math.ceil(best.length / MAX_LABELS);
  if (share <= 1) return best;
  return best.flatMap((label, i) => {
    if (i % share !== 0) return [];
    return [{ kept: label.kept, locked: best[Math.min(i + share, best.length) - 1]!.locked }];
  });
}
