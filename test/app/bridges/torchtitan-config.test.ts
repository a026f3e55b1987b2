import { describe, expect, it } from 'vitest';
import { findTorch2Python } from '../../../app/start/python.mjs';
import { TORCHTITAN_MODELS } from '../../../app/bridges/torch/torchtitan-config.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import { ranksOf } from '../../../engine/training-memory/setup.ts';
import { exportText } from '../../../main/solver/export-file.ts';
import { FileNetworks } from '../../../main/solver/file-networks.ts';
import { SolverMemory } from '../../../main/solver/memory.ts';
import { torchUse } from '../../../main/solver/torch-use.ts';
import { experiment } from '../../main/support/experiment.ts';
import { skippedFor } from '../../support/skipped.ts';
import { answerOf, hasModules, runReference } from './python.ts';

const PYTHON = findTorch2Python();
const REASON =
  PYTHON === undefined
    ? 'there is no PyTorch 2.x with transformers'
    : hasModules(PYTHON, ['torchtitan', 'tyro', 'spmd_types'])
      ? ''
      : 'torchtitan of Python not installed';

type Options = Parameters<typeof experiment>[0];
const USUAL = { batch: 1, optimizer: 'adamw', precision: 'bf16' } as const;
const text = (options: Options, strategy = 'regular'): string =>
  exportText(
    { experiment: experiment({ ...USUAL, ...options }), strategy, form: 'torchtitan' },
    { memory: new SolverMemory(new FileNetworks()), control: NO_CONTROL },
  );

const SETTINGS: Readonly<Record<string, readonly [options: Options, strategy?: string]>> = {
  'one GPU': [{ model: 'qwen3-8b', batch: 2, input: 2048, precision: 'fp32', accumulate: 3 }],
  'FSDP2 over tensor parallel': [
    { model: 'llama-3.1-8b', tensor: 4, sequenceParallel: 'on', gpus: 16, shard: 'fsdp2' },
    'per-block',
  ],
  'gradients added on eight GPUs': [{ model: 'llama-3.1-8b', gpus: 8, accumulate: 4, precision: 'amp-bf16' }],
  'GPipe in uneven stages': [
    { model: 'llama-3.1-8b', batch: 2, pipeline: 5, accumulate: 10, pipelineSchedule: 'gpipe', gpus: 10 },
  ],
  '1F1B': [{ model: 'llama-3.1-70b', pipeline: 4, accumulate: 8 }, 'per-block'],
  'context parallel': [{ model: 'qwen3-8b', contextParallel: 4, gpus: 8, shard: 'fsdp2', input: 8192 }],
  experts: [{ model: 'deepseek-v2-lite', expertParallel: 8, gpus: 16, shard: 'fsdp2' }],
};

describe('a configuration of torchtitan', () => {
  it.skipIf(REASON !== '')(
    `is what torchtitan reads, with its models and degrees of the whole${skippedFor(REASON)}`,
    () => {
      const models: Record<string, string[]> = {};
      const ours: Record<string, [number, boolean]> = {};
      for (const [module, flavors] of Object.values(TORCHTITAN_MODELS))
        for (const [parameters, { title, isTied = false }] of Object.entries(flavors)) {
          models[module] = [...(models[module] ?? []), title];
          ours[`${module} ${title}`] = [Number(parameters), isTied];
        }
      const all = Object.values(SETTINGS);
      const asked = { models, texts: all.map(([options, strategy]) => text(options, strategy)) };
      const said = answerOf<{ models: object; settings: object[] }>(
        runReference('torchtitan_configs.py', [JSON.stringify(asked)], 280_000, PYTHON),
      );
      expect(said.models).toEqual(ours);
      const memory = new SolverMemory(new FileNetworks());
      const ranks = all.map(([options]) => ranksOf(memory.setup(experiment({ ...USUAL, ...options }))));
      expect(ranks).toEqual([1, 16, 8, 10, 4, 8, 16]);
      const usual = {
        experts: 1,
        sequence: 4096,
        types: ['bfloat16', 'bfloat16'],
        isSequence: true,
      };
      const whole = { schedule: ['1F1B', 1], checkpointing: 'NoneType', optimizer: 'AdamW' };
      const setting = (i: number, layers: number[], own: object): object => ({
        ...usual,
        ...whole,
        world: ranks[i],
        layers,
        ...own,
      });
      expect(said.settings).toEqual([
        setting(0, [36], {
          degrees: [1, 1, 1, 1, 1],
          batch: 2,
          global: 6,
          sequence: 2048,
          types: ['float32', 'float32'],
        }),
        setting(1, [32], { degrees: [1, 4, 4, 1, 1], batch: 1, global: 4, checkpointing: 'FullAC.Config' }),
        setting(2, [32], { degrees: [8, 1, 1, 1, 1], batch: 1, global: 32, types: ['float32', 'bfloat16'] }),
        setting(3, [7, 7, 6, 6, 6], {
          degrees: [2, 1, 1, 1, 5],
          batch: 20,
          global: 40,
          schedule: ['GPipe', 2],
        }),
        setting(4, [20, 20, 20, 20], {
          degrees: [1, 1, 1, 1, 4],
          batch: 8,
          global: 8,
          checkpointing: 'FullAC.Config',
        }),
        setting(5, [36], { degrees: [1, 2, 1, 4, 1], batch: 1, global: 2, sequence: 8192 }),
        setting(6, [27], { degrees: [1, 16, 1, 1, 1], batch: 1, global: 16, experts: 8 }),
      ]);
    },
    300_000,
  );

  it('starts on machines of eight, and says what no line brings about', () => {
    const sharded = text({ model: 'llama-3.1-8b', gpus: 16, shard: 'fsdp2', precision: 'amp-bf16' });
    expect(sharded).toContain('torchrun --nnodes 2 --nproc-per-node 8 -m torchtitan.train --module counted');
    expect(sharded).toContain('# FSDP2 casts the weights that it gathers; autocast was counted.');
    const kept = text({ model: 'llama-3.1-8b', optimizerState: 'float32', gradients: 'kept' });
    expect(kept).toContain('torchrun --nproc-per-node 1 ');
    expect(kept).toContain('float32 was counted');
    expect(kept).toContain('kept ones were counted');
  });

  it('is among the programs of a plan, and the only one of pipeline stages', () => {
    const forms = (options: Options, strategy = 'regular'): readonly string[] => {
      const asked = { experiment: experiment({ ...USUAL, ...options }), strategy };
      const use = torchUse(asked, { memory: new SolverMemory(new FileNetworks()), control: NO_CONTROL });
      return use.scripts.map(({ form }) => form);
    };
    const model = 'llama-3.1-8b';
    expect(forms({ model })).toEqual(['script', 'trainer-script', 'torchtitan']);
    expect(forms({ model, pipeline: 4, accumulate: 8 })).toEqual(['torchtitan']);
    expect(forms({ model, pipeline: 4, accumulate: 8 }, 'chen-sqrt')).toEqual([]);
    expect(forms({ model: 'gpt2' })).not.toContain('torchtitan');
  });

  it('is refused where torchtitan does not train so, with one sentence each', () => {
    const llama = { model: 'llama-3.1-8b' };
    const refusals: readonly (readonly [Options, string, string?])[] = [
      [{ model: 'gpt2' }, 'it has no gpt2; it has Llama 3, Qwen 3 and DeepSeek in their published sizes'],
      [{ model: 'mistral-7b' }, 'it has no mistral-7b;'],
      [llama, 'it takes no plan; use --strategy regular or per-block', 'budget'],
      [{ ...llama, lora: 8 }, 'it has no adapters of peft; leave that out'],
      [{ ...llama, lossChunk: 512 }, 'it has no loss in chunks of tokens'],
      [{ ...llama, attentionMask: 'on' }, 'it has no attention mask'],
      [{ ...llama, pipeline: 2, accumulate: 2, pipelineStage: 1 }, 'it has no training of one stage alone'],
      [{ ...llama, precision: 'amp-fp16' }, 'it computes in fp32, bf16 or amp-bf16'],
      [{ ...llama, optimizer: 'sgd' }, 'use --optimizer adamw'],
      [{ ...llama, gpus: 8, shard: 'zero3' }, 'use --shard fsdp2'],
      [{ model: 'llama-3.2-1b', pipeline: 2, accumulate: 4 }, 'embedding and head of llama-3.2-1b are one'],
    ];
    for (const [options, reason, strategy] of refusals)
      expect(() => text(options, strategy)).toThrow(`torchtitan cannot train so: ${reason}`);
  });
});
