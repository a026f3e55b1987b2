import { describe, expect, it } from 'vitest';
import { requireSplit, setupOf } from '../../../../app/contract/training-setup.ts';
import { withoutEffect } from '../../../../app/contract/setup-notes.ts';
import { type Graph, totalParameters } from '../../../../engine/graph/graph.ts';
import { verticesRunOnce } from '../../../../engine/ops/runs-once.ts';
import { createProblem } from '../../../../engine/problem.ts';
import { FORWARD, FREE, ScheduleBuilder } from '../../../../engine/schedule/schedule.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { shareOf } from '../../../../engine/training-memory/sharding.ts';
import { setupText } from '../../../../engine/training-memory/setup.ts';
import { buildFromConfig } from '../../../../engine/zoo/language/build.ts';
import { type RankShare, rankShareOf, refuseShare } from '../../../../engine/zoo/language/share.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';
import { SolverMemory } from '../../../../main/solver/memory.ts';
import { expectRunOnce } from '../../../support/run-once.ts';

const LLAMA = {
  model_type: 'llama',
  vocab_size: 97,
  hidden_size: 32,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  intermediate_size: 64,
  max_position_embeddings: 64,
};
const { num_key_value_heads: _groups, ...UNGROUPED } = LLAMA;
const MIXTRAL = { ...LLAMA, model_type: 'mixtral', num_local_experts: 4, num_experts_per_tok: 2 };
const build = (share?: RankShare, config: object = LLAMA) =>
  buildFromConfig({ ...config }, { batch: 2, length: 16, element: 4, share });
const WAYS = [false, true].map((isSequence) => ({ tensor: 2, isSequence }));

describe('one rank of tensor parallel', () => {
  it('keeps the name of the model, and has its own share of the scores', () => {
    const share = build(WAYS[0]);
    expect(share.name).toBe(build().name);
    expect(share.shapes.at(-1)).toEqual([2, 16, 49]);
  });

  it.each([
    ...WAYS.map((share) => [share, LLAMA] as const),
    [{ tensor: 1, isSequence: false, experts: 2 }, MIXTRAL] as const,
    [{ tensor: 1, isSequence: false, context: 2 }, LLAMA] as const,
  ])('recomputes nothing between GPUs, whatever the strategy: %o', (share, config) => {
    expectRunOnce(build(share, { ...config, num_hidden_layers: 1 }));
  });

  it('is refused by the simulator where something between GPUs runs twice', () => {
    const { graph, memory } = createProblem(build(WAYS[0]), 'pytorch');
    const builder = new ScheduleBuilder();
    const v = graph.ids.indexOf('embed_tokens.all_reduce');
    builder.push(FORWARD, 1);
    builder.push(FORWARD, v);
    builder.push(FREE, v);
    builder.push(FORWARD, v);
    expect(() => simulate(graph, memory, builder.build())).toThrow(
      'an operation between GPUs and a cast that autocast keeps run once',
    );
  });

  it.each([
    ['heads', { ...LLAMA, num_attention_heads: 3, num_key_value_heads: 3, head_dim: 8 }, '3 heads are not a'],
    ['heads of keys', { ...LLAMA, num_key_value_heads: 1 }, '1 heads of keys and values'],
    ['inner features', { ...LLAMA, intermediate_size: 63 }, '63 inner features'],
    ['a masked head', { ...UNGROUPED, model_type: 'bert' }, 'its head is for hidden tokens'],
    ['one vector', { ...UNGROUPED, model_type: 'clip_text_model' }, 'it makes one vector'],
    ['layers of one norm', { ...UNGROUPED, model_type: 'phi' }, 'its layers of one norm'],
    ['experts', MIXTRAL, 'experts'],
    ['keys of earlier layers', { model_type: 'gemma4_text' }, 'its layers read what earlier ones wrote'],
    ['a norm of all heads', { ...LLAMA, model_type: 'olmo2' }, 'a norm goes over all its heads'],
  ])('refuses %s that do not divide, with what to do', (_what, config, message) => {
    expect(() => build(WAYS[0], config)).toThrow(message);
  });

  it.each([[{ sequenceParallel: 'on' }, 'set tensor parallel to 2']] as const)(
    'refuses %o',
    (options, message) => {
      expect(() => rankShareOf(options)).toThrow(message);
    },
  );

  it('splits of adapters what reads or writes a split tensor, and sums what is read in parts', () => {
    const tuning = { rank: 4, targets: 'all-linear', isQuantised: false } as const;
    const drawn = (share?: RankShare) =>
      buildFromConfig({ ...LLAMA }, { batch: 2, length: 16, element: 2, share, tuning });
    const weights = ({ ids, parameters }: Graph) =>
      ['q_proj.lora_A', 'q_proj.lora_B', 'o_proj.lora_A', 'o_proj.lora_B'].map(
        (name) => parameters[ids.indexOf(`layers.0.self_attn.${name}`)],
      );
    expect(weights(drawn())).toEqual([128, 128, 128, 128]);
    const half = drawn(WAYS[0]);
    expect(weights(half)).toEqual([128, 64, 64, 128]);
    // Adapters are of float32: 2 x 16 positions of rank 4.
    expect(half.bytes[half.ids.indexOf('layers.0.self_attn.o_proj.lora_A.all_reduce')]).toBe(4 * 2 * 16 * 4);
  });

  it('refuses weights of four bits, with what to do', () => {
    const tuning = { rank: 4, targets: 'usual', isQuantised: true } as const;
    const settings = { batch: 1, length: 8, element: 2, share: WAYS[0], tuning };
    expect(() => buildFromConfig(LLAMA, settings)).toThrow('leave --base-bits out');
  });

  it('refuses other networks', () => {
    expect(() => buildModel('vgg11', { batch: 1, share: WAYS[0] })).toThrow('vgg11 is another network');
  });
});

describe('one rank of expert parallel', () => {
  const divided = (experts: number, config: object = MIXTRAL) =>
    build({ tensor: 1, isSequence: false, experts }, config);

  it('has its part of the experts, and sends and receives tokens once each', () => {
    const [whole, half] = [build(undefined, MIXTRAL), divided(2)];
    const weights = ({ parameters, ids }: typeof whole, which: RegExp): number =>
      parameters.reduce((sum, count, v) => (which.test(ids[v]!) ? sum + count : sum), 0);
    const experts = /gate_up_proj|down_proj/;
    expect(weights(half, experts)).toBe(weights(whole, experts) / 2);
    expect(weights(half, /./) - weights(half, experts)).toBe(weights(whole, /./) - weights(whole, experts));
    const between = verticesRunOnce(half.operations)!;
    const names = half.ids.filter((_, v) => between[v] === 1);
    expect(names.map((id) => id.slice(id.lastIndexOf('.') + 1))).toEqual([
      'received',
      'returned',
      'received',
      'returned',
    ]);
  });

  it.each([
    ['experts that do not divide', 3, MIXTRAL, 'its 4 experts are not a multiple of 3; use a divisor of 4'],
    ['no experts', 2, LLAMA, 'it has no experts; leave --expert-parallel out'],
    [
      'experts that compute every token',
      2,
      {
        ...LLAMA,
        model_type: 'llama4_text',
        num_local_experts: 4,
        intermediate_size_mlp: 80,
        pad_token_id: 0,
      },
      'each of its experts computes every token',
    ],
    [
      'experts with biases',
      2,
      { ...MIXTRAL, model_type: 'gpt_oss' },
      'biases of its experts are not divided',
    ],
  ])('refuses %s, with what to do', (_what, experts, config, message) => {
    expect(() => divided(experts, config)).toThrow(message);
  });

  it('refuses adapters of experts, which nothing divides', () => {
    const share = { tensor: 1, isSequence: false, experts: 2 };
    const tuning = { rank: 4, targets: 'all-linear', isQuantised: false } as const;
    const drawn = () => buildFromConfig({ ...MIXTRAL }, { batch: 2, length: 16, element: 4, share, tuning });
    expect(drawn).toThrow('set LoRA targets to attention (--lora-targets attention)');
  });

  it('is among the GPUs that share the work, and shares its own experts with the others of these', () => {
    const setup = setupOf({ expertParallel: 4, gpus: 8, shard: 'fsdp2' });
    expect(setup.sharding).toEqual({ gpus: 8, way: 'fsdp2', experts: 4 });
    expect(setupText(setup)).toContain('on each of 8 GPUs under expert parallel of 4 and FSDP2');
    expect(setupOf({ expertParallel: 4 }).sharding).toEqual({ gpus: 4, way: 'ddp', experts: 4 });
    const experts = { shape: [4, 6, 5], elements: 120 };
    const table = { shape: [16, 5], elements: 80 };
    expect(shareOf(experts, setup.sharding).weights).toBe(1 / 2);
    expect(shareOf(table, setup.sharding).weights).toBe(1 / 8);
    expect(shareOf(experts, { ...setup.sharding!, gpus: 4 }).stepped.elements).toBe(120);
    expect(() => requireSplit({ expertParallel: 4, gpus: 6 })).toThrow(
      'a multiple of 4 GPUs, and there are 6',
    );
  });
});

describe('one rank of context parallel', () => {
  const divided = (context: number, config: object = LLAMA) =>
    build({ tensor: 1, isSequence: false, context }, config);

  it('has all weights, its part of every sequence, and computes as much of attention as its part', () => {
    const [whole, half] = [build(), divided(2)];
    expect(totalParameters(half)).toBe(totalParameters(whole));
    expect(half.shapes.at(-1)).toEqual([2, 8, 97]);
    const flopsOf = (graph: Graph): number => graph.flops[graph.ids.indexOf('layers.0.self_attn.sdpa')]!;
    expect(flopsOf(half)).toBe(flopsOf(whole) / 2);
    const between = verticesRunOnce(half.operations)!;
    expect(half.ids.filter((_, v) => between[v] === 1)).toEqual([
      'layers.0.self_attn.all_gather',
      'layers.0.self_attn.sdpa',
      'layers.1.self_attn.all_gather',
      'layers.1.self_attn.sdpa',
    ]);
  });

  it.each([
    ['a sequence that does not divide', 3, LLAMA, 'a sequence of 16 is not a multiple of 6; use 18'],
    [
      'written-out attention',
      2,
      { ...LLAMA, attn_implementation: 'eager' },
      'set attn_implementation to sdpa',
    ],
    ['windows', 2, { ...LLAMA, model_type: 'mistral', sliding_window: 8 }, 'its attention has windows'],
    ['another name of attention', 2, { ...UNGROUPED, model_type: 'gpt_neox' }, 'does not turn its mask off'],
    ['what is not causal', 2, { ...UNGROUPED, model_type: 'bert' }, 'its attention is not causal throughout'],
  ])('refuses %s, with what to do', (_what, context, config, message) => {
    expect(() => divided(context, config)).toThrow(message);
  });

  it('refuses a mask, with what to do', () => {
    const share = { tensor: 1, isSequence: false, context: 2 };
    const settings = { batch: 2, length: 16, element: 4, share, isMasked: true };
    expect(() => buildFromConfig({ ...LLAMA }, settings)).toThrow('leave --attention-mask out');
  });

  it('is among the GPUs that share the work', () => {
    const setup = setupOf({ contextParallel: 4, gpus: 8, shard: 'fsdp2' });
    expect(setup.sharding).toEqual({ gpus: 8, way: 'fsdp2', context: 4 });
    expect(setupText(setup)).toContain('on each of 8 GPUs under context parallel of 4 and FSDP2');
    expect(setupOf({ contextParallel: 4, tensor: 2 }).sharding?.gpus).toBe(4);
    expect(() => requireSplit({ contextParallel: 4, gpus: 6 })).toThrow('a multiple of 4 GPUs');
    expect(() => refuseShare(rankShareOf({ contextParallel: 2 }), 'vgg16')).toThrow('context parallel needs');
  });
});

describe('GPUs that share one model', () => {
  it('leave --shard those that have the same part of it', () => {
    const setup = setupOf({ tensor: 2, gpus: 8, shard: 'fsdp2' });
    expect(setup.sharding).toEqual({ gpus: 4, way: 'fsdp2' });
    expect(setupText(setup)).toContain('on each of 8 GPUs under tensor parallel of 2 and FSDP2');
    expect(setupOf({ tensor: 2 }).sharding).toBeUndefined();
    expect(withoutEffect({ profile: 'pytorch', tensor: 2, shard: 'zero1' }).shard).toContain('set 4 GPUs');
  });

  it('are refused where they do not divide, and after an answer that they do', () => {
    const memory = new SolverMemory();
    const usual = { profile: 'pytorch', dtype: 'float32', seed: 0 } as const;
    const network = { ...usual, model: 'llama-3.2-1b', batch: 1, input: 16, tensor: 2 };
    expect(memory.problem({ ...network, gpus: 4 }, 1).graph.name).toBe('llama-3.2-1b');
    expect(() => memory.problem({ ...network, gpus: 3 }, 1)).toThrow('a multiple of 2 GPUs');
    expect(() => memory.problem({ ...network, precision: 'amp-bf16' }, 1)).toThrow('use fp32 or bf16');
  });
});
