import { BadInputError } from '../errors.ts';
import type { GraphBuilder, VertexHandle } from '../graph/builder.ts';
import { conv2d, linear } from '../ops/make.ts';
import { Described } from './described.ts';
import { IMAGENET_CLASSES, type Model, type Settings } from './model.ts';

const WIDTH = 768;
const HEADS = 12;
const LAYERS = 12;
const POSITIONS = { gpt2: 1024, bert: 512 } as const;
const GPT2_VOCABULARY = 50257;
const BERT_VOCABULARY = 30522;
const PATCH = 16;

interface Kind {
  readonly name: string;
  readonly title: string;
  readonly input: number;
  readonly multiple: number;
  readonly batch: number;
  readonly note: string;
  build(l: Described, settings: Settings, fused: boolean): void;
}

const KINDS: readonly Kind[] = [
  {
    name: 'gpt2',
    title: 'GPT-2 small',
    input: 1024,
    multiple: 1,
    batch: 8,
    note: 'Radford et al. 2019, 124 M parameters; the input is the sequence length, at most 1024.',
    build: buildGpt2,
  },
  {
    name: 'bert-base',
    title: 'BERT-base',
    input: 512,
    multiple: 1,
    batch: 16,
    note: 'Devlin et al. 2019 with its pooler, 109 M parameters; the input is the sequence length, at most 512.',
    build: buildBert,
  },
  {
    name: 'vit-b-16',
    title: 'ViT-B/16',
    input: 224,
    multiple: PATCH,
    batch: 64,
    note: 'Dosovitskiy et al. 2021 as torchvision defines it, 86 M parameters at 224x224.',
    build: buildVit,
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
    },
    generalRoles: true,
    build: (b: GraphBuilder, settings) => kind.build(new Described(b), settings, fused),
  };
}

function requireLength(length: number, most: number): void {
  if (length > most)
    throw new BadInputError(`expected a sequence of at most ${most}, got ${length}`, 'input');
}

function buildGpt2(l: Described, { batch, input, dropout }: Settings, fused: boolean): void {
  requireLength(input, POSITIONS.gpt2);
  let x = l.tokens('tokens', [batch, input]);
  x = l.embedding('wte', x, GPT2_VOCABULARY, WIDTH);
  x = l.dropout('drop', l.bias('wpe', x, POSITIONS.gpt2 * WIDTH), dropout);
  for (let i = 0; i < LAYERS; i++) {
    const id = `h.${i}`;
    x = residual(l, `${id}.attn`, x, dropout, (y) =>
      selfAttention(l, `${id}.attn`, l.layerNorm(`${id}.ln_1`, y), { fused, masked: true, rate: dropout }),
    );
    x = residual(l, `${id}.mlp`, x, dropout, (y) => mlp(l, `${id}.mlp`, l.layerNorm(`${id}.ln_2`, y)));
  }
  // The head's weight is the token embedding's.
  l.linear('lm_head', l.layerNorm('ln_f', x), GPT2_VOCABULARY, 0);
}

function buildBert(l: Described, { batch, input, dropout }: Settings, fused: boolean): void {
  requireLength(input, POSITIONS.bert);
  let x = l.tokens('tokens', [batch, input]);
  x = l.embedding('word', x, BERT_VOCABULARY, WIDTH);
  x = l.bias('token_type', x, 2 * WIDTH);
  x = l.bias('position', x, POSITIONS.bert * WIDTH);
  x = l.dropout('drop', l.layerNorm('ln', x), dropout);
  for (let i = 0; i < LAYERS; i++) {
    const id = `layer.${i}`;
    x = residual(l, `${id}.attention`, x, dropout, (y) => {
      const qkv = (['query', 'key', 'value'] as const).map((name) => l.linear(`${id}.${name}`, y, WIDTH));
      const [q = 0, k = 0, v = 0] = qkv;
      const z = l.attention(`${id}.self`, [q, k, v], { heads: HEADS, fused, masked: false, rate: dropout });
      return l.linear(`${id}.attention.output`, z, WIDTH);
    });
    x = l.layerNorm(`${id}.ln_1`, x);
    x = residual(l, `${id}.mlp`, x, dropout, (y) => mlp(l, `${id}.mlp`, y));
    x = l.layerNorm(`${id}.ln_2`, x);
  }
  x = l.view('first', x, [batch, WIDTH]);
  x = l.b.add('pooler', linear(WIDTH), [x]);
  l.tanh('pooled', x);
}

function buildVit(l: Described, { batch, input, dropout }: Settings, fused: boolean): void {
  const { b } = l;
  const patches = (input / PATCH) ** 2;
  let x = b.input('input', [batch, 3, input, input]);
  x = b.add('conv_proj', conv2d(WIDTH, PATCH, { stride: PATCH }), [x]);
  x = l.view('patches', x, [batch, patches, WIDTH]);
  x = l.op('class_token', 'concat', [x], [batch, patches + 1, WIDTH], { parameters: WIDTH });
  x = l.dropout('encoder.dropout', l.bias('encoder.pos_embedding', x, (patches + 1) * WIDTH), dropout);
  for (let i = 0; i < LAYERS; i++) {
    const id = `encoder.${i}`;
    x = residual(l, `${id}.attention`, x, dropout, (y) =>
      selfAttention(l, `${id}.attention`, l.layerNorm(`${id}.ln_1`, y), {
        fused,
        masked: false,
        rate: dropout,
      }),
    );
    x = residual(l, `${id}.mlp`, x, dropout, (y) => mlp(l, `${id}.mlp`, l.layerNorm(`${id}.ln_2`, y)));
  }
  x = l.view('first', l.layerNorm('encoder.ln', x), [batch, WIDTH]);
  b.add('head', linear(IMAGENET_CLASSES), [x]);
}

function residual(
  l: Described,
  id: string,
  x: VertexHandle,
  rate: number,
  branch: (x: VertexHandle) => VertexHandle,
): VertexHandle {
  return l.add(`${id}.add`, x, l.dropout(`${id}.drop`, branch(x), rate));
}

function selfAttention(
  l: Described,
  id: string,
  x: VertexHandle,
  options: { readonly fused: boolean; readonly masked: boolean; readonly rate: number },
): VertexHandle {
  const all = l.linear(`${id}.qkv`, x, 3 * WIDTH);
  const shape = l.b.shapeOf(x);
  const [q, k, v] = ['q', 'k', 'v'].map((part) => l.view(`${id}.${part}`, all, shape)) as [
    number,
    number,
    number,
  ];
  return l.linear(`${id}.out`, l.attention(id, [q, k, v], { heads: HEADS, ...options }), WIDTH);
}

function mlp(l: Described, id: string, x: VertexHandle): VertexHandle {
  return l.linear(`${id}.down`, l.gelu(`${id}.gelu`, l.linear(`${id}.up`, x, 4 * WIDTH)), WIDTH);
}
