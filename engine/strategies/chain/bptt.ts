import { insertFrees } from '../../schedule/liveness.ts';
import { type Policy, reverseChain } from './reverse.ts';
import { needsOfStage, type StageChain, stageChain } from './stage-chain.ts';
import { slotsOf } from '../options.ts';
import type { Control, Strategy } from '../strategy/strategy.ts';

/** Effort guard: stages^2 x slots cells would take seconds beyond this. */
const MAX_CELLS = 100_000_000;

/**
 * Memory-efficient backpropagation through time: dynamic programming over (stages left, memory slots
 * left) decides where the next boundary is held, or that a whole stage's tape is held instead.
 *
 * - Source: Gruslys et al. 2016, section 3.3 (BPTT-MSM, hidden and internal states mixed). On non-linear
 *   graphs over the chain of splitting vertices.
 * - Guarantee: the fewest stage forwards within the slots, for stages of equal time and size.
 * - Time O(n^2 m) for n stages and m slots, space O(n m).
 * - Assumptions: all stages cost the same; a slot holds one boundary, a tape takes `tapeSlots`.
 * - Departures: the source takes no slot. The size of a tape is the rounded mean over the stages of
 *   what their backward needs beside their input, in mean boundaries. Slots: as for `revolve`.
 */
export const bptt: Strategy = {
  name: 'bptt',
  title: 'BPTT (Gruslys)',
  source: 'Gruslys et al., Memory-efficient backpropagation through time, 2016',
  cites: ['gruslys2016memory'],
  guarantee: 'the fewest forwards within memory slots on a chain of equal stages',
  takeFor: 'a recurrent network unrolled over many steps',
  reads: { slots: 'takes' },
  scalesWithBatch: false,
  hasPaperCost: false,
  plan(problem, options, control) {
    const chain = stageChain(problem);
    if (typeof chain === 'string') return { applicable: false, reason: chain };
    const stages = chain.stages.length;
    const tape = tapeSlots(chain);
    // More slots than hold every tape change nothing.
    const slots = Math.min(slotsOf(options, stages), stages * (tape + 1));
    if (stages * stages * (slots + 1) > MAX_CELLS) {
      const reason = `${stages} stages with ${slots} slots are too many for dynamic programming; try revolve or fewer slots`;
      return { applicable: false, reason };
    }
    const { compute, checkpoints } = reverseChain(
      chain,
      mixedStates(stages, slots, tape, control).policy,
      slots,
      control,
    );
    return {
      applicable: true,
      checkpoints,
      schedule: insertFrees(problem.graph, problem.memory, compute),
      paperCostBytes: null,
      claim: { kind: 'stages-and-tapes-in-slots', stages, slots, tape },
    };
  },
};

/** Slots that the tape of a stage takes beside its input, at least 1. */
function tapeSlots(chain: StageChain): number {
  const { memory } = chain.problem;
  let tapes = 0;
  let boundaries = 0;
  for (let stage = 0; stage < chain.stages.length; stage++) {
    const needed = needsOfStage(chain, stage);
    for (const v of chain.stages[stage] ?? []) {
      if (needed.has(v)) tapes += memory.outputBytes[v] ?? 0;
      tapes += memory.auxBytes[v] ?? 0;
    }
    boundaries += memory.outputBytes[chain.boundaries[stage + 1] ?? 0] ?? 0;
  }
  return boundaries > 0 ? Math.max(1, Math.round(tapes / boundaries)) : 1;
}

/** TAPE: hold the tape of the first stage; else how far to advance before the next boundary is held. */
const TAPE = 0;

/**
 * Bellman's equation over where the next boundary goes (k), the tape of the first stage, and, with no
 * slot left, the transient advance to the last stage. forwards[n][m] = fewest stage forwards, the first
 * ones included, that bring n stages backward from a held start with m slots free.
 */
export function mixedStates(
  stages: number,
  slots: number,
  tape: number,
  control: Control,
): { policy: Policy; forwards: number } {
  const width = slots + 1;
  const forwards = new Float64Array((stages + 1) * width);
  const choice = new Int32Array((stages + 1) * width);
  for (let m = 0; m <= slots; m++) forwards[width + m] = 1;
  for (let n = 2; n <= stages; n++) {
    control.tick((n / stages) ** 2);
    for (let m = 0; m <= slots; m++) {
      let best = n + forwards[(n - 1) * width + m]!;
      let at = n - 1;
      if (m >= tape) {
        const cost = 1 + forwards[(n - 1) * width + m - tape]!;
        if (cost < best) {
          best = cost;
          at = TAPE;
        }
      }
      for (let k = 1; m > 0 && k < n; k++) {
        const cost = k + forwards[(n - k) * width + m - 1]! + forwards[k * width + m]!;
        if (cost < best) {
          best = cost;
          at = k;
        }
      }
      forwards[n * width + m] = best;
      choice[n * width + m] = at;
    }
  }
  const policy: Policy = (from, to, memory) => {
    const at = choice[(to - from) * width + memory]!;
    if (at === TAPE) return { at: from, left: memory - tape };
    // The advance to the last stage holds nothing beyond that stage's own turn.
    return { at: from + at, left: Math.max(0, memory - 1) };
  };
  return { policy, forwards: forwards[stages * width + slots]! };
}
