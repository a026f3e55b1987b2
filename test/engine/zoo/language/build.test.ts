import { beforeAll, describe, expect, it } from 'vitest';
import { BadInputError } from '../../../../engine/errors.ts';
import { totalParameters, trainedParameters, vertexOf } from '../../../../engine/graph/graph.ts';
import { memoryModel } from '../../../../engine/ops/memory-model.ts';
import { lossOf } from '../../../../engine/training-memory/loss.ts';
import { USUAL_SETUP } from '../../../../engine/training-memory/setup.ts';
import { weightsOf } from '../../../../engine/training-memory/weights.ts';
import { buildFromConfig } from '../../../../engine/zoo/language/build.ts';
import { fineTuningOf } from '../../../../engine/zoo/language/fine-tuning.ts';
import { inFourBits } from '../../../../engine/zoo/language/four-bits.ts';
import { configNotices } from '../../../../engine/zoo/language/notices.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';
import { pythonWithPeft } from '../../../app/bridges/python.ts';
import {
  ALL_CASES,
  type LlmCase,
  type LlmFigures,
  measuredCases,
  mostDifference,
  predicted,
} from '../../../support/llm-cases.ts';
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
const SMALL_LAYERS = {
  hidden_size: 32,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  intermediate_size: 64,
};
const QWEN3_5_SIZES = {
  hidden_size: 64,
  intermediate_size: 128,
  num_attention_heads: 4,
  max_position_embeddings: 64,
};
const typed = (model_type: string) => ({ ...LLAMA, model_type, architectures: [] });
const MIXTRAL = { ...typed('mixtral'), num_local_experts: 4, num_experts_per_tok: 2 };
const LORA = { rank: 16, targets: 'usual', isQuantised: false } as const;
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
    ['llama-4-scout', 107_769_861_120],
    ['mistral-7b', 7_248_023_552],
    ['qwen2.5-7b', 7_615_616_512],
    ['qwen3-8b', 8_190_735_360],
    ['gemma-2-9b', 9_241_705_984],
    ['gemma-3-4b', 3_880_263_168],
    ['smollm3-3b', 3_075_098_624],
    ['gpt-oss-20b', 20_914_757_184],
    ['mixtral-8x7b', 46_702_792_704],
    ['qwen3-30b-a3b', 30_532_122_624],
    ['qwen3.5-9b', 8_953_803_264],
    ['qwen3.5-35b-a3b', 34_660_610_688],
    ['deepseek-v2-lite', 15_706_484_224],
    ['deepseek-v3', 671_026_404_352],
    ['modernbert-base', 149_655_232],
    ['phi-2', 2_779_683_840],
    ['phi-4', 14_659_507_200],
    ['t5-base', 222_903_552],
    ['flan-t5-xl', 2_783_959_040],
    ['vit-l-16', 304_326_632],
    ['clip-vit-l-14', 303_179_776],
    ['clip-text-l-14', 123_060_480],
    ['siglip-so400m-14', 428_225_600],
    ['whisper-small', 241_734_912],
    ['whisper-large-v3', 1_543_490_560],
    ['whisper-large-v3-turbo', 808_878_080],
  ])('%s has %i parameters', (name, parameters) => {
    expect(totalParameters(buildModel(name, { batch: 1 }))).toBe(parameters);
  });

  it.each([
    ['an architecture', { ...LLAMA, model_type: 'mamba' }, 'model_type "mamba"'],
    ['an inherited name', { ...LLAMA, model_type: 'constructor' }, 'model_type "constructor"'],
    [
      'a document of two models',
      { model_type: 'llava', text_config: LLAMA, vision_config: { model_type: 'clip_vision_model' } },
      'text_config or vision_config',
    ],
    [
      'a list in place of a tower',
      { model_type: 'clip', text_config: [], vision_config: {} },
      'text_config: expected an object, got []',
    ],
    [
      'a tower of another kind',
      { model_type: 'clip', vision_config: { model_type: 'clip_text_model' } },
      'vision_config: model_type "clip_text_model" is not the clip_vision_model of clip',
    ],
    [
      'vectors of two sizes',
      { model_type: 'siglip', text_config: { projection_size: 64 }, vision_config: {} },
      'a text of 64 features cannot be compared with an image of 768',
    ],
    ['a field of a tower', { model_type: 'clip', text_config: { depth: 2 } }, 'the field depth'],
    [
      'a document of which one model is known',
      {
        model_type: 'mistral3',
        text_config: { model_type: 'mistral' },
        vision_config: { model_type: 'pixtral' },
      },
      'give its text_config alone, or',
    ],
    [
      'a list',
      { ...LLAMA, model_type: 'llama4_text', architectures: [], moe_layers: ['a'] },
      'moe_layers: expected a list of integers',
    ],
    ['a head', { ...LLAMA, architectures: ['LlamaForTokenClassification'] }, 'LlamaForTokenClassification'],
    [
      'a field that nobody reads',
      { ...LLAMA, side_channels: 4 },
      'the field side_channels of model_type llama',
    ],
    [
      'weights that stay in four bits',
      { ...LLAMA, quantization_config: { load_in_4bit: true } },
      'remove it, and add --lora 16 --base-bits 4',
    ],
    [
      'experts that stay in four bits',
      {
        ...LLAMA,
        model_type: 'gpt_oss',
        architectures: [],
        num_local_experts: 4,
        num_experts_per_tok: 2,
        quantization_config: { quant_method: 'bitsandbytes' },
      },
      'quant_method "bitsandbytes" is not supported',
    ],
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

  it('compares every text with every image, as the files of the hub say it', () => {
    // openai/clip-vit-large-patch14, with a field that the older table beside it corrects; google/siglip-base-patch16-224.
    const clip = {
      model_type: 'clip',
      architectures: ['CLIPModel'],
      projection_dim: 768,
      text_config: { hidden_size: 512, num_attention_heads: 12, intermediate_size: 3072, pruned_heads: {} },
      text_config_dict: { hidden_size: 768 },
      vision_config: {
        hidden_size: 1024,
        intermediate_size: 4096,
        num_hidden_layers: 24,
        num_attention_heads: 16,
        patch_size: 14,
      },
    };
    const siglip = {
      model_type: 'siglip',
      text_config: { model_type: 'siglip_text_model' },
      vision_config: { model_type: 'siglip_vision_model' },
    };
    const graph = buildFromConfig(clip, { batch: 4, element: 2 });
    expect(totalParameters(graph)).toBe(427_616_513);
    expect(totalParameters(build(siglip))).toBe(203_155_970);
    expect(graph).toMatchObject({ name: 'clip-428m', comparesSamples: true });
    expect(graph.bytes[0]).toBe(4 * (8 * 77 + 2 * 3 * 224 * 224));
    expect(graph.shapes.at(-1)).toEqual([4, 4]);
    const lora = { batch: 1, element: 2, tuning: LORA };
    expect(() => buildFromConfig(clip, lora)).toThrow('LoRA is not supported for images');
    const share = { tensor: 2, isSequence: false };
    expect(() => buildFromConfig(clip, { batch: 1, element: 2, share })).toThrow('one vector of a sequence');
    expect(() => buildFromConfig(clip, { batch: 1, length: 78, element: 2 })).toThrow('at most 77 tokens');
  });

  it('reads the text model of a file of texts and images, which is loaded alone', () => {
    const text = { model_type: 'qwen3_5_text', num_hidden_layers: 4, vocab_size: 96, ...QWEN3_5_SIZES };
    const whole = {
      model_type: 'qwen3_5',
      architectures: ['Qwen3_5ForConditionalGeneration'],
      text_config: text,
      vision_config: { model_type: 'qwen3_5_vision', depth: 27 },
    };
    expect(build(whole, 64)).toEqual(build(text, 64));
    const eager = { attn_implementation: 'eager' };
    expect(build({ ...whole, ...eager }, 64)).toEqual(build({ ...text, ...eager }, 64));
    const notices = [configNotices(text), configNotices(whole), configNotices({ ...text, ...eager })];
    expect(notices.map((one) => one.map((notice) => /^[a-z]+ [a-z]+/.exec(notice)?.[0]))).toEqual([
      ['trained as', 'linear attention'],
      ['trained as', 'its text', 'linear attention'],
      ['trained as'],
    ]);
    const gemma = { model_type: 'gemma3_text', hidden_size: 64, num_hidden_layers: 6 };
    expect(build({ model_type: 'gemma3', text_config: gemma }, 64)).toEqual(build(gemma, 64));
    const heads = { ...text, linear_num_key_heads: 3 };
    expect(() => build(heads)).toThrow(
      'linear_num_value_heads 32 is not a multiple of linear_num_key_heads 3',
    );
  });

  it('reads sizes of single layers of Gemma 4 from either form of its file', () => {
    const gemma4 = { model_type: 'gemma4_text', num_hidden_layers: 6, attention_k_eq_v: true };
    const global = build({ ...gemma4, global_head_dim: 128, num_global_key_value_heads: 2 });
    const own = { head_dim: 128, num_key_value_heads: 2 };
    expect(build({ ...gemma4, per_layer_config: { '05': own } }).parameters).toEqual(global.parameters);
    expect(() => build({ ...gemma4, per_layer_config: { '05': 2 } })).toThrow(
      'an object of each layer, got 2',
    );
    expect(() => build({ ...gemma4, enable_moe_block: true })).toThrow('enable_moe_block true');
  });

  it('ends in scores whose cross entropy is counted, where each position is scored', () => {
    const isScored = ({ name }: LlmCase): boolean => !/^(vit|clip|siglip|classifier)/.test(name);
    for (const { config, name } of ALL_CASES.filter((one) => one.share === undefined && isScored(one)))
      expect(lossOf(buildFromConfig(config, { batch: 1, length: 8, element: 4 }), 'fp32').kind, name).toBe(
        'cross-entropy',
      );
  });

  it('classifies texts where the file names that class, with as many classes as it lists', () => {
    const named = { ...LLAMA, architectures: ['LlamaForSequenceClassification'] };
    expect(build({ ...named, id2label: { 0: 'a', 1: 'b', 2: 'c' } }).shapes.at(-1)).toEqual([1, 3]);
    expect(build({ ...named, num_labels: 5 }).shapes.at(-1)).toEqual([1, 5]);
    expect(build(named).shapes.at(-1)).toEqual([1, 2]);
    const lora = { batch: 1, element: 2, tuning: LORA };
    expect(() => buildFromConfig(named, lora)).toThrow('LoRA of a classifier is not supported for llama');
  });

  it('refuses an attention mask that changes nothing, or what is not known', () => {
    const of = (document: object): (() => unknown) => {
      return () => buildFromConfig({ ...document }, { batch: 1, length: 8, element: 2, isMasked: true });
    };
    const t5 = {
      model_type: 't5',
      vocab_size: 96,
      d_model: 32,
      d_kv: 16,
      d_ff: 64,
      num_layers: 2,
      num_heads: 4,
    };
    expect(of(t5)).toThrow('the mask of its encoder is not known; leave --attention-mask out');
    expect(of({ ...LLAMA, attn_implementation: 'flash_attention_2' })).toThrow('its share is not known');
    expect(() => buildModel('vit-l-16', { batch: 1, isMasked: true })).toThrow('vit-l-16 is another network');
    expect(() => buildModel('whisper-small', { batch: 1, isMasked: true })).toThrow(
      'whisper: the mask of its',
    );
    const padded = buildFromConfig(LLAMA, { batch: 3, length: 8, element: 2, isMasked: true });
    expect(padded.bytes[0]).toBe(3 * 8 * (8 + 8));
  });

  it('refuses an image of another size', () => {
    const image = { model_type: 'clip_vision_model', ...SMALL_LAYERS, image_size: 32, patch_size: 8 };
    expect(build(image).shapes[0]).toEqual([1, 3, 32, 32]);
    expect(() => build(image, 64)).toThrow('expected an image of 32 pixels');
    expect(() => buildFromConfig(image, { batch: 1, element: 2, tuning: LORA })).toThrow(
      'LoRA is not supported',
    );
  });

  it('holds the tokens and the spectrogram of speech throughout, and trains all but the positions of sound', () => {
    const graph = buildModel('whisper-small', { batch: 2, input: 100 });
    expect(graph.bytes[0]).toBe(2 * (8 * 100 + 4 * 80 * 3000));
    expect(totalParameters(graph) - trainedParameters(graph)).toBe(1500 * 768);
    expect(graph.shapes.at(-1)).toEqual([2, 100, 51_865]);
    const { gradientBytes, viewOf } = memoryModel(graph, 'pytorch');
    const spectrogram = vertexOf(graph, 'spectrogram');
    expect([viewOf[spectrogram], gradientBytes[spectrogram]]).toEqual([0, 0]);
    expect(() => buildModel('whisper-small', { batch: 1, input: 449 })).toThrow('at most 448 tokens');
    const heads = { model_type: 'whisper', d_model: 32, encoder_layers: 1, encoder_attention_heads: 4 };
    expect(() => build({ ...heads, vocab_size: 9, decoder_attention_heads: 5 })).toThrow(
      'decoder_attention_heads 5',
    );
  });

  it('refuses a sequence beyond the positions', () => {
    expect(() => build(LLAMA, 131_073)).toThrow('at most 131072 tokens');
  });
});

const { python, reason } = pythonWithPeft();

describe('adapters beside frozen products', () => {
  it('have a rank times the features that they read and write', () => {
    const graph = buildFromConfig(LLAMA, { batch: 1, element: 2, tuning: LORA });
    expect(trainedParameters(graph)).toBe(32 * 16 * (4096 + 4096 + 4096 + 1024));
    expect(totalParameters(graph)).toBe(8_030_261_248 + trainedParameters(graph));
  });

  // Counted on tensors of bitsandbytes 0.50: quantize_4bit(weight, quant_type='nf4', compress_statistics=True).
  it.each([
    [4096 * 4096, 8_654_916],
    [1024 * 4096, 2_163_780],
    [32 * 48, 864],
    [11 * 7, 113],
  ])('stand beside %i weights of four bits in %i bytes', (elements, bytes) => {
    expect(inFourBits(elements, 2, 0).bytes).toBe(bytes);
  });

  it('leave no gradient and no state to what is frozen, which four bits make smaller', () => {
    const held = (isQuantised: boolean) => {
      const tuning = { ...LORA, isQuantised };
      const graph = buildFromConfig(LLAMA, { batch: 1, length: 64, element: 2, tuning });
      return { graph, terms: weightsOf(graph, { ...USUAL_SETUP, precision: 'bf16', optimizer: 'adamw' }) };
    };
    const [half, four] = [held(false), held(true)];
    const trained = trainedParameters(half.graph);
    // Adapters and their moments are float32.
    expect(half.terms).toMatchObject({
      gradients: 4 * trained,
      optimizer: 8 * trained,
      elementsOfUnknownShape: 0,
    });
    expect(half.terms.weights).toBe(2 * 8_030_261_248 + 4 * trained);
    const products = 32 * (2 * 4096 * 4096 + 2 * 1024 * 4096 + 3 * 14336 * 4096);
    const saved = half.terms.weights - four.terms.weights;
    expect(saved / products).toBeCloseTo(2 - (0.5 + 1 / 64 + 4 / (64 * 256)), 4);
    expect({ ...four.terms, weights: 0, rounding: 0, elementsOfUnknownShape: 0 }).toMatchObject({
      gradients: 4 * trained,
      optimizer: 8 * trained,
    });
  });

  it('compute no gradient of a frozen weight', () => {
    const cost = (tuning?: typeof LORA) => {
      const graph = buildFromConfig(LLAMA, { batch: 1, length: 64, element: 2, tuning });
      return [graph.flops, graph.backwardFlops].map((flops) => flops.reduce((sum, own) => sum + own, 0));
    };
    const [forward = 0, backward = 0] = cost(LORA);
    const [, all = 0] = cost();
    expect(backward / forward).toBeLessThan(1.1);
    expect(all).toBeGreaterThan(1.9 * backward);
  });

  it.each([
    ['usual targets of experts', MIXTRAL, {}, 'no usual targets for mixtral; set LoRA targets to attention'],
    [
      'dropout before experts',
      MIXTRAL,
      { targets: 'all-linear', dropout: 0.1 },
      'peft has no dropout for the experts of mixtral; set LoRA targets to attention',
    ],
    [
      'experts that peft does not adapt',
      { ...typed('llama4_text'), num_local_experts: 4 },
      { targets: 'all-linear' },
      'peft does not adapt the experts of llama4_text; set LoRA targets to attention',
    ],
    ['four bits of experts', MIXTRAL, { targets: 'attention', isQuantised: true }, 'leave --base-bits out'],
    ['a model without usual targets', typed('phi3'), {}, '(--lora-targets attention)'],
  ] as const)('are refused for %s', (_what, document, changed, named) => {
    const tuning = { ...LORA, ...changed };
    expect(() => buildFromConfig(document, { batch: 1, element: 2, tuning })).toThrow(named);
  });

  it('are refused for another network', () => {
    expect(() => buildModel('vgg11', { batch: 1, tuning: LORA })).toThrow('vgg11 is another network');
    expect(() => fineTuningOf({ baseBits: '4' })).toThrow('--base-bits says how LoRA trains; add --lora');
    expect(() => fineTuningOf({ loraTargets: 'usual' })).toThrow('--lora-targets');
    expect(() => fineTuningOf({ loraDropout: 0.1 })).toThrow('--lora-dropout');
  });
});

describe.skipIf(reason !== '')(`training with the classes of transformers${skippedFor(reason)}`, () => {
  let rows: readonly LlmFigures[] = [];
  beforeAll(() => {
    rows = measuredCases(python ?? '');
  });

  it.each(ALL_CASES.map((one, i) => [one.name, one, i] as const))('%s', (_name, one, i) => {
    const ours = predicted(one);
    const theirs = rows[i]!;
    const facts = ({ parameters, trained, shape }: LlmFigures) => ({ parameters, trained, shape });
    expect(facts(ours)).toEqual(facts(theirs));
    expect(Math.abs(ours.savedBytes / theirs.savedBytes - 1), `${ours.savedBytes}`).toBeLessThan(
      mostDifference(one),
    );
    if (ours.lossBytes !== undefined)
      expect(Math.abs(ours.lossBytes / theirs.lossBytes! - 1)).toBeLessThan(0.01);
    if (ours.ringBytes !== undefined) {
      // Between two ranks nothing is under way while the last part is computed.
      expect(ours.ringBytes / theirs.ringBytes!).toBeLessThan(one.share?.context === 2 ? 1.1 : 1.001);
      expect(ours.ringBytes).toBeGreaterThanOrEqual(theirs.ringBytes!);
    }
  });
});
