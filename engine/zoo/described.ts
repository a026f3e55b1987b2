import type { GraphBuilder, VertexHandle } from '../graph/builder.ts';
import { ADD } from '../ops/make.ts';
import type { Keeps, Shape } from '../ops/operation.ts';
import { elementsOf } from '../ops/shape.ts';

const FLOAT_BYTES = 4;
const INDEX_BYTES = 8;
/** Mean, variance, normalise, scale and shift. */
const NORM_PER_ELEMENT = 8;

interface Description {
  readonly keeps?: Partial<Keeps>;
  readonly alias?: 'view' | 'inplace';
  readonly flops?: number;
  readonly parameters?: number;
}

/**
 * The operations of networks beyond the papers', described by what PyTorch's autograd keeps for them
 * (measured by `capture` of app/bridges/torch/zigzag_torch.py; test/reference/torch_beyond.py checks it)
 * instead of computed: the trainer has no kernels for them.
 */
export class Described {
  readonly b: GraphBuilder;

  constructor(b: GraphBuilder) {
    this.b = b;
  }

  /** Token numbers, eight bytes each. */
  tokens(id: string, shape: Shape): VertexHandle {
    return this.b.addGiven(id, { kind: 'input' }, [], 'own', {
      shape,
      bytes: INDEX_BYTES * elementsOf(shape),
    });
  }

  op(
    id: string,
    label: string,
    inputs: readonly VertexHandle[],
    shape: Shape,
    what: Description = {},
  ): VertexHandle {
    const keeps: Keeps = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0, ...what.keeps };
    const op = {
      kind: 'opaque',
      label,
      keeps,
      ...(what.alias === undefined ? {} : { alias: what.alias }),
    } as const;
    const flops = what.flops ?? (what.alias === 'view' ? 0 : elementsOf(shape));
    return this.b.addGiven(id, op, inputs, 'own', { shape, flops, parameters: what.parameters ?? 0 });
  }

  embedding(id: string, tokens: VertexHandle, count: number, width: number): VertexHandle {
    const shape = [...this.b.shapeOf(tokens), width];
    return this.op(id, 'embedding', [tokens], shape, { keeps: { inputs: [0] }, parameters: count * width });
  }

  /** Adds something trained, such as the embeddings of positions. */
  bias(id: string, x: VertexHandle, parameters: number): VertexHandle {
    return this.op(id, 'add', [x], this.b.shapeOf(x), { parameters });
  }

  layerNorm(id: string, x: VertexHandle): VertexHandle {
    const shape = this.b.shapeOf(x);
    const width = shape.at(-1) ?? 1;
    const rows = elementsOf(shape) / width;
    const keeps = { inputs: [0], auxBytes: 2 * FLOAT_BYTES * rows };
    return this.op(id, 'layer-norm', [x], shape, {
      keeps,
      flops: NORM_PER_ELEMENT * elementsOf(shape),
      parameters: 2 * width,
    });
  }

  /** A product with a weight along the last axis; `parameters` 0 where the weight is another's. */
  linear(id: string, x: VertexHandle, out: number, parameters?: number): VertexHandle {
    const from = this.b.shapeOf(x);
    const inner = from.at(-1) ?? 1;
    const shape = [...from.slice(0, -1), out];
    return this.op(id, 'linear', [x], shape, {
      keeps: { inputs: [0] },
      flops: 2 * elementsOf(shape) * inner,
      parameters: parameters ?? out * (inner + 1),
    });
  }

  gelu(id: string, x: VertexHandle): VertexHandle {
    return this.op(id, 'gelu', [x], this.b.shapeOf(x), { keeps: { inputs: [0] } });
  }

  tanh(id: string, x: VertexHandle): VertexHandle {
    return this.op(id, 'tanh', [x], this.b.shapeOf(x), { keeps: { output: true } });
  }

  /** In place PyTorch saves a copy of its input. */
  relu6(id: string, x: VertexHandle): VertexHandle {
    const shape = this.b.shapeOf(x);
    const keeps = { auxBytes: FLOAT_BYTES * elementsOf(shape) };
    return this.op(id, 'relu6', [x], shape, { keeps, alias: 'inplace' });
  }

  view(id: string, x: VertexHandle, shape: Shape): VertexHandle {
    return this.op(id, 'view', [x], shape, { alias: 'view' });
  }

  copy(id: string, x: VertexHandle, shape: Shape): VertexHandle {
    return this.op(id, 'reshape', [x], shape);
  }

  dropout(id: string, x: VertexHandle, rate: number): VertexHandle {
    return this.b.add(id, { kind: 'dropout', rate }, [x]);
  }

  add(id: string, x: VertexHandle, y: VertexHandle): VertexHandle {
    return this.b.add(id, ADD, [x, y]);
  }

  convTranspose(id: string, x: VertexHandle, out: number, size: number): VertexHandle {
    const [n = 1, c = 1, h = 1, w = 1] = this.b.shapeOf(x);
    const weights = c * out * size * size;
    return this.op(id, 'conv-transpose2d', [x], [n, out, h * size, w * size], {
      keeps: { inputs: [0] },
      flops: 2 * n * h * w * weights,
      parameters: weights + out,
    });
  }

  /**
   * Attention of q, k and v, each [N, L, width]. Apart, the probabilities of every pair of positions are
   * kept, and what dropout makes of them; fused (FlashAttention), the inputs, the output and one number
   * a row and head.
   */
  attention(
    id: string,
    qkv: readonly [VertexHandle, VertexHandle, VertexHandle],
    options: {
      readonly heads: number;
      readonly fused: boolean;
      readonly masked: boolean;
      readonly rate: number;
    },
  ): VertexHandle {
    const { heads, fused, masked, rate } = options;
    const shape = this.b.shapeOf(qkv[0]);
    const [n = 1, length = 1, width = 1] = shape;
    const each = width / heads;
    const split = [n, heads, length, each];
    const [q, k, v] = qkv.map((x, i) => this.view(`${id}.${'qkv'[i]}_heads`, x, split)) as [
      number,
      number,
      number,
    ];
    const pairs = [n, heads, length, length];
    const product = 2 * elementsOf(pairs) * each;
    if (fused) {
      const keeps = { inputs: [0, 1, 2], output: true, auxBytes: FLOAT_BYTES * n * heads * length };
      const y = this.op(`${id}.fused`, 'attention', [q, k, v], split, { keeps, flops: 2 * product });
      return this.view(`${id}.merge`, y, shape);
    }
    let p = this.op(`${id}.scores`, 'matmul', [q, k], pairs, { keeps: { inputs: [0, 1] }, flops: product });
    // PyTorch keeps the divisor itself, as a tensor of one double.
    p = this.op(`${id}.scale`, 'div', [p], pairs, { keeps: { fixedAuxBytes: 8 } });
    if (masked) p = this.op(`${id}.mask`, 'masked-fill', [p], pairs);
    p = this.op(`${id}.softmax`, 'softmax', [p], pairs, {
      keeps: { output: true },
      flops: 5 * elementsOf(pairs),
    });
    p = this.dropout(`${id}.dropout`, p, rate);
    const y = this.op(`${id}.values`, 'matmul', [p, v], split, { keeps: { inputs: [0, 1] }, flops: product });
    return this.copy(`${id}.merge`, y, shape);
  }
}
