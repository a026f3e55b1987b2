import type { Control } from '../strategy/strategy.ts';
import type { Policy } from './reverse.ts';
import type { StageChain } from './stage-chain.ts';
import type { StageProfile } from './stage-profile.ts';

/** A choice is 2 x (where to hold, or the stage itself for its tape) + (1 to keep the boundary). */
const IMPOSSIBLE = -1;

/**
 * The dynamic programme of `chain-dp`: work[i][j][kept][m] is the least forward work, first forwards
 * included, that brings stages i..j-1 backward within m units of memory, boundary i, the gradient of
 * boundary j and, where it is kept, boundary j included. One table of values, one of choices; the policy
 * reads the choices. Time O(n^3 m), space O(n^2 m).
 *
 *   one stage       its turn fits                             -> what the turn repeats
 *   at = k > i      advance to k fits, boundary i on the side  -> advance + [k, j) in m - a_i + [i, k) in m,
 *                                                                boundary k kept for the latter or not
 *   at = i          forward and backward of i on its tape fit  -> stage i + [i + 1, j) in m - tape_i
 */
export class ReversalTable {
  readonly units: number;
  readonly #chain: StageChain;
  readonly #profile: StageProfile;
  readonly #count: number;
  readonly #unit: number;
  readonly #work: Float64Array;
  readonly #choice: Int16Array;

  constructor(chain: StageChain, profile: StageProfile, bytes: number, units: number, control: Control) {
    this.units = units;
    this.#chain = chain;
    this.#profile = profile;
    this.#count = chain.stages.length;
    this.#unit = bytes / units;
    const cells = this.#count * (this.#count + 1) * (units + 1);
    this.#work = new Float64Array(cells).fill(Number.POSITIVE_INFINITY);
    this.#choice = new Int16Array(cells).fill(IMPOSSIBLE);
    for (let length = 1; length <= this.#count; length++) {
      control.tick((length / this.#count) ** 2);
      for (let i = 0; i + length <= this.#count; i++) {
        this.#fill(i, i + length, false);
        this.#fill(i, i + length, true);
      }
    }
  }

  /** Least work for the whole chain within some units, or infinity. */
  work(units: number): number {
    return this.#work[this.#row(0, this.#count, false) + units]!;
  }

  /** Bytes of a number of units. */
  bytes(units: number): number {
    return units * this.#unit;
  }

  /** The decisions behind `work`; memory is counted in units. */
  readonly policy: Policy = (from, to, memory, kept) => {
    const choice = this.#choice[this.#row(from, to, kept) + memory]!;
    const { tape, boundary } = this.#profile;
    const at = choice >> 1;
    const aside = at === from ? tape[from]! : boundary[from]!;
    return { at, left: memory - this.#ceil(aside), keep: (choice & 1) === 1 };
  };

  #ceil(bytes: number): number {
    return Math.ceil(bytes / this.#unit);
  }

  /** First cell of a range; ranges are stored by length. */
  #row(from: number, to: number, kept: boolean): number {
    const shorter = to - from - 1;
    const before = shorter * this.#count - (shorter * (shorter - 1)) / 2;
    return (2 * (before + from) + (kept ? 1 : 0)) * (this.units + 1);
  }

  #fill(i: number, j: number, kept: boolean): void {
    if (j === i + 1) {
      this.#fillTurn(i, kept);
      return;
    }
    const { pass, boundary, gradient } = this.#profile;
    const behind = gradient[j]! + (kept ? boundary[j]! : 0);
    this.#fillTape(i, j, kept, behind);
    let advancePeak = pass[i]!;
    let advance = this.#chain.work[i]!;
    for (let k = i + 1; k < j; k++) {
      const need = this.#ceil(advancePeak + behind);
      this.#fillHold(i, k, j, kept, need, advance);
      advancePeak = Math.max(advancePeak, boundary[i]! + pass[k]!);
      advance += this.#chain.work[k]!;
    }
  }

  #fillTurn(i: number, kept: boolean): void {
    const { turn, turnAfterHold, workOfTurn, workAfterHold } = this.#profile;
    const row = this.#row(i, i + 1, kept);
    // The last stage turns right after its first forward.
    const isLast = i === this.#count - 1;
    const cost = isLast ? this.#chain.work[i]! : kept ? workAfterHold[i]! : workOfTurn[i]!;
    for (let m = this.#ceil(kept ? turnAfterHold[i]! : turn[i]!); m <= this.units; m++) {
      this.#work[row + m] = cost;
    }
  }

  /**
   * More memory never costs more: a hold is looked at only where all before it cost no less than it at best. Where the
   * tape costs the same, it gives way.
   */
  #fillHold(i: number, k: number, j: number, kept: boolean, need: number, advance: number): void {
    const work = this.#work;
    const choices = this.#choice;
    const row = this.#row(i, j, kept);
    const held = this.#ceil(this.#profile.boundary[i]!);
    const right = this.#row(k, j, kept) - held;
    const left = this.#row(i, k, false);
    const leftKept = this.#row(i, k, true);
    const { units } = this;
    const best = advance + work[right + units]! + Math.min(work[leftKept + units]!, work[left + units]!);
    const start = Math.max(need, held);
    let [low, end] = [start, best < Number.POSITIVE_INFINITY ? units + 1 : start];
    while (low < end) {
      const middle = (low + end) >> 1;
      if (work[row + middle]! < best) end = middle;
      else low = middle + 1;
    }
    for (let m = start; m < end; m++) {
      const keep = work[leftKept + m]! <= work[left + m]!;
      const cost = advance + work[right + m]! + work[(keep ? leftKept : left) + m]!;
      const known = work[row + m]!;
      if (cost < known || (cost === known && choices[row + m] === 2 * i)) {
        work[row + m] = cost;
        choices[row + m] = 2 * k + (keep ? 1 : 0);
      }
    }
  }

  #fillTape(i: number, j: number, kept: boolean, behind: number): void {
    const { tapeForward, tapeBackward, tape } = this.#profile;
    const work = this.#work;
    const row = this.#row(i, j, kept);
    const held = this.#ceil(tape[i]!);
    const right = this.#row(i + 1, j, kept) - held;
    const need = Math.max(held, this.#ceil(tapeForward[i]! + behind), this.#ceil(tapeBackward[i]!));
    for (let m = need; m <= this.units; m++) {
      const cost = this.#chain.work[i]! + work[right + m]!;
      if (cost === Number.POSITIVE_INFINITY) continue;
      work[row + m] = cost;
      this.#choice[row + m] = 2 * i;
    }
  }
}
