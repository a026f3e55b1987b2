import { totalParameters, vertexOf } from '../graph/graph.ts';
import { createProblem } from '../problem.ts';
import { solveRow } from '../strategies/solve.ts';
import type { StrategyOptions } from '../strategies/strategy/strategy.ts';
import { buildModel } from '../zoo/zoo.ts';
import type { TableRecipe, TableRow } from './table.ts';

/** Article 004 runs its network once forward, at this batch, and prints what is then held. */
const NETWORK = 'forty-layers';
const BATCH = 512;

/** The last of the article's segment: it is a checkpoint here. */
const SEGMENT_OUTPUT = 'layers.39.out';

const ARTICLE_MB = 166.5352;

interface Case {
  readonly title: string;
  readonly strategy: string;
  readonly told?: Pick<StrategyOptions, 'checkpoints' | 'segments'>;
  /** "memory consumption with grad ckpt: 166.5352 (MB) vs without 244.5352 (MB)". */
  readonly paperMB?: number;
}

/** The article's own segment is all 40 layers: from the sigmoid's output to the last tanh's. */
const CASES: readonly Case[] = [
  { title: 'Without', strategy: 'regular', paperMB: 244.5352 },
  {
    title: 'One segment, as in the article',
    strategy: 'manual',
    told: { checkpoints: ['out1', SEGMENT_OUTPUT] },
    paperMB: ARTICLE_MB,
  },
  ...[2, 4, 6, 9].map((segments) => ({
    title: `${segments} equal segments`,
    strategy: 'sequential',
    told: { segments },
  })),
  { title: 'Optimum of Eq. 1', strategy: 'optimal' },
  { title: 'Live', strategy: 'live' },
];

/**
 * The example of article 004. Its numbers are the weights and what is kept for backward, MB of 2^20 bytes;
 * the peak of the step, which it does not print, stands beside them with the same weights.
 */
export function layersRecipe(): TableRecipe {
  const problem = createProblem(buildModel(NETWORK, { batch: BATCH }), 'pytorch-1.5');
  const weights = totalParameters(problem.graph) * problem.graph.bytesPerElement;
  const regular = solveRow(problem, 'regular', { seed: 0 }).peakBytes ?? 0;
  const outputMB = (problem.graph.bytes[vertexOf(problem.graph, SEGMENT_OUTPUT)] ?? 0) / MIB;
  const rowOf = (index: number): TableRow => {
    const { title, strategy, told = {}, paperMB = null } = CASES[index] ?? { title: '', strategy: '' };
    const row = solveRow(problem, strategy, { seed: 0, ...told });
    const { timeline } = row;
    const heldMB = tenThousandths(weights + (row.savedBytes ?? 0));
    const peak = row.peakBytes ?? 0;
    return {
      case: title,
      strategy,
      segments: told.segments ?? null,
      checkpoints: told.checkpoints?.join(',') ?? null,
      paperMB,
      afterForwardMB: heldMB,
      differenceMB: paperMB === null ? null : tenThousandths((heldMB - paperMB) * MIB),
      peakMB: tenThousandths(weights + peak),
      againMB: tenThousandths(timeline?.recomputed[timeline.peakStep] ?? 0),
      peakSavedPct: Math.round((1 - peak / regular) * 1000) / 10,
      overheadPct: Math.round((row.predictedOverhead ?? 0) * 1000) / 10,
      command: commandOf(strategy, told),
    };
  };
  return {
    head: {
      name: 'layers',
      title: '40 layers of 1,024 features: held after the forward, and the peak',
      citation: 'An article on gradient checkpointing in PyTorch, 40-layer example',
      notes: [
        'MB are 2^20 bytes, the weights included, as the article counts; its gradients do not exist yet. Batch 512, float32, profile pytorch-1.5.',
        'Computed again: what is live at the peak because a segment was recomputed. The article prints no peak.',
        `One segment: softmax of PyTorch 1.5 saves its input, ${outputMB.toFixed(4)} MB, beside its result. Later versions save the result alone (measured with 1.13 and 2.15), and then ${(ARTICLE_MB - outputMB).toFixed(4)} MB remain.`,
      ],
      columns: [
        { key: 'case', title: 'case', from: 'both', digits: 0 },
        { key: 'paperMB', title: 'MB', from: 'paper', digits: 4 },
        { key: 'afterForwardMB', title: 'MB after the forward', from: 'ours', digits: 4 },
        { key: 'differenceMB', title: 'difference, MB', from: 'both', digits: 4 },
        { key: 'peakMB', title: 'peak MB', from: 'ours', digits: 1 },
        { key: 'againMB', title: 'of it computed again, MB', from: 'ours', digits: 1 },
        { key: 'peakSavedPct', title: 'saved without weights, %', from: 'ours', digits: 1 },
        { key: 'overheadPct', title: 'overhead %, predicted', from: 'ours', digits: 1 },
        { key: 'command', title: 'command', from: 'both', digits: 0 },
      ],
    },
    networks: CASES.map(({ title }) => title),
    rowOf,
  };
}

const MIB = 2 ** 20;

/** Bytes as MB (2^20), four decimals as the article prints. */
const tenThousandths = (bytes: number): number => Math.floor((bytes / MIB) * 1e4 + 0.5) / 1e4;

function commandOf(strategy: string, { checkpoints, segments }: NonNullable<Case['told']>): string {
  return [
    `zigzag solve ${NETWORK} --batch ${BATCH} --profile pytorch-1.5 --strategy ${strategy}`,
    ...(checkpoints === undefined ? [] : [`--checkpoints ${checkpoints.join(',')}`]),
    ...(segments === undefined ? [] : [`--segments ${segments}`]),
  ].join(' ');
}
