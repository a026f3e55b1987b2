import { MAX_INPUT } from '../../options/sizes.ts';
import type { Model } from '../model.ts';
import { lengthOf, USUAL_LENGTH } from './build.ts';
import { drawLanguageModel } from './draw.ts';
import type { ConfigDocument } from './fields.ts';
import type { LanguageModel, Layer } from './model.ts';
import { readLanguageModel } from './model-types.ts';
import { FRAMES } from './speech.ts';

const LLAMA = {
  model_type: 'llama',
  vocab_size: 128_256,
  num_key_value_heads: 8,
  max_position_embeddings: 131_072,
};
const QWEN_POSITIONS = { max_position_embeddings: 32_768 };
const GEMMA = { num_key_value_heads: 8, head_dim: 256, max_position_embeddings: 8192 };
const T5 = { model_type: 't5', vocab_size: 32_128, d_kv: 64, n_positions: 512, dropout_rate: 0 };

/** Whisper’s encoder and decoder have the same width, heads and inner size. */
const whisper = (width: number, encoder: number, decoder: number, vocabulary: number, bins: number) => ({
  model_type: 'whisper',
  vocab_size: vocabulary,
  num_mel_bins: bins,
  d_model: width,
  encoder_layers: encoder,
  decoder_layers: decoder,
  encoder_attention_heads: width / 64,
  encoder_ffn_dim: 4 * width,
  decoder_attention_heads: width / 64,
  decoder_ffn_dim: 4 * width,
});

const sizes = (width: number, inner: number, layers: number, heads: number) => ({
  hidden_size: width,
  intermediate_size: inner,
  num_hidden_layers: layers,
  num_attention_heads: heads,
});

/** Name, title, repository on huggingface.co and the fields of its config.json that give sizes. */
export const LANGUAGE_CONFIGS: readonly (readonly [
  name: string,
  title: string,
  repository: string,
  config: ConfigDocument,
])[] = [
  [
    'llama-3.2-1b',
    'Llama 3.2 1B',
    'meta-llama/Llama-3.2-1B',
    { ...LLAMA, ...sizes(2048, 8192, 16, 32), head_dim: 64, tie_word_embeddings: true },
  ],
  ['llama-3.1-8b', 'Llama 3.1 8B', 'meta-llama/Llama-3.1-8B', { ...LLAMA, ...sizes(4096, 14_336, 32, 32) }],
  [
    'llama-3.1-70b',
    'Llama 3.1 70B',
    'meta-llama/Llama-3.1-70B',
    { ...LLAMA, ...sizes(8192, 28_672, 80, 64) },
  ],
  [
    'llama-4-scout',
    'Llama 4 Scout, its text model',
    'meta-llama/Llama-4-Scout-17B-16E',
    { model_type: 'llama4_text', ...sizes(5120, 8192, 48, 40), max_position_embeddings: 262_144 },
  ],
  [
    'mistral-7b',
    'Mistral 7B v0.3',
    'mistralai/Mistral-7B-v0.3',
    {
      model_type: 'mistral',
      ...sizes(4096, 14_336, 32, 32),
      num_key_value_heads: 8,
      vocab_size: 32_768,
      max_position_embeddings: 32_768,
      sliding_window: null,
    },
  ],
  [
    'qwen2.5-7b',
    'Qwen2.5 7B',
    'Qwen/Qwen2.5-7B',
    {
      model_type: 'qwen2',
      ...sizes(3584, 18_944, 28, 28),
      num_key_value_heads: 4,
      vocab_size: 152_064,
      ...QWEN_POSITIONS,
    },
  ],
  [
    'qwen3-8b',
    'Qwen3 8B',
    'Qwen/Qwen3-8B',
    {
      model_type: 'qwen3',
      ...sizes(4096, 12_288, 36, 32),
      num_key_value_heads: 8,
      head_dim: 128,
      vocab_size: 151_936,
      ...QWEN_POSITIONS,
    },
  ],
  [
    'gemma-2-9b',
    'Gemma 2 9B',
    'google/gemma-2-9b',
    {
      model_type: 'gemma2',
      ...sizes(3584, 14_336, 42, 16),
      vocab_size: 256_000,
      sliding_window: 4096,
      ...GEMMA,
    },
  ],
  [
    'gemma-3-4b',
    'Gemma 3 4B, its text model',
    'google/gemma-3-4b-pt',
    { model_type: 'gemma3_text', ...sizes(2560, 10_240, 34, 8), vocab_size: 262_208, sliding_window: 1024 },
  ],
  [
    'smollm3-3b',
    'SmolLM3 3B',
    'HuggingFaceTB/SmolLM3-3B',
    {
      model_type: 'smollm3',
      ...sizes(2048, 11_008, 36, 16),
      num_key_value_heads: 4,
      vocab_size: 128_256,
      max_position_embeddings: 65_536,
    },
  ],
  [
    'gpt-oss-20b',
    'gpt-oss 20B',
    'openai/gpt-oss-20b',
    {
      model_type: 'gpt_oss',
      ...sizes(2880, 2880, 24, 64),
      num_local_experts: 32,
      num_experts_per_tok: 4,
      vocab_size: 201_088,
      max_position_embeddings: 131_072,
      quantization_config: { quant_method: 'mxfp4' },
    },
  ],
  [
    'mixtral-8x7b',
    'Mixtral 8x7B',
    'mistralai/Mixtral-8x7B-v0.1',
    {
      model_type: 'mixtral',
      ...sizes(4096, 14_336, 32, 32),
      num_key_value_heads: 8,
      num_local_experts: 8,
      num_experts_per_tok: 2,
      vocab_size: 32_000,
      max_position_embeddings: 32_768,
    },
  ],
  [
    'qwen3-30b-a3b',
    'Qwen3 30B-A3B',
    'Qwen/Qwen3-30B-A3B',
    {
      model_type: 'qwen3_moe',
      ...sizes(2048, 6144, 48, 32),
      num_key_value_heads: 4,
      head_dim: 128,
      num_experts: 128,
      num_experts_per_tok: 8,
      moe_intermediate_size: 768,
      norm_topk_prob: true,
      vocab_size: 151_936,
      max_position_embeddings: 40_960,
    },
  ],
  [
    'qwen3.5-9b',
    'Qwen3.5 9B, its text model',
    'Qwen/Qwen3.5-9B',
    {
      model_type: 'qwen3_5_text',
      ...sizes(4096, 12_288, 32, 16),
      num_key_value_heads: 4,
      vocab_size: 248_320,
      max_position_embeddings: 262_144,
    },
  ],
  [
    'qwen3.5-35b-a3b',
    'Qwen3.5 35B-A3B, its text model',
    'Qwen/Qwen3.5-35B-A3B',
    {
      model_type: 'qwen3_5_moe_text',
      ...sizes(2048, 512, 40, 16),
      num_key_value_heads: 2,
      num_experts: 256,
      num_experts_per_tok: 8,
      moe_intermediate_size: 512,
      vocab_size: 248_320,
      max_position_embeddings: 262_144,
    },
  ],
  [
    'deepseek-v2-lite',
    'DeepSeek-V2-Lite',
    'deepseek-ai/DeepSeek-V2-Lite',
    {
      model_type: 'deepseek_v2',
      ...sizes(2048, 10_944, 27, 16),
      q_lora_rank: null,
      n_routed_experts: 64,
      n_shared_experts: 2,
      num_experts_per_tok: 6,
      moe_intermediate_size: 1408,
      first_k_dense_replace: 1,
      vocab_size: 102_400,
      max_position_embeddings: 163_840,
    },
  ],
  [
    'deepseek-v3',
    'DeepSeek-V3',
    'deepseek-ai/DeepSeek-V3',
    {
      model_type: 'deepseek_v3',
      ...sizes(7168, 18_432, 61, 128),
      q_lora_rank: 1536,
      vocab_size: 129_280,
      max_position_embeddings: 163_840,
    },
  ],
  [
    'modernbert-base',
    'ModernBERT base',
    'answerdotai/ModernBERT-base',
    {
      model_type: 'modernbert',
      ...sizes(768, 1152, 22, 12),
      vocab_size: 50_368,
      max_position_embeddings: 8192,
    },
  ],
  [
    'phi-2',
    'Phi-2',
    'microsoft/phi-2',
    {
      model_type: 'phi',
      ...sizes(2560, 10_240, 32, 32),
      partial_rotary_factor: 0.4,
      vocab_size: 51_200,
      max_position_embeddings: 2048,
    },
  ],
  [
    'phi-4',
    'Phi-4',
    'microsoft/phi-4',
    {
      model_type: 'phi3',
      ...sizes(5120, 17_920, 40, 40),
      num_key_value_heads: 10,
      vocab_size: 100_352,
      max_position_embeddings: 16_384,
    },
  ],
  [
    't5-base',
    'T5 base',
    'google-t5/t5-base',
    { ...T5, d_model: 768, d_ff: 3072, num_layers: 12, num_heads: 12 },
  ],
  [
    'flan-t5-xl',
    'Flan-T5 XL',
    'google/flan-t5-xl',
    { ...T5, d_model: 2048, d_ff: 5120, num_layers: 24, num_heads: 32, feed_forward_proj: 'gated-gelu' },
  ],
  ['whisper-small', 'Whisper small', 'openai/whisper-small', whisper(768, 12, 12, 51_865, 80)],
  ['whisper-large-v3', 'Whisper large-v3', 'openai/whisper-large-v3', whisper(1280, 32, 32, 51_866, 128)],
  [
    'whisper-large-v3-turbo',
    'Whisper large-v3 turbo',
    'openai/whisper-large-v3-turbo',
    whisper(1280, 32, 4, 51_866, 128),
  ],
  [
    'vit-l-16',
    'ViT-L/16',
    'google/vit-large-patch16-224',
    { model_type: 'vit', ...sizes(1024, 4096, 24, 16), num_labels: 1000 },
  ],
  [
    'clip-vit-l-14',
    'CLIP ViT-L/14, its image tower',
    'openai/clip-vit-large-patch14',
    { model_type: 'clip_vision_model', ...sizes(1024, 4096, 24, 16), patch_size: 14 },
  ],
  [
    'clip-text-l-14',
    'CLIP ViT-L/14, its text tower',
    'openai/clip-vit-large-patch14',
    { model_type: 'clip_text_model', ...sizes(768, 3072, 12, 12) },
  ],
  [
    'siglip-so400m-14',
    'SigLIP So400m/14, its image tower',
    'google/siglip-so400m-patch14-384',
    { model_type: 'siglip_vision_model', ...sizes(1152, 4304, 27, 16), image_size: 384, patch_size: 14 },
  ],
];

/** Sizes of the input: the side of an image is fixed, a sequence may be shorter. */
const inputOf = ({ image, positions }: LanguageModel) =>
  image === null
    ? {
        family: 'Language models' as const,
        defaultInput: Math.min(positions, USUAL_LENGTH),
        minInput: 1,
        maxInput: Math.min(positions, MAX_INPUT),
        inputUnit: 'tokens' as const,
        defaultBatch: 1,
      }
    : {
        family: 'Transformer' as const,
        defaultInput: image.side,
        minInput: image.side,
        maxInput: image.side,
        defaultBatch: 32,
      };

const inputText = ({ image, speech }: LanguageModel): string => {
  if (image !== null) return `an image of ${image.side} pixels`;
  if (speech === null) return 'the sequence length';
  return `the length of the transcript, of sound in ${FRAMES * speech.positions} frames`;
};

/** The same model with another dropout rate on the probabilities of attention. */
function withRate(model: LanguageModel, rate: number): LanguageModel {
  const changed = (layers: readonly Layer[]): readonly Layer[] =>
    layers.map((layer) => ({
      ...layer,
      attention: { ...layer.attention, rate },
      cross: layer.cross && { ...layer.cross, rate },
    }));
  return { ...model, layers: changed(model.layers), encoder: model.encoder && changed(model.encoder) };
}

/** Transformers by name, drawn from their own configurations (language-models.md). */
export const LANGUAGE_MODELS: readonly Model[] = LANGUAGE_CONFIGS.map(([name, title, repository, config]) => {
  const model = readLanguageModel(config);
  const isText = model.image === null;
  return {
    info: {
      name,
      title,
      linear: false,
      inputMultiple: 1,
      ...inputOf(model),
      note: `config.json of ${repository} on huggingface.co; the input is ${inputText(model)}.`,
    },
    repository,
    generalRoles: true,
    isLanguageModel: isText,
    build: (b, { input, dropout, tuning, ...settings }) => {
      const own = withRate(model, dropout);
      const length = lengthOf(own, input);
      drawLanguageModel(b, own, { ...settings, length, element: b.bytesPerElement }, tuning);
      if (b.transformers !== undefined) b.transformers = { ...b.transformers, repository };
    },
  };
});
