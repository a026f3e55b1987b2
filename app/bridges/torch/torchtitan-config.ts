import { BadInputError } from '../../../engine/errors.ts';
import type { TransformersModel } from '../../../engine/graph/graph.ts';
import {
  isMixed,
  type Precision,
  ranksOf,
  type TrainingSetup,
} from '../../../engine/training-memory/setup.ts';
import { torchrun } from './training-script.ts';

/** Training as it was counted, of a model as a whole: not of the part that one GPU has. */
export interface TorchtitanSource {
  readonly name: string;
  readonly setup: TrainingSetup;
  readonly transformers: TransformersModel | undefined;
  readonly parameters: number;
  readonly batch: number;
  readonly samplesAnUpdate: number;
  readonly sequence: number;
  readonly isSequenceParallel: boolean;
  /** Part of what was counted that torchtitan lacks, in words: `attention mask`. */
  readonly lacks: string | undefined;
  readonly strategy: string;
}

interface Flavor {
  readonly title: string;
  /** Embedding and head are one tensor, which its pipelines refuse. */
  readonly isTied?: boolean;
}

/** Its modules by `model_type`, and its models there by their number of parameters, equal to that of transformers. */
export const TORCHTITAN_MODELS: Readonly<
  Record<string, readonly [module: string, flavors: Readonly<Record<number, Flavor>>]>
> = {
  llama: [
    'llama3',
    {
      1235814400: { title: '1B', isTied: true },
      3212749824: { title: '3B', isTied: true },
      8030261248: { title: '8B' },
      70553706496: { title: '70B' },
      405853388800: { title: '405B' },
    },
  ],
  qwen3: [
    'qwen3',
    {
      596049920: { title: '0.6B', isTied: true },
      1720574976: { title: '1.7B', isTied: true },
      4022468096: { title: '4B', isTied: true },
      8190735360: { title: '8B' },
      14768307200: { title: '14B' },
      32762123264: { title: '32B' },
    },
  ],
  qwen3_moe: ['qwen3', { 30532122624: { title: '30B-A3B' }, 235093634560: { title: '235B-A22B' } }],
  deepseek_v2: ['deepseek_v3', { 15706484224: { title: '16B' }, 235741434880: { title: '236B' } }],
  deepseek_v3: ['deepseek_v3', { 671026404352: { title: '671B' } }],
};

const PRECISIONS: readonly Precision[] = ['fp32', 'bf16', 'amp-bf16'];
const CHECKPOINTING: Readonly<Record<string, string>> = { regular: 'None', 'per-block': 'FullAC.Config()' };

/**
 * A configuration of torchtitan 0.3 that trains as counted. Its models are its own classes: their parameters equal those
 * of transformers, for which memory was counted.
 *
 * @throws BadInputError for training that torchtitan lacks
 */
export function torchtitanConfig(source: TorchtitanSource): string {
  const { name, setup, transformers, parameters, batch, samplesAnUpdate, sequence, lacks, strategy } = source;
  const { precision, optimizer, sharding, pipeline, tensor = 1 } = setup;
  const [module, flavors] = TORCHTITAN_MODELS[transformers?.modelType ?? ''] ?? [];
  const flavor = flavors?.[parameters];
  const checkpointing = CHECKPOINTING[strategy];
  if (module === undefined || flavor === undefined)
    refuse(`it has no ${name}; it has Llama 3, Qwen 3 and DeepSeek in their published sizes`);
  if (checkpointing === undefined) refuse('it takes no plan; use --strategy regular or per-block');
  if (lacks !== undefined) refuse(`it has no ${lacks}; leave that out`);
  if (!PRECISIONS.includes(precision)) refuse('it computes in fp32, bf16 or amp-bf16');
  if (optimizer !== 'adamw') refuse('use --optimizer adamw');
  if (sharding?.way.startsWith('zero') === true) refuse('use --shard fsdp2');
  if (flavor.isTied === true && pipeline !== undefined)
    refuse(`embedding and head of ${name} are one tensor; leave the pipeline out`);
  const { way, context = 1 } = sharding ?? {};
  const replicas = ranksOf(setup) / (tensor * (pipeline?.stages ?? 1) * context);
  const isSharded = way === 'fsdp2';
  const local = pipeline === undefined ? batch : samplesAnUpdate / replicas;
  const training = options({
    local_batch_size: local,
    global_batch_size: samplesAnUpdate,
    seq_len: sequence,
    dtype: precision === 'bf16' ? "'bfloat16'" : "'float32'",
    mixed_precision_param: precision === 'fp32' ? "'float32'" : "'bfloat16'",
    disable_cuda_graphs: 'True',
  });
  const parallelism = options({
    data_parallel_replicate_degree: isSharded || replicas === 1 ? undefined : replicas,
    data_parallel_shard_degree: isSharded ? replicas : 1,
    tensor_parallel_degree: setup.tensor,
    enable_sequence_parallel: tensor === 1 ? undefined : source.isSequenceParallel ? 'True' : 'False',
    context_parallel_degree: sharding?.context,
    expert_parallel_degree: sharding?.experts,
    pipeline_parallel_degree: pipeline?.stages,
    pipeline_parallel_schedule: pipeline && (pipeline.schedule === 'gpipe' ? "'GPipe'" : "'1F1B'"),
    pipeline_parallel_microbatch_size: pipeline && batch,
    pipeline_parallel_first_stage_less_layers: pipeline && 0,
    pipeline_parallel_last_stage_less_layers: pipeline && 0,
  });
  const folder = transformers?.repository?.split('/').at(-1) ?? 'folder-of-your-tokenizer';
  return [
    '# A configuration of torchtitan 0.3. Save it as counted.py, and start it in that folder:',
    `# ${torchrun(ranksOf(setup))} -m torchtitan.train --module counted --config counted`,
    ...remarks(setup, isSharded, samplesAnUpdate > local * replicas).map((text) => `# ${text}`),
    'from torchtitan.components.loss import CrossEntropyLoss',
    'from torchtitan.components.optimizer import default_adamw',
    'from torchtitan.config import ParallelismConfig, TrainingConfig',
    ...(strategy === 'regular' ? [] : ['from torchtitan.distributed.activation_checkpoint import FullAC']),
    'from torchtitan.hf_datasets.text_datasets import HuggingFaceTextDataLoader',
    'from torchtitan.models.common.config_utils import decoder_vocab_size',
    `from torchtitan.models.${module} import model_registry`,
    'from torchtitan.trainer import Trainer',
    '',
    '',
    'def counted() -> Trainer.Config:',
    `    model = model_registry('${flavor.title}')`,
    '    return Trainer.Config(',
    '        model_spec=model,',
    '        loss=CrossEntropyLoss.Config(global_vocab_size=decoder_vocab_size(model)),',
    '        optimizer=default_adamw(lr=1e-4),',
    `        hf_assets_path='./assets/hf/${folder}',  # the tokenizer`,
    "        dataloader=HuggingFaceTextDataLoader.Config(dataset='c4'),  # yours",
    ...called('training=TrainingConfig', training),
    ...called('parallelism=ParallelismConfig', parallelism),
    `        activation_checkpoint=${checkpointing},`,
    '    )',
    '',
  ].join('\n');
}

function refuse(reason: string): never {
  throw new BadInputError(`torchtitan cannot train so: ${reason}`);
}

/** Parts of what was counted that no line brings about. */
function remarks(
  { precision, stateInFloat32, freesGradients }: TrainingSetup,
  isSharded: boolean,
  addsGradients: boolean,
): readonly string[] {
  const says: readonly (readonly [boolean, string])[] = [
    [isMixed(precision) && isSharded, 'FSDP2 casts the weights that it gathers; autocast was counted.'],
    [stateInFloat32 && precision === 'bf16', 'Its optimizer has its state in bfloat16; float32 was counted.'],
    [!freesGradients && !addsGradients, 'It frees gradients between steps; kept ones were counted.'],
  ];
  return says.filter(([holds]) => holds).map(([, text]) => text);
}

const options = (values: Readonly<Record<string, number | string | undefined>>): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value},`]));

const called = (what: string, lines: readonly string[]): readonly string[] => [
  `        ${what}(`,
  ...lines.map((line) => `            ${line}`),
  '        ),',
];
