import type { LinkedDevice } from '../../offload/link.ts';
import { stepTimes } from '../../offload/step-times.ts';
import type { Schedule } from '../../schedule/schedule.ts';
import { simulateTotals } from '../../simulate/simulate.ts';
import type { SearchLimit } from '../search/search-limit.ts';
import type { Problem } from '../strategy/strategy.ts';
import { chooseGaps, leastReach, RULES, type Rule } from './choose.ts';
import { type Computing, computingOf, type IdleGap } from './idle-gaps.ts';
import { withTransfers } from './transfers.ts';

/** A schedule within the budget and its predicted time. */
export interface Timed {
  readonly schedule: Schedule;
  readonly seconds: number;
  readonly sentBytes: number;
  readonly peakBytes: number;
}

/** From which steps and by which choice it came; what a search near it goes on from. */
interface Found extends Timed {
  readonly computing: Computing;
  readonly rule: Rule;
  readonly given: ReadonlySet<IdleGap>;
  readonly barred: ReadonlySet<IdleGap>;
}

/** Number of schedules, each the best for its own steps, whose neighbours are tried. */
const IMPROVED = 3;
/** Choices tried near one. */
const MAX_TRIALS = 400;
/** Looks that a trial takes for each of its steps: choosing, placing, freeing, simulating, timing. */
const LOOKS_A_STEP = 30;

/** Gathers schedules within one budget, each of some steps with whatever transfers they need for it. */
export class JointSearch {
  readonly #problem: Problem;
  readonly #budget: number;
  readonly #device: LinkedDevice;
  readonly #limit: SearchLimit;
  readonly #known = new Set<string>();
  readonly #found: Found[] = [];
  #best: Timed | null = null;
  #reach = Number.POSITIVE_INFINITY;

  constructor(problem: Problem, budget: number, device: LinkedDevice, limit: SearchLimit) {
    this.#problem = problem;
    this.#budget = budget;
    this.#device = device;
    this.#limit = limit;
  }

  get best(): Timed | null {
    return this.#best;
  }

  /** The least budget that transfers would meet with any of the steps offered. */
  get reach(): number {
    return this.#reach;
  }

  /**
   * A schedule without transfers: as it is where it fits, and with those that bring it within the budget.
   * @returns the seconds of what came of it; infinite where nothing did, or was known before
   */
  offer(schedule: Schedule): number {
    const { graph, memory } = this.#problem;
    const { peakBytes, recomputeWork, recomputedVertices } = simulateTotals(graph, memory, schedule);
    const key = `${peakBytes} ${recomputeWork} ${recomputedVertices}`;
    if (this.#known.has(key)) return Number.POSITIVE_INFINITY;
    this.#known.add(key);
    const { seconds } = stepTimes(graph, memory, schedule, this.#device);
    this.#limit.look(LOOKS_A_STEP * schedule.kinds.length);
    if (peakBytes <= this.#budget) {
      this.#reach = Math.min(this.#reach, peakBytes);
      this.#take({ schedule, seconds, sentBytes: 0, peakBytes });
      return seconds;
    }
    const computing = computingOf(this.#problem, schedule);
    this.#reach = Math.min(this.#reach, leastReach(computing));
    // Transfers make nothing faster.
    if (this.#best !== null && seconds >= this.#best.seconds) return Number.POSITIVE_INFINITY;
    let own: Found | null = null;
    for (const rule of RULES) {
      const found = this.#try(computing, rule, new Set(), new Set());
      if (found !== null && (own === null || isFaster(found, own))) own = found;
    }
    if (own === null) return Number.POSITIVE_INFINITY;
    this.#found.push(own);
    this.#take(own);
    return own.seconds;
  }

  /** Tries one gap more or one less, again and again, near the fastest of those found. */
  improve(tick: (done: number) => void): void {
    const starts = this.#found.sort((a, b) => a.seconds - b.seconds).slice(0, IMPROVED);
    for (const [i, start] of starts.entries()) {
      this.#descend(start, (done) => tick((i + done) / starts.length));
    }
    tick(1);
  }

  #descend(start: Found, tick: (done: number) => void): void {
    let at = start;
    const { gaps } = start.computing;
    let idle = 0;
    for (let k = 0; idle < gaps.length && k < MAX_TRIALS; k++) {
      if (this.#limit.isReached) {
        this.#limit.leave('moves', k, MAX_TRIALS);
        return;
      }
      tick(k / MAX_TRIALS);
      const gap = gaps[k % gaps.length]!;
      idle++;
      for (const [own, other] of [
        [at.given, at.barred],
        [at.barred, at.given],
      ] as const) {
        const more = toggled(own, gap);
        const rest = without(other, gap);
        const [given, barred] = own === at.given ? [more, rest] : [rest, more];
        const found = this.#try(at.computing, at.rule, given, barred);
        if (found === null || !isFaster(found, at)) continue;
        at = found;
        idle = 0;
        break;
      }
    }
    this.#take(at);
  }

  #try(
    computing: Computing,
    rule: Rule,
    given: ReadonlySet<IdleGap>,
    barred: ReadonlySet<IdleGap>,
  ): Found | null {
    this.#limit.look(LOOKS_A_STEP * computing.live.length);
    const chosen = chooseGaps(computing, this.#budget, rule, given, barred);
    if (chosen === null) return null;
    const { graph, memory } = this.#problem;
    const schedule = withTransfers(this.#problem, computing, chosen, this.#budget);
    const { peakBytes, host } = simulateTotals(graph, memory, schedule);
    if (peakBytes > this.#budget) return null;
    const { seconds } = stepTimes(graph, memory, schedule, this.#device);
    return {
      schedule,
      seconds,
      sentBytes: host?.sentBytes ?? 0,
      peakBytes,
      computing,
      rule,
      given,
      barred,
    };
  }

  #take(found: Timed): void {
    if (this.#best === null || isFaster(found, this.#best)) this.#best = found;
  }
}

/** Less time; at the same, fewer bytes over the link, then a lower peak. */
function isFaster(a: Timed, b: Timed): boolean {
  // Smaller differences are rounding errors of sums.
  if (Math.abs(a.seconds - b.seconds) > 1e-9 * b.seconds) return a.seconds < b.seconds;
  if (a.sentBytes !== b.sentBytes) return a.sentBytes < b.sentBytes;
  return a.peakBytes < b.peakBytes;
}

function toggled(set: ReadonlySet<IdleGap>, gap: IdleGap): ReadonlySet<IdleGap> {
  return set.has(gap) ? without(set, gap) : new Set([...set, gap]);
}

function without(set: ReadonlySet<IdleGap>, gap: IdleGap): ReadonlySet<IdleGap> {
  return new Set([...set].filter((one) => one !== gap));
}
