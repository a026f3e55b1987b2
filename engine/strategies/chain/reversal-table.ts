import type { Control } from '../strategy.ts';
import type { Policy } from './reverse.ts';
import type { StageChain } from './stage-chain.ts';
import type { StageProfile } from './stage-profile.ts';

/** Choices beside "advance to boundary at > from and hold it". */
const IMPOSSIBLE = -1;

/**
 * The dynamic programme of `chain-dp`: work[i][j][m] is the least forward work, first forwards included,
 * that brings stages i..j-1 backward within m units of memory, boundary i and the gradient of boundary j
 * included. Three tables of (ranges x units): values, choices, and nothing else; the policy reads the
 * choices. Time O(n^3 m), space O(n^2 m).
 *
 *   one stage       its turn fits                            -> what the turn repeats
 *   at = k > i      advance to k fits, boundary i on the side -> advance + [k, j) in m - a_i + [i, k) in m
 *   at = i          forward and backward of i on its tape fit -> stage i + [i + 1, j) in m - tape_i
 */
export class ReversalTable {
  readonly #count: number;
  readonly #units: number;
  readonly #work: Float64Array;
  readonly #choice: Int16Array;
  readonly #unit: number;
  readonly #profile: StageProfile;

  constructor(chain: StageChain, profile: StageProfile, bytes: number, units: number, control: Control) {
    this.#count = chain.stages.length;
    this.#units = units;
    this.#unit = Math.max(1, bytes / units);
    this.#profile = profile;
    const cells = ((this.#count * (this.#count + 1)) / 2) * (units + 1);
    this.#work = new Float64Array(cells).fill(Number.POSITIVE_INFINITY);
    this.#choice = new Int16Array(cells).fill(IMPOSSIBLE);
    for (let length = 1; length <= this.#count; length++) {
      control.tick((length / this.#count) ** 2);
      for (let i = 0; i + length <= this.#count; i++) this.#fill(chain, i, i + length);
    }
  }

  /** Least work for the whole chain within some units, or infinity. */
  work(units: number): number {
    return this.#work[this.#cell(0, this.#count) + units]!;
  }

  /** Bytes of a number of units. */
  bytes(units: number): number {
    return units * this.#unit;
  }

  /** The decisions behind `work`; memory is counted in units. */
  readonly policy: Policy = (from, to, memory) => {
    const at = this.#choice[this.#cell(from, to) + memory]!;
    const { tape, boundary } = this.#profile;
    const aside = at === from ? tape[from]! : boundary[from]!;
    return { at, left: memory - this.#ceil(aside) };
  };

  #ceil(bytes: number): number {
    return Math.ceil(bytes / this.#unit);
  }

  /** First cell of a range; ranges are stored by length. */
  #cell(from: number, to: number): number {
    const shorter = to - from - 1;
    const before = shorter * this.#count - (shorter * (shorter - 1)) / 2;
    return (before + from) * (this.#units + 1);
  }

  #fill(chain: StageChain, i: number, j: number): void {
    const { pass, boundary, gradient } = this.#profile;
    const cell = this.#cell(i, j);
    if (j === i + 1) {
      this.#fillTurn(chain, i, cell);
      return;
    }
    const behind = gradient[j] ?? 0;
    let advancePeak = pass[i]!;
    let advanceWork = chain.work[i]!;
    const held = this.#ceil(boundary[i]!);
    for (let k = i + 1; k < j; k++) {
      const need = Math.max(held, this.#ceil(advancePeak + behind));
      this.#fillHold(i, k, j, need, held, advanceWork);
      advancePeak = Math.max(advancePeak, boundary[i]! + pass[k]!);
      advanceWork += chain.work[k]!;
    }
    this.#fillTape(chain, i, j, behind);
  }

  #fillTurn(chain: StageChain, i: number, cell: number): void {
    const { turn, workOfTurn } = this.#profile;
    // The last stage turns right after its first forward.
    const cost = i === this.#count - 1 ? chain.work[i]! : workOfTurn[i]!;
    for (let m = this.#ceil(turn[i]!); m <= this.#units; m++) {
      this.#work[cell + m] = cost;
      this.#choice[cell + m] = i;
    }
  }

  #fillHold(i: number, k: number, j: number, need: number, held: number, advance: number): void {
    const { turnAfterHold, workAfterHold } = this.#profile;
    const work = this.#work;
    const cell = this.#cell(i, j);
    const right = this.#cell(k, j) - held;
    // The stage right before a held boundary turns with its output at hand.
    const leftTurn = k === i + 1 ? this.#ceil(turnAfterHold[i]!) : -1;
    const left = this.#cell(i, k);
    for (let m = Math.max(need, leftTurn); m <= this.#units; m++) {
      const leftWork = leftTurn >= 0 ? workAfterHold[i]! : work[left + m]!;
      const cost = advance + work[right + m]! + leftWork;
      if (cost < work[cell + m]!) {
        work[cell + m] = cost;
        this.#choice[cell + m] = k;
      }
    }
  }

  #fillTape(chain: StageChain, i: number, j: number, behind: number): void {
    const { tapeForward, tapeBackward, tape } = this.#profile;
    const work = this.#work;
    const cell = this.#cell(i, j);
    const kept = this.#ceil(tape[i]!);
    const right = this.#cell(i + 1, j) - kept;
    const need = Math.max(kept, this.#ceil(tapeForward[i]! + behind), this.#ceil(tapeBackward[i]!));
    for (let m = need; m <= this.#units; m++) {
      const cost = chain.work[i]! + work[right + m]!;
      if (cost < work[cell + m]!) {
        work[cell + m] = cost;
        this.#choice[cell + m] = i;
      }
    }
  }
}
