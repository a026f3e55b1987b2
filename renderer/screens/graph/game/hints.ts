import type { GameTargets, JudgedSet } from '../../../../app/contract/checkpoint-game.ts';
import { paperCost } from '../../../../engine/paper/paper-cost.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import { type Verdict, verdictOn } from '../yours/own-checkpoints.ts';
import { idOfVertex, type PaperGraph, verticesOf } from '../state/paper-graph.ts';

export interface Hint {
  readonly text: string;
  readonly vertices: readonly number[];
}

export interface HintInput {
  readonly paper: PaperGraph;
  readonly own: readonly number[];
  readonly batch: number;
  /** Null until it is known. */
  readonly judged: JudgedSet | null;
  readonly targets: GameTargets | null;
}

/** From what costs most now to how many tensors the answers keep; each says more than the one before. */
export function hintsFor(input: HintInput): readonly Hint[] {
  const { paper, own } = input;
  const verdict = verdictOn(paper, own);
  return [...structureHints(input, verdict), ...peakHints(input), ...countHints(input)];
}

function structureHints({ paper, own, batch }: HintInput, verdict: Verdict): Hint[] {
  if (verdict.state === 'unpriced') {
    return [
      {
        text: `Eq. 2 does not apply: ${verdict.message} Keep the tensor where these paths meet, or drop one.`,
        vertices: [...verdict.fault.sources, ...verdict.fault.targets, verdict.fault.from],
      },
    ];
  }
  const cost = paperCost(paper.tensors, own);
  if (!cost.ok) return [];
  const largest = cost.segments.reduce<(typeof cost.segments)[number] | null>(
    (most, segment) => (most === null || segment.cost > most.cost ? segment : most),
    null,
  );
  if (largest === null) return [];
  const bytes = (perSample: number): string => formatBytes(perSample * batch);
  const name = (v: number): string => idOfVertex(paper, v);
  const ends = `between ${name(largest.source)} and ${name(largest.target)}`;
  const advice =
    cost.checkpointCost > cost.maxTerm
      ? 'The checkpoints are larger: drop one, or keep a smaller tensor instead of a large one.'
      : 'It is larger than the checkpoints: cut it at a small tensor.';
  return [
    {
      text: `The largest segment lies ${ends} and takes ${bytes(cost.maxTerm)}; the checkpoints take ${bytes(cost.checkpointCost)}. ${advice}`,
      vertices: largest.vertices,
    },
  ];
}

const PASSES = { forward: 'the forward', recompute: 'the recompute', backward: 'the backward' } as const;

function peakHints({ paper, judged }: HintInput): Hint[] {
  if (judged === null || 'reason' in judged) return [];
  const { pass, id, largest, largestBytes } = judged.peak;
  return [
    {
      text: `The peak of ${formatBytes(judged.peakBytes)} is at ${PASSES[pass]} of ${id}; the largest tensor in memory at that moment belongs to ${largest}, ${formatBytes(largestBytes)}.`,
      vertices: verticesOf(paper, [id, largest]),
    },
  ];
}

function countHints({ paper, own, targets }: HintInput): Hint[] {
  const count = paper.optimum.checkpoints.length;
  const tensors = (n: number): string => `${formatCount(n)} ${n === 1 ? 'tensor' : 'tensors'}`;
  const hints: Hint[] = [
    {
      text: `A set with the minimum of Eq. 2 keeps ${tensors(count)}; yours keeps ${formatCount(own.length)}.`,
      vertices: [],
    },
  ];
  if (targets === null) return hints;
  const { checkpoints, isExact, boundBytes } = targets;
  const which = isExact ? 'A set with the minimal peak' : 'The best known set for the peak';
  hints.push({
    text: `${which} keeps ${tensors(checkpoints.length)}. No schedule has a peak below ${formatBytes(boundBytes)}.`,
    vertices: [],
  });
  return hints;
}
