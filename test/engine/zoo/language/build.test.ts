import { beforeAll, describe, expect, it } from 'vitest';
import { BadInputError } from '../../../../engine/errors.ts';
import { totalParameters } from '../../../../engine/graph/graph.ts';
import { buildFromConfig } from '../../../../engine/zoo/language/build.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';
import { torchPythons } from '../../../app/bridges/python.ts';
import { LLM_CASES, type LlmFigures, measured, predicted } from '../../../support/llm-cases.ts';
import { skippedFor } from '../../../support/skipped.ts';

const LLAMA = {
  model_type: 'llama',
  architectures: ['LlamaForCausalLM'],
  vocab_size: 128256,
  hidden_size: 4096,
  num_hidden_layers: 32,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  intermediate_size: 14336,
  max_position_embeddings: 131072,
  rope_scaling: { rope_type: 'llama3', factor: 8 },
  torch_dtype: 'bfloat16',
};
const build = (document: object, length?: number) =>
  buildFromConfig({ ...document }, { batch: 1, length, element: 2 });

describe('a network from a config.json', () => {
  it('has the parameters that the authors of Llama 3.1 8B print, and a name that says them', () => {
    const graph = build(LLAMA);
    expect(totalParameters(graph)).toBe(8_030_261_248);
    expect(graph.name).toBe('llama-8.0b');
    expect(graph.shapes[0]).toEqual([1, 4096]);
  });

  // As the authors or huggingface.co print them, Gemma 3 without its vision tower.
  it.each([
    ['llama-3.2-1b', 1_235_814_400],
    ['llama-3.1-70b', 70_553_706_496],
    ['mistral-7b', 7_248_023_552],
    ['qwen2.5-7b', 7_615_616_512],
    ['qwen3-8b', 8_190_735_360],
    ['gemma-2-9b', 9_241_705_984],
    ['gemma-3-4b', 3_880_263_168],
    ['mixtral-8x7b', 46_702_792_704],
    ['qwen3-30b-a3b', 30_532_122_624],
    ['modernbert-base', 149_655_232],
    ['phi-4', 14_659_507_200],
  ])('%s has %i parameters', (name, parameters) => {
    expect(totalParameters(buildModel(name, { batch: 1, input: 128 }))).toBe(parameters);
  });

  it.each([
    ['an architecture', { ...LLAMA, model_type: 'mamba' }, 'model_type "mamba"'],
    ['an inherited name', { ...LLAMA, model_type: 'constructor' }, 'model_type "constructor"'],
    ['a head', { ...LLAMA, architectures: ['LlamaForSequenceClassification'] }, 'SequenceClassification'],
    ['a field that nobody reads', { ...LLAMA, quantization_config: { bits: 4 } }, 'quantization_config'],
    ['an activation', { ...LLAMA, hidden_act: 'xielu' }, 'hidden_act "xielu"'],
    ['a missing size', { ...LLAMA, vocab_size: null }, 'vocab_size is missing'],
    ['a size', { ...LLAMA, hidden_size: 1e30 }, 'hidden_size: expected an integer from 1 to'],
    ['a depth', { ...LLAMA, num_hidden_layers: 1e6 }, 'num_hidden_layers'],
    ['heads', { ...LLAMA, num_key_value_heads: 5 }, 'num_key_value_heads 5'],
    ['a rate', { ...LLAMA, attention_dropout: -1 }, 'attention_dropout'],
  ])('refuses %s by name, with what to do', (_what, document, named) => {
    expect(() => build(document)).toThrow(BadInputError);
    expect(() => build(document)).toThrow(named);
  });

  it('takes the fields that name no size as they come, as the files of the hub have them', () => {
    const extra = { auto_map: { AutoConfig: 'x' }, unsloth_version: '1', use_cache: true, mlp_dropout: 0 };
    expect(totalParameters(build({ ...LLAMA, ...extra }, 8))).toBe(8_030_261_248);
  });

  it('refuses a sequence beyond the positions', () => {
    expect(() => build(LLAMA, 131_073)).toThrow('at most 131072 tokens');
  });
});

const { python, reason } = torchPythons()[1]!;

describe.skipIf(reason !== '')(`full training with the classes of transformers${skippedFor(reason)}`, () => {
  let rows: readonly LlmFigures[] = [];
  beforeAll(() => {
    rows = measured(LLM_CASES, python ?? '');
  });

  it.each(LLM_CASES.map((one, i) => [one.name, one, i] as const))('%s', (_name, one, i) => {
    const ours = predicted(one);
    const theirs = rows[i]!;
    expect([ours.parameters, ours.shape]).toEqual([theirs.parameters, theirs.shape]);
    expect(Math.abs(ours.savedBytes / theirs.savedBytes - 1), `${ours.savedBytes}`).toBeLessThan(0.01);
  });
});
