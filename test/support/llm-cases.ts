import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Graph, totalParameters, trainedParameters } from '../../engine/graph/graph.ts';
import { createProblem } from '../../engine/problem.ts';
import { strategyOf } from '../../engine/strategies/registry.ts';
import { solveRow } from '../../engine/strategies/solve.ts';
import { elementsOf } from '../../engine/ops/shape.ts';
import { heldCurve } from '../../engine/training-memory/held.ts';
import { lossOf } from '../../engine/training-memory/loss.ts';
import type { Pipeline } from '../../engine/training-memory/pipeline.ts';
import { USUAL_SETUP } from '../../engine/training-memory/setup.ts';
import { buildFromConfig } from '../../engine/zoo/language/build.ts';
import type { ConfigDocument } from '../../engine/zoo/language/fields.ts';
import type { RankShare, Stage } from '../../engine/zoo/language/share.ts';
import { answerOf } from '../app/bridges/python.ts';
import { regularStep } from '../engine/zoo/regular-step.ts';
import { targetsOf } from '../../engine/zoo/language/adapters.ts';
import { CONFIGS, KERNELS_OF, LENGTH_OF } from './llm-configs.ts';
import { type LoraCase, tuningOf } from './lora-case.ts';
import { planOf } from './plans.ts';

/** A small version of an architecture, and the size at which PyTorch and the prediction are compared. */
export interface LlmCase {
  readonly name: string;
  readonly config: ConfigDocument;
  readonly batch: number;
  readonly length: number;
  readonly dtype: 'float32' | 'bfloat16';
  readonly lora?: LoraCase;
  /** Runs under gradient_checkpointing_enable of transformers. */
  readonly checkpointing?: true;
  /** The last tokens of a sequence are padding. */
  readonly padded?: true;
  /** One rank of tensor parallel, or a pipeline stage with its schedule. */
  readonly share?: RankShare;
  readonly schedule?: Pipeline['schedule'];
  readonly microBatches?: number;
}

/** One line of a file of test/reference (CASES_OF), or the same of the engine. */
export interface LlmFigures {
  readonly parameters: number;
  readonly trained: number;
  readonly savedBytes: number;
  readonly shape: readonly number[];
  /** Most bytes that the loss holds beside each score, where they are split. */
  readonly lossBytes?: number;
  /** Most bytes that backward of one attention holds beside its gradients, where sequences are divided. */
  readonly ringBytes?: number;
}

export const LLM_CASES: readonly LlmCase[] = Object.entries(CONFIGS).flatMap(([name, config]) =>
  (KERNELS_OF[name] ?? ['sdpa', 'eager']).flatMap((attention) =>
    (['float32', 'bfloat16'] as const).map((dtype) => ({
      name: `${name}, ${attention}, ${dtype}`,
      config: { attn_implementation: attention, ...config },
      batch: 2,
      length: LENGTH_OF[name] ?? 24,
      dtype,
    })),
  ),
);

/** Model types for which peft has no usual targets. */
const WITHOUT_TARGETS =
  /^(gemma4|smollm3|ministral3|glm4_moe|granite|olmo|distilbert|phi3|clip_text|modernbert|whisper|mixtral|qwen2_moe|qwen3_moe|qwen3_next|qwen3_5|deepseek)/;

/** Cases that train adapters: every architecture fused, four written out, with the usual targets and with all. */
export const LORA_CASES: readonly LlmCase[] = LLM_CASES.filter(
  ({ name }) =>
    !/^(classifier|llama4|gpt_oss|glm4_moe|qwen2_moe|qwen3_5_moe|vit|clip_vision|clip,|siglip)/.test(name) &&
    (!name.includes('eager') || /^(llama|gemma2|bert|t5),/.test(name)),
).flatMap((one) =>
  ([null, 'all-linear'] as const)
    .filter((targets) => targets !== null || !WITHOUT_TARGETS.test(one.name))
    .map((targets) => ({
      ...one,
      name: `${one.name}, LoRA ${targets ?? 'usual'}`,
      lora: { rank: 4, targets },
    })),
);

/** Adapters of attention alone: every architecture whose names are known, those with experts included. */
const ATTENTION_CASES: readonly LlmCase[] = LLM_CASES.flatMap((one) => {
  const targets = targetsOf(String(one.config['model_type']), 'attention')?.peft;
  if (targets === undefined || one.name.startsWith('classifier')) return [];
  return [{ ...one, name: `${one.name}, LoRA attention`, lora: { rank: 4, targets } }];
});

/** Adapters whose input is dropped out: of queries and values, of one product for all, and of all products. */
const DROPOUT_CASES: readonly LlmCase[] = LORA_CASES.filter(({ name }) =>
  /^(llama|gpt2|bert), sdpa/.test(name),
).map((one) => ({ ...one, name: `${one.name}, dropout`, lora: { ...one.lora!, dropout: 0.1 } }));

/**
 * Architectures whose layers transformers runs under gradient checkpointing, in float32 and fused. Keys that layers share
 * are held by a dictionary, which hooks do not show.
 */
export const CHECKPOINTING_CASES: readonly LlmCase[] = LLM_CASES.filter(
  ({ name }) => name.endsWith(', sdpa, float32') && !name.includes('shared keys'),
).map((one) => ({
  ...one,
  name: `${one.name}, gradient_checkpointing`,
  // So little is kept that a norm's numbers of each row would weigh too much.
  config: { ...one.config, ...('hidden_size' in one.config ? { hidden_size: 128 } : {}) },
  checkpointing: true,
}));

/** Architectures whose attention reads a mask of padding, and of packed sequences alike. */
const PADDED_CASES: readonly LlmCase[] = LLM_CASES.filter(
  ({ name, dtype }) => dtype === 'float32' && !/^(vit|clip_vision|siglip_vision|whisper|t5)/.test(name),
).map((one) => ({ ...one, name: `${one.name}, padded`, padded: true }));

/** Heads for 4 ranks, and so wide that norms' numbers of each row weigh little. */
const forRanks = (config: ConfigDocument): ConfigDocument => ({
  ...config,
  ...('n_embd' in config ? { n_head: 8 } : { hidden_size: 128, num_attention_heads: 8 }),
  ...('num_key_value_heads' in config ? { num_key_value_heads: 4 } : {}),
});

/** Architectures that tensor parallel splits, on 2 and 4 ranks, in both types, with and without sequence parallel. */
const PARALLEL_CASES: readonly LlmCase[] = [
  ...LLM_CASES.filter(
    ({ name }) =>
      /^(llama|mistral|qwen2|qwen3|gemma2|gemma3|phi3|gpt2|gpt_neox|opt),/.test(name) &&
      (name.includes(', sdpa,') || /^(llama|gemma2),/.test(name)),
  ),
  ...LORA_CASES.filter(({ name }) => /^(llama|gemma3|gpt2|gpt_neox|opt), sdpa,/.test(name)),
].flatMap((one) =>
  [2, 4].flatMap((tensor) =>
    [false, true]
      // The reference's OPT flattens the sequence that it would have to split.
      .filter((isSequence) => !isSequence || one.config['model_type'] !== 'opt')
      .map((isSequence) => ({
        ...one,
        name: `${one.name}, tensor ${tensor}${isSequence ? ', sequence' : ''}`,
        config: forRanks(one.config),
        share: { tensor, isSequence },
      })),
  ),
);

/** Experts divided among 2 and 4 ranks; each token goes to all, so that they are spread evenly. */
const EXPERT_CASES: readonly LlmCase[] = [...LLM_CASES, ...ATTENTION_CASES]
  .filter(({ name }) => /^(mixtral|qwen3_moe|qwen3_5_moe|deepseek_v[23]), (sdpa|eager)/.test(name))
  .flatMap((one) =>
    [2, 4].map((experts) => {
      const { num_local_experts, num_experts, n_routed_experts, n_group } = one.config;
      const chosen = num_local_experts ?? num_experts ?? n_routed_experts;
      return {
        ...one,
        name: `${one.name}, experts ${experts}`,
        config: {
          ...one.config,
          num_experts_per_tok: chosen,
          ...(n_group === undefined ? {} : { topk_group: n_group }),
        },
        share: { tensor: 1, isSequence: false, experts },
      };
    }),
  );

/** Sequences divided among 2 and 4 ranks, where attention is causal throughout. */
const CONTEXT_CASES: readonly LlmCase[] = [...LLM_CASES, ...ATTENTION_CASES]
  .filter(({ name }) =>
    /^(llama|llama, tied, with biases|mistral|mixtral|qwen[23]|qwen3_moe|deepseek_v[23]|phi3?|opt), sdpa/.test(
      name,
    ),
  )
  .flatMap((one) =>
    [2, 4].map((context) => ({
      ...one,
      name: `${one.name}, context ${context}`,
      share: { tensor: 1, isSequence: false, context },
    })),
  );

/**
 * Stages of both schedules, with more micro-batches than stages and with as many; one architecture recomputes each layer,
 * another trains adapters.
 */
const PIPELINE_CASES: readonly LlmCase[] = LLM_CASES.filter(({ name }) =>
  /^(llama, tied, with biases|mistral, window|gpt_neox), sdpa,/.test(name),
)
  .concat(CHECKPOINTING_CASES.filter(({ name }) => name.startsWith('gpt_neox,')))
  .concat(LORA_CASES.filter(({ name }) => name.startsWith('mistral, window, sdpa,')))
  .flatMap((one) =>
    (
      [
        [2, 0, '1f1b', 4],
        [2, 1, '1f1b', 4],
        [4, 0, '1f1b', 4],
        [4, 1, '1f1b', 6],
        [4, 3, 'gpipe', 3],
        [4, 2, 'gpipe', 4],
        [4, 0, 'gpipe', 4],
      ] as const
    ).map(([count, index, schedule, microBatches]) => ({
      ...one,
      name: `${one.name}, stage ${index + 1} of ${count}, ${schedule}, ${microBatches} micro-batches`,
      config: { ...one.config, num_hidden_layers: 5 },
      share: { tensor: 1, isSequence: false, stage: { index, count } },
      schedule,
      microBatches,
    })),
  );

/** All cases, by the file of test/reference that measures them. */
const CASES_OF: Readonly<Record<string, readonly LlmCase[]>> = {
  torch_llm: [
    ...LLM_CASES,
    ...LORA_CASES,
    ...ATTENTION_CASES,
    ...DROPOUT_CASES,
    ...CHECKPOINTING_CASES,
    ...PADDED_CASES,
  ],
  torch_parallel: PARALLEL_CASES,
  torch_experts: EXPERT_CASES,
  torch_context: CONTEXT_CASES,
  torch_pipeline: PIPELINE_CASES,
};
export const ALL_CASES = Object.values(CASES_OF).flat();

/** PyTorch's figures of all cases. */
export const measuredCases = (python: string): readonly LlmFigures[] =>
  measured(CASES_OF, python, 'torch_each.py');

/** Relative difference of saved bytes that a prediction may have. Under checkpointing so little is kept that a table counts. */
export const mostDifference = ({ checkpointing }: LlmCase): number => (checkpointing === true ? 0.02 : 0.01);

export function predicted({
  config,
  batch,
  length,
  dtype,
  lora,
  checkpointing,
  padded,
  share,
  ...pipelined
}: LlmCase): LlmFigures {
  const graph = buildFromConfig(config, {
    batch,
    length,
    element: dtype === 'float32' ? 4 : 2,
    tuning: tuningOf(lora),
    isMasked: padded,
    share,
  });
  const shape = graph.shapes[graph.size - 1] ?? [];
  const [parameters, trained] = [totalParameters(graph), trainedParameters(graph)];
  const stage = share?.stage;
  const savedBytes =
    stage !== undefined
      ? keptByStage(graph, stage, checkpointing, pipelined)
      : checkpointing === true
        ? (solveRow(createProblem(graph, 'pytorch'), 'per-block', { seed: 0 }).savedBytes ?? 0)
        : regularStep(graph).savedBytes;
  const found = { parameters, trained, savedBytes, shape };
  if (share?.context !== undefined)
    return { ...found, ringBytes: graph.bytes[graph.ids.indexOf('layers.0.self_attn.all_gather')]! };
  if ((share?.tensor ?? 1) === 1) return found;
  const lossBytes = lossOf(graph, 'fp32', 'cuda', true).peakBytes / elementsOf(shape);
  return { ...found, lossBytes };
}

/** All that a stage keeps when a backward begins, of all its micro-batches. */
function keptByStage(
  graph: Graph,
  { index, count }: Stage,
  checkpointing: true | undefined,
  { schedule = '1f1b', microBatches = 1 }: Pick<LlmCase, 'schedule' | 'microBatches'>,
): number {
  const problem = createProblem(graph, 'pytorch');
  const pipeline = { stages: count, stage: index + 1, schedule, microBatches };
  const plan = planOf(strategyOf(checkpointing === true ? 'per-block' : 'regular'), problem);
  const { kinds, terms } = heldCurve(problem, plan.schedule, {
    ...USUAL_SETUP,
    accumulate: microBatches,
    pipeline,
  });
  const at = kinds.indexOf('loss');
  const { peakBytes, keptBytes } = lossOf(graph, 'fp32');
  // Another stage has sent its output by then.
  const loss = index === count - 1 ? terms.loss[at]! - peakBytes + keptBytes : 0;
  return terms.activations[at]! + terms.inFlight[at]! + loss;
}

/** PyTorch's own figures, all in one process. */
export function measured<Figures = LlmFigures>(
  cases: object,
  python: string,
  file: string,
): readonly Figures[] {
  const script = join(process.cwd(), 'test', 'reference', file);
  const input = JSON.stringify(cases);
  const run = spawnSync(python, [script], { input, encoding: 'utf8', maxBuffer: 2 ** 26, timeout: 600_000 });
  if (run.status !== 0) throw new Error(`${file}: ${run.stderr || run.error}`);
  return answerOf(run.stdout);
}
