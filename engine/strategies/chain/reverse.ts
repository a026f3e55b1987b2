import { predecessorsOf } from '../../graph/graph.ts';
import { BACKWARD, FORWARD, type Schedule, ScheduleBuilder } from '../../schedule/schedule.ts';
import type { Control } from '../strategy/strategy.ts';
import { needsOfStage, type StageChain } from './stage-chain.ts';

/** How to go backward through stages from..to-1 while boundary `from` is in memory. */
export interface Decision {
  /**
   * from < at < to: advance to boundary `at`, hold it while the stages after it run backward, then go
   * backward through the stages before it. at = from: run stage `from` forward and hold all that its
   * backward needs (its tape) while the stages after it run backward.
   */
  readonly at: number;
  /** The memory left for the stages after `at`, in whatever unit the policy counts. */
  readonly left: number;
  /**
   * Keeps boundary `at` until the stage that makes it has run backward, which may need its own
   * output. Where that stage is all that is left it costs nothing, so that is what happens by default.
   */
  readonly keep?: boolean;
}

/**
 * Asked for every range of two stages or more; a single stage is run forward and backward at once.
 * `kept`: boundary `to` is still held (`keep` of an earlier decision).
 */
export type Policy = (from: number, to: number, memory: number, kept: boolean) => Decision;

export interface Reversal {
  /** Forward and backward steps; frees follow from liveness. */
  readonly compute: Schedule;
  /** Boundaries held from the first forward on, as operations, ascending. */
  readonly checkpoints: readonly number[];
}

/**
 * Multi-level checkpointing on a chain of stages: the recursion that `revolve`, BPTT and the
 * heterogeneous dynamic programme share. The first forward descends to the last stage; after that,
 * whatever is not held is recomputed from the nearest held boundary.
 * Time O(steps); recursion as deep as boundaries are held at once.
 */
export function reverseChain(chain: StageChain, policy: Policy, memory: number, control: Control): Reversal {
  const walk = new Walk(chain, policy, control);
  walk.forwardAll();
  walk.reverse(0, chain.stages.length, memory, false);
  return { compute: walk.builder.build(), checkpoints: [...walk.checkpoints].sort((a, b) => a - b) };
}

class Walk {
  readonly builder = new ScheduleBuilder();
  readonly checkpoints = new Set<number>();
  readonly #chain: StageChain;
  readonly #policy: Policy;
  readonly #control: Control;
  /**
   * Activations and growing auxiliaries that may be counted on. What a later operation overwrote is among them until its
   * stage is forgotten, and nobody asks for it before.
   */
  readonly #available: Uint8Array;
  readonly #auxAvailable: Uint8Array;
  /** Until the last stage has been reached for the first time nothing has to be recomputed. */
  #firstForward = true;
  #turned = 0;

  constructor(chain: StageChain, policy: Policy, control: Control) {
    const { graph, memory } = chain.problem;
    this.#chain = chain;
    this.#policy = policy;
    this.#control = control;
    this.#available = new Uint8Array(graph.size);
    this.#available[0] = 1;
    this.#auxAvailable = memory.auxIsFixed.slice();
  }

  forwardAll(): void {
    for (const stage of this.#chain.stages) for (const v of stage) this.builder.push(FORWARD, v);
  }

  /** Backward through stages from..to-1; boundary `from` is available before and after, `to` if kept. */
  reverse(from: number, to: number, memory: number, endKept: boolean): void {
    let end = to;
    let kept = endKept;
    while (end > from + 1) {
      const { at, left, keep } = this.#policy(from, end, memory, kept);
      if (at === from) {
        const held = this.#tape(from);
        this.reverse(from + 1, end, left, kept);
        this.#turn(from);
        this.#forget(held);
        return;
      }
      const boundary = this.#chain.boundaries[at]!;
      if (this.#firstForward) this.checkpoints.add(boundary);
      else this.#ensure([boundary], []);
      this.#forgetAllBut(from, at, boundary);
      this.reverse(at, end, left, kept);
      end = at;
      kept = keep ?? end === from + 1;
      if (!kept) this.#forget([boundary]);
    }
    this.#turn(from);
  }

  /** Runs a stage backward, after forwarding again what that needs. */
  #turn(stage: number): void {
    this.#control.tick(this.#turned / this.#chain.stages.length);
    const operations = this.#chain.stages[stage]!;
    if (this.#firstForward) this.#hold(operations, operations);
    this.#firstForward = false;
    this.#ensure(needsOfStage(this.#chain, stage), operations);
    for (let i = operations.length - 1; i >= 0; i--) this.builder.push(BACKWARD, operations[i]!);
    this.#forget(operations);
    this.#turned++;
  }

  /** Runs a stage forward (unless the first forward just did) and holds what its backward needs. */
  #tape(stage: number): number[] {
    const operations = this.#chain.stages[stage]!;
    const output = this.#chain.boundaries[stage + 1]!;
    const needed = needsOfStage(this.#chain, stage);
    if (this.#firstForward) {
      this.checkpoints.add(output);
      for (const u of needed) if (u !== 0) this.checkpoints.add(u);
      this.#hold([...needed, output], operations);
    } else this.#ensure([...needed, output], operations);
    const held = operations.filter((v) => needed.has(v) || v === output);
    const holds = new Set(held);
    for (const v of operations) if (!holds.has(v)) this.#available[v] = 0;
    return held;
  }

  /** Forwards activations and auxiliaries that are not there, through as many inputs as it takes. */
  #ensure(activations: Iterable<number>, auxiliaries: Iterable<number>): void {
    const { graph } = this.#chain.problem;
    const wanted = new Set<number>();
    for (const u of activations) if (this.#available[u] !== 1) wanted.add(u);
    for (const v of auxiliaries) if (this.#auxAvailable[v] !== 1) wanted.add(v);
    // A set grows while it is walked.
    for (const v of wanted) {
      for (const u of predecessorsOf(graph, v)) if (this.#available[u] !== 1) wanted.add(u);
    }
    for (const v of [...wanted].sort((a, b) => a - b)) {
      this.builder.push(FORWARD, v);
      this.#available[v] = 1;
      this.#auxAvailable[v] = 1;
    }
  }

  /** Counts on what the first forward left behind. */
  #hold(activations: Iterable<number>, auxiliaries: Iterable<number>): void {
    for (const v of auxiliaries) this.#auxAvailable[v] = 1;
    for (const v of activations) this.#available[v] = 1;
  }

  #forgetAllBut(from: number, to: number, boundary: number): void {
    for (let stage = from; stage < to; stage++) {
      for (const v of this.#chain.stages[stage]!) if (v !== boundary) this.#forget([v]);
    }
    this.#available[boundary] = 1;
  }

  #forget(vertices: Iterable<number>): void {
    const { auxIsFixed } = this.#chain.problem.memory;
    for (const v of vertices) {
      this.#available[v] = 0;
      this.#auxAvailable[v] = auxIsFixed[v]!;
    }
  }
}
