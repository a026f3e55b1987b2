import { completed } from '../checkmate/rounding.ts';
import { fineStages, joinStages, type Stages } from '../checkmate/stages.ts';
import { type Candidate, judge } from './candidate.ts';
import { type KeepEncoding, KEEP_ALL, KEEP_AUX, KEEP_VALUE } from './keep-encoding.ts';
import type { LiveModel } from './live-model.ts';
import type { SearchLimit } from './search-limit.ts';
import type { Problem } from '../strategy/strategy.ts';

/** Into how many parts backward is divided. */
const PARTS = [4, 8, 16, 32, 64] as const;
/** Vertices times schedules that are made for each of these, and of filling up what is left of a budget. */
const MAX_MADE = 12_000;
/** Work of making and judging a schedule, per vertex. */
const LOOKS = 800;

interface RecomputedPlan {
  readonly stages: Stages;
  readonly keep: KeepEncoding;
  readonly candidate: Candidate;
}

/**
 * Repeated recompute: backward is divided into parts, and what is recomputed in one and not to be kept is dropped at
 * its end and computed again where the next needs it, from the nearest that is kept. Long runs of cheap operations
 * between kept convolutions then never live together, at the price of a recompute of each a part: below what recomputing
 * once can reach.
 *
 * Time O(parts x (storages + edges)) a schedule, for each of five numbers of parts and of some dozen choices.
 */
export class RepeatedRecompute {
  readonly #problem: Problem;
  readonly #model: LiveModel;
  readonly #search: SearchLimit;
  readonly #starts: readonly KeepEncoding[];
  #made: readonly RecomputedPlan[] | null = null;

  /** @param starts what may be kept, such as the minimum cuts at several prices of work */
  constructor(problem: Problem, model: LiveModel, starts: readonly KeepEncoding[], search: SearchLimit) {
    this.#problem = problem;
    this.#model = model;
    this.#search = search;
    const most = Math.min(this.#most, starts.length);
    this.#starts = Array.from({ length: most }, (_, i) => starts[Math.floor((i * starts.length) / most)]!);
  }

  /** The starts, judged; the same for every budget. */
  get all(): readonly Candidate[] {
    return this.#all.map(({ candidate }) => candidate);
  }

  /** Plan of least recompute within a budget, filled up with what else fits; null when none fits. */
  within(budget: number): Candidate | null {
    let best: RecomputedPlan | null = null;
    for (const one of this.#all) {
      if (one.candidate.peakBytes > budget) continue;
      if (best === null || one.candidate.recomputeWork < best.candidate.recomputeWork) best = one;
    }
    return best === null ? null : this.#filled(best, budget);
  }

  get #most(): number {
    return Math.max(1, Math.floor(MAX_MADE / this.#problem.graph.size));
  }

  get #all(): readonly RecomputedPlan[] {
    if (this.#made !== null) return this.#made;
    const fine = fineStages(this.#model);
    const counts = PARTS.filter((count) => count < fine.stages.length);
    const made: RecomputedPlan[] = [];
    for (const count of counts) {
      const stages = joinStages(fine, count);
      for (const keep of this.#starts) {
        if (this.#isOver()) {
          this.#search.leave('starts', made.length, counts.length * this.#starts.length);
          return made;
        }
        made.push({ stages, keep, candidate: this.#planned(stages, keep) });
      }
    }
    this.#made = made;
    return made;
  }

  /** One item more after another, what is dear for its bytes first. */
  #filled({ stages, keep: start, candidate }: RecomputedPlan, budget: number): Candidate {
    const { items, bytes, work } = this.#model;
    let [best, kept] = [candidate, start];
    const dropped = Array.from({ length: items }, (_, item) => item).filter(
      (item) => item > 0 && start[item] !== KEEP_ALL && work[item]! > 0,
    );
    dropped.sort((a, b) => work[b]! / (bytes[b]! + 1) - work[a]! / (bytes[a]! + 1) || a - b);
    for (const item of dropped.slice(0, this.#most)) {
      if (best.recomputeWork === 0 || this.#isOver()) break;
      const keep = kept.slice();
      keep[item] = KEEP_ALL;
      const one = this.#planned(stages, keep);
      if (one.peakBytes <= budget && one.recomputeWork < best.recomputeWork) [best, kept] = [one, keep];
    }
    return best;
  }

  #isOver(): boolean {
    return this.#search.look(LOOKS * this.#problem.graph.size);
  }

  #planned(all: Stages, keep: KeepEncoding): Candidate {
    const bit = (mask: number): Uint8Array => Uint8Array.from(keep, (held) => ((held & mask) === 0 ? 0 : 1));
    const none = new Uint8Array(keep.length);
    const [values, auxiliaries] = [bit(KEEP_VALUE), bit(KEEP_AUX)];
    // Nothing is held beyond the last stage.
    const each = (held: Uint8Array): Uint8Array[] => [...all.stages.map(() => held), none];
    return judge(this.#problem, completed(all, { values: each(values), auxiliaries: each(auxiliaries) }));
  }
}
