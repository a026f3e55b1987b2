import { BadInputError } from '../errors.ts';
import type { GraphBuilder, VertexHandle } from '../graph/builder.ts';
import { ADD, conv2d, dropout, embedding, GELU, GELU_TANH, layerNorm, linear, TANH } from '../ops/make.ts';
import type { GeluOp } from '../ops/elementwise.ts';
import { type AttentionOptions, addAttention } from './attention.ts';
import { IMAGENET_CLASSES, type Model, type Settings } from './model.ts';

/** Sizes that the layers of a transformer share. */
export interface TransformerSize {
  readonly width: number;
  readonly heads: number;
  readonly layers: number;
}

export interface LanguageSize extends TransformerSize {
  readonly vocabulary: number;
  readonly positions: number;
}

export interface VisionSize extends TransformerSize {
  /** Height and width of a patch. */
  readonly patch: number;
  readonly classes: number;
}

const BASE: TransformerSize = { width: 768, heads: 12, layers: 12 };
const GPT2_SMALL: LanguageSize = { ...BASE, vocabulary: 50257, positions: 1024 };
const BERT_BASE: LanguageSize = { ...BASE, vocabulary: 30522, positions: 512 };
const VIT_B_16: VisionSize = { ...BASE, patch: 16, classes: IMAGENET_CLASSES };
/** Numerical floors of the variances, as the authors' code and torchvision set them. */
const EPSILON = { gpt2: 1e-5, bert: 1e-12, vit: 1e-6 } as const;

interface Kind {
  readonly name: string;
  readonly title: string;
  readonly input: number;
  readonly multiple: number;
  readonly batch: number;
  readonly note: string;
  readonly inputUnit?: 'tokens';
  readonly most?: number;
  build(b: GraphBuilder, settings: Settings, fused: boolean): void;
}

const KINDS: readonly Kind[] = [
  {
    name: 'gpt2',
    title: 'GPT-2 small',
    input: 1024,
    multiple: 1,
    batch: 8,
    inputUnit: 'tokens',
    most: GPT2_SMALL.positions,
    note: 'Radford et al. 2019, 124 M parameters; the input is the sequence length, at most 1024.',
    build: (b, settings, fused) => buildGpt(b, settings, GPT2_SMALL, fused),
  },
  {
    name: 'bert-base',
    title: 'BERT-base',
    input: 512,
    multiple: 1,
    batch: 16,
    inputUnit: 'tokens',
    most: BERT_BASE.positions,
    note: 'Devlin et al. 2019 with its pooler, 109 M parameters; the input is the sequence length, at most 512.',
    build: (b, settings, fused) => buildBert(b, settings, BERT_BASE, fused),
  },
  {
    name: 'vit-b-16',
    title: 'ViT-B/16',
    input: 224,
    multiple: VIT_B_16.patch,
    batch: 64,
    note: 'Dosovitskiy et al. 2021 as torchvision defines it, 86 M parameters at 224x224.',
    build: (b, settings, fused) => buildVit(b, settings, VIT_B_16, fused),
  },
];

/** Each as attention written out and, by the name ending in `-fused`, with fused attention. */
export const TRANSFORMERS: readonly Model[] = KINDS.flatMap((kind) => [
  model(kind, false),
  model(kind, true),
]);

function model(kind: Kind, fused: boolean): Model {
  return {
    info: {
      name: fused ? `${kind.name}-fused` : kind.name,
      title: fused ? `${kind.title}, fused attention` : kind.title,
      family: 'Transformer',
      linear: false,
      defaultInput: kind.input,
      minInput: kind.multiple,
      inputMultiple: kind.multiple,
      defaultBatch: kind.batch,
      note: kind.note,
      ...(kind.inputUnit === undefined ? {} : { inputUnit: kind.inputUnit }),
      ...(kind.most === undefined ? {} : { maxInput: kind.most }),
    },
    generalRoles: true,
    build: (b, settings) => kind.build(b, settings, fused),
  };
}

/** A decoder that predicts the next token at every position; its head shares the embedding's table. */
export function buildGpt(
  b: GraphBuilder,
  { batch, input, dropout: rate }: Settings,
  size: LanguageSize,
  fused: boolean,
): void {
  requireLength(input, size.positions);
  let x = b.tokens('tokens', [batch, input]);
  x = b.add('wte', embedding(size.vocabulary, size.width), [x]);
  x = b.add('wpe', { kind: 'position-embedding', count: size.positions }, [x]);
  x = b.add('drop', dropout(rate), [x]);
  const layer = { b, size, norm: EPSILON.gpt2, gelu: GELU_TANH, fused, causal: true, rate };
  for (let i = 0; i < size.layers; i++) x = preNormLayer(layer, `h.${i}`, 'attn', x);
  x = b.add('ln_f', layerNorm(EPSILON.gpt2), [x]);
  b.add('lm_head', { kind: 'tied-linear', table: 'wte', outFeatures: size.vocabulary }, [x]);
}

/** An encoder with the norms after its sums, and the pooler of its first position. */
export function buildBert(
  b: GraphBuilder,
  { batch, input, dropout: rate }: Settings,
  size: LanguageSize,
  fused: boolean,
): void {
  requireLength(input, size.positions);
  let x = b.tokens('tokens', [batch, input]);
  x = b.add('word', embedding(size.vocabulary, size.width), [x]);
  x = b.add('token_type', { kind: 'segment-embedding', count: 2 }, [x]);
  x = b.add('position', { kind: 'position-embedding', count: size.positions }, [x]);
  x = b.add('ln', layerNorm(EPSILON.bert), [x]);
  x = b.add('drop', dropout(rate), [x]);
  const options = { heads: size.heads, fused, causal: false, rate };
  for (let i = 0; i < size.layers; i++) {
    const id = `layer.${i}`;
    x = residual(b, `${id}.attention`, x, rate, (y) => {
      const qkv = ['query', 'key', 'value'].map((name) => b.add(`${id}.${name}`, linear(size.width), [y]));
      const z = addAttention(b, `${id}.self`, qkv, options);
      return b.add(`${id}.attention.output`, linear(size.width), [z]);
    });
    x = b.add(`${id}.ln_1`, layerNorm(EPSILON.bert), [x]);
    x = residual(b, `${id}.mlp`, x, rate, (y) => mlp(b, `${id}.mlp`, y, size.width, GELU));
    x = b.add(`${id}.ln_2`, layerNorm(EPSILON.bert), [x]);
  }
  x = b.add('first', { kind: 'first' }, [x]);
  x = b.add('pooler', linear(size.width), [x]);
  b.add('pooled', TANH, [x]);
}

/** An encoder of an image's patches and a class token before them. */
export function buildVit(
  b: GraphBuilder,
  { batch, input, dropout: rate }: Settings,
  size: VisionSize,
  fused: boolean,
): void {
  let x = b.input('input', [batch, 3, input, input]);
  x = b.add('conv_proj', conv2d(size.width, size.patch, { stride: size.patch }), [x]);
  x = b.add('patches', { kind: 'patches' }, [x]);
  x = b.add('class_token', { kind: 'class-token' }, [x]);
  const positions = (input / size.patch) ** 2 + 1;
  x = b.add('encoder.pos_embedding', { kind: 'position-embedding', count: positions }, [x]);
  x = b.add('encoder.dropout', dropout(rate), [x]);
  const layer = { b, size, norm: EPSILON.vit, gelu: GELU, fused, causal: false, rate };
  for (let i = 0; i < size.layers; i++) x = preNormLayer(layer, `encoder.${i}`, 'attention', x);
  x = b.add('encoder.ln', layerNorm(EPSILON.vit), [x]);
  x = b.add('first', { kind: 'first' }, [x]);
  b.add('head', linear(size.classes), [x]);
}

interface PreNormLayer extends Omit<AttentionOptions, 'heads'> {
  readonly b: GraphBuilder;
  readonly size: TransformerSize;
  readonly norm: number;
  readonly gelu: GeluOp;
}

/** Attention, then two products with a GELU between, each after a norm and beside a skip connection. */
function preNormLayer(layer: PreNormLayer, id: string, attention: string, x: VertexHandle): VertexHandle {
  const { b, size, norm, gelu, rate } = layer;
  const y = residual(b, `${id}.${attention}`, x, rate, (input) => {
    const normed = b.add(`${id}.ln_1`, layerNorm(norm), [input]);
    return selfAttention(layer, `${id}.${attention}`, normed);
  });
  return residual(b, `${id}.mlp`, y, rate, (input) => {
    const normed = b.add(`${id}.ln_2`, layerNorm(norm), [input]);
    return mlp(b, `${id}.mlp`, normed, size.width, gelu);
  });
}

function selfAttention(layer: PreNormLayer, id: string, x: VertexHandle): VertexHandle {
  const { b, size } = layer;
  const all = b.add(`${id}.qkv`, linear(3 * size.width), [x]);
  const qkv = ['q', 'k', 'v'].map((name, part) =>
    b.add(`${id}.${name}`, { kind: 'split', parts: 3, part }, [all]),
  );
  const y = addAttention(b, id, qkv, { ...layer, heads: size.heads });
  return b.add(`${id}.out`, linear(size.width), [y]);
}

function residual(
  b: GraphBuilder,
  id: string,
  x: VertexHandle,
  rate: number,
  branch: (x: VertexHandle) => VertexHandle,
): VertexHandle {
  const y = b.add(`${id}.drop`, dropout(rate), [branch(x)]);
  return b.add(`${id}.add`, ADD, [x, y]);
}

function mlp(b: GraphBuilder, id: string, x: VertexHandle, width: number, gelu: GeluOp): VertexHandle {
  const up = b.add(`${id}.up`, linear(4 * width), [x]);
  return b.add(`${id}.down`, linear(width), [b.add(`${id}.gelu`, gelu, [up])]);
}

function requireLength(length: number, most: number): void {
  if (length > most)
    throw new BadInputError(`expected a sequence of at most ${most}, got ${length}`, 'input');
}
