import type { VertexHandle } from '../../graph/builder.ts';
import type { Shape } from '../../ops/definition.ts';
import { SOFTMAX } from '../../ops/make.ts';
import { FLOAT32 } from '../../training-memory/element-bytes.ts';
import { drawLinear } from './adapters.ts';
import type { Attention, Norm } from './model.ts';
import { drawCap, drawFloat32Softmax, drawNorm } from './parts.ts';
import type { Sketch } from './sketch.ts';

const ROTARY_PER_ELEMENT = 3;
/** Gemma's, the only model that bounds scores; no byte depends on it. */
const SCORE_BOUND = 50;

type Three = readonly [q: VertexHandle, k: VertexHandle, v: VertexHandle];

/** Self-attention as transformers runs it. */
export function drawAttention(
  s: Sketch,
  id: string,
  attention: Attention,
  norm: Norm,
  x: VertexHandle,
): VertexHandle {
  const { heads, groups, each, normsHeads, rotary, outBias } = attention;
  const { batch, length } = s;
  const width = s.b.shapeOf(x).at(-1) ?? 0;
  const [q, k, v] = drawProducts(s, id, attention, x);
  const prepared = (name: string, y: VertexHandle, count: number): VertexHandle => {
    const normed = normsHeads ? drawNorm(s, `${id}.${name}_norm`, norm, y, [batch, length, count, each]) : y;
    const shape = [batch, count, length, each];
    if (rotary === null) return headed(s, `${id}.${name}`, attention, normed, shape);
    return s.composite(`${id}.${name}_rotary`, 'position-embedding', [normed], {
      shape,
      flopsEach: ROTARY_PER_ELEMENT,
      // The cosines and sines of all positions, which every layer's products keep.
      fixed: s.once(rotary.table, 2 * length * rotary.features * s.element),
    });
  };
  const three: Three = [prepared('q', q, heads), prepared('k', k, groups), v];
  const y = attention.kernel === 'eager' ? written(s, id, attention, three) : fused(s, id, attention, three);
  return drawLinear(s, `${id}.o_proj`, width, outBias, y);
}

/** Queries, keys and values, of one product or of three. */
function drawProducts(
  s: Sketch,
  id: string,
  { heads, groups, each, bias, isOneProduct }: Attention,
  x: VertexHandle,
): Three {
  const product = (name: string, count: number): VertexHandle =>
    drawLinear(s, `${id}.${name}_proj`, count * each, bias, x);
  if (!isOneProduct) return [product('q', heads), product('k', groups), product('v', groups)];
  const all = product('qkv', heads + 2 * groups);
  const part = (name: string, count: number): VertexHandle =>
    s.part(`${id}.${name}`, all, [s.batch, s.length, count * each]);
  return [part('q', heads), part('k', groups), part('v', groups)];
}

/** Head by head: a view, but written-out attention copies what lies between others. */
function headed(
  s: Sketch,
  id: string,
  { isOneProduct, kernel }: Attention,
  x: VertexHandle,
  shape: Shape,
): VertexHandle {
  if (isOneProduct && kernel === 'eager') return s.composite(`${id}_heads`, 'clone', [x], { shape });
  return s.part(`${id}_heads`, x, shape);
}

/** Keys or values once for every head that reads them: a copy, where heads share them. */
function repeated(s: Sketch, id: string, { heads, groups, each }: Attention, x: VertexHandle): VertexHandle {
  if (groups === heads) return x;
  return s.composite(`${id}_repeated`, 'clone', [x], { shape: [s.batch, heads, s.length, each] });
}

/**
 * Attention in one operation. It keeps queries, keys, values, its output and a float32 number a row and head, as the flash
 * kernels of CUDA and CPU do, with keys and values of their own number of heads. `sdpa` knows no window: a layer that has
 * one makes a mask of its own, and repeats keys and values.
 */
function fused(s: Sketch, id: string, attention: Attention, [q, k, v]: Three): VertexHandle {
  const { heads, each, kernel, window, rotary } = attention;
  const { batch, length } = s;
  const isMasked = kernel === 'sdpa' && window !== null && length > window;
  const keysAndValues = isMasked
    ? [repeated(s, `${id}.k`, attention, k), repeated(s, `${id}.v`, attention, v)]
    : [k, v];
  const y = s.composite(`${id}.sdpa`, '_scaled_dot_product_flash_attention', [q, ...keysAndValues], {
    shape: [batch, heads, length, each],
    flopsEach: 4 * length,
    needs: [0, 1, 2],
    needsOutput: true,
    aux: FLOAT32 * batch * heads * length + (isMasked ? batch * length ** 2 * s.element : 0),
  });
  // The output lies as the queries do.
  return s.b.add(`${id}.merge`, { kind: 'merge-heads', copies: rotary?.joins === true }, [y]);
}

/** Attention written out: the probabilities of every pair of positions are kept. */
function written(s: Sketch, id: string, attention: Attention, [q, k, v]: Three): VertexHandle {
  const { heads, groups, each, capsScores, rate } = attention;
  const values =
    groups === heads
      ? headed(s, `${id}.v`, attention, v, [s.batch, heads, s.length, each])
      : repeated(s, `${id}.v`, attention, v);
  let p = s.b.add(`${id}.scores`, { kind: 'attention-scores' }, [q, repeated(s, `${id}.k`, attention, k)]);
  p = s.b.add(`${id}.scale`, { kind: 'scale', divisor: Math.sqrt(each) }, [p]);
  if (capsScores) p = drawCap(s, `${id}.cap`, SCORE_BOUND, p);
  if (attention.causal || (attention.window !== null && s.length > attention.window))
    p = s.b.add(`${id}.mask`, { kind: 'causal-mask' }, [p]);
  p = drawSoftmax(s, `${id}.softmax`, attention, p);
  p = s.dropped(`${id}.softmax.dropout`, rate, p);
  const y = s.b.add(`${id}.values`, { kind: 'attention-values' }, [p, values]);
  return s.b.add(`${id}.merge`, { kind: 'merge-heads', copies: true }, [y]);
}

/** In float32 and cast back, a half network keeps both results. */
function drawSoftmax(s: Sketch, id: string, { softmaxInFloat32 }: Attention, x: VertexHandle): VertexHandle {
  if (s.element === FLOAT32 || !softmaxInFloat32) return s.b.add(id, SOFTMAX, [x]);
  return s.composite(id, 'clone', [drawFloat32Softmax(s, `${id}.float32`, x)], { shape: s.b.shapeOf(x) });
}
