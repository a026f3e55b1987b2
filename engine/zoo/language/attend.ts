import type { VertexHandle } from '../../graph/builder.ts';
import type { Shape } from '../../ops/definition.ts';
import { MULTIPLY, SOFTMAX } from '../../ops/make.ts';
import { BYTES_OF_INDEX } from '../../ops/pool.ts';
import { FLOAT32 } from '../../training-memory/element-bytes.ts';
import { drawLinear } from './adapters.ts';
import type { Attention, Norm } from './model.ts';
import { drawLatentHeads } from './latent.ts';
import { drawCap, drawFloat32Softmax, drawNorm, drawNormalised, drawRotary, drawSigmoid } from './parts.ts';
import type { Sketch } from './sketch.ts';

/** Gemma's, the only model that bounds scores; no byte depends on it. */
const SCORE_BOUND = 50;

type Heads = readonly [q: VertexHandle, k: VertexHandle, v: VertexHandle, gate?: VertexHandle | undefined];

/**
 * Attention as transformers runs it.
 *
 * @param memory what keys and values are products of; the layer's input in self-attention
 */
export function drawAttention(
  s: Sketch,
  id: string,
  attention: Attention,
  norm: Norm,
  x: VertexHandle,
  memory = x,
): VertexHandle {
  const { latent, rotary, kernel, outBias } = attention;
  const width = s.b.shapeOf(x).at(-1) ?? 0;
  const all =
    latent === null || rotary === null
      ? drawHeads(s, id, attention, norm, x, memory)
      : drawLatentHeads(s, id, attention, latent, rotary, norm, x);
  const y = kernel === 'eager' ? written(s, id, attention, all) : fused(s, id, attention, all);
  const [, , , gate] = all;
  return drawLinear(s, `${id}.o_proj`, width, outBias, gate === undefined ? y : gated(s, id, gate, y), id);
}

function drawHeads(
  s: Sketch,
  id: string,
  attention: Attention,
  norm: Norm,
  x: VertexHandle,
  memory: VertexHandle,
): Heads {
  const { heads, groups, each, bias, copiesHeads, shared, scalesQueries, rotary } = attention;
  const { normsHeads, normsAllHeads, normsValues, normsTurned } = attention;
  const earlier = shared?.reads === true ? s.sharedKeys.get(shared.of) : undefined;
  const [q, k, v, gate] =
    earlier === undefined
      ? drawProducts(s, id, attention, x, memory)
      : [drawLinear(s, `${id}.q_proj`, heads * each, bias, x), ...earlier];
  const perHead = (y: VertexHandle, count: number) => [s.batch, count, s.b.shapeOf(y)[1] ?? 0, each];
  const prepared = (name: string, y: VertexHandle, count: number): VertexHandle => {
    const rows = normsHeads ? [s.batch, s.length, count, each] : s.b.shapeOf(y);
    const normed = normsHeads || normsAllHeads ? drawNorm(s, `${id}.${name}_norm`, norm, y, rows) : y;
    const shape = perHead(y, count);
    if (rotary === null) return headed(s, `${id}.${name}`, attention, normed, shape);
    const turned = drawRotary(s, `${id}.${name}_rotary`, rotary, normed, shape);
    return normsTurned ? drawNormalised(s, `${id}.${name}_norm`, norm, turned, shape) : turned;
  };
  const queries = prepared('q', q, heads);
  const scaled =
    scalesQueries === null ? queries : drawScaled(s, `${id}.q_scaled`, queries, scalesQueries === 'float32');
  if (earlier !== undefined) return [scaled, k, v];
  const normed = normsValues
    ? drawValueNorm(s, `${id}.v_norm`, norm, v, [s.batch, s.length, groups, each])
    : v;
  const values = copiesHeads ? headed(s, `${id}.v`, attention, v, perHead(v, groups)) : normed;
  const keys = prepared('k', k, groups);
  if (shared !== null) s.sharedKeys.set(shared.of, [keys, values]);
  return [scaled, keys, values, gate];
}

/** Times a sigmoid of a gate, which is copied head by head. */
function gated(s: Sketch, id: string, gate: VertexHandle, y: VertexHandle): VertexHandle {
  const shape = s.b.shapeOf(y);
  const copy = s.composite(`${id}.gate`, 'clone', [gate], { shape });
  return s.b.add(`${id}.gated`, MULTIPLY, [y, drawSigmoid(s, `${id}.gate.sigmoid`, copy)]);
}

/** An RMS norm without a weight over each head of values, cast back where it computes in float32. */
function drawValueNorm(s: Sketch, id: string, norm: Norm, v: VertexHandle, shape: Shape): VertexHandle {
  return castBack(s, id, drawNormalised(s, id, norm, v, shape), shape);
}

/** A float32 tensor in the network's type. */
const castBack = (s: Sketch, id: string, x: VertexHandle, shape: Shape): VertexHandle =>
  s.element === FLOAT32 ? x : s.composite(`${id}.cast`, 'to', [x], { shape });

/** Multiplied by a number of each position; in float32 it is cast back. */
function drawScaled(s: Sketch, id: string, x: VertexHandle, inFloat32: boolean): VertexHandle {
  const shape = s.b.shapeOf(x);
  const element = inFloat32 ? FLOAT32 : s.element;
  const y = s.composite(id, 'multiply', [x], { shape, flopsEach: 1, fixed: element * s.length, element });
  return inFloat32 ? castBack(s, id, y, shape) : y;
}

/** Queries, keys and values, of one product or of three. */
function drawProducts(
  s: Sketch,
  id: string,
  { heads, groups, each, bias, plainKeys, isOneProduct, isGated, valuesAreKeys }: Attention,
  x: VertexHandle,
  memory: VertexHandle,
): Heads {
  const product = (name: string, count: number, from = x): VertexHandle =>
    drawLinear(s, `${id}.${name}_proj`, count * each, bias && !(plainKeys && name === 'k'), from);
  const part = (name: string, of: VertexHandle, count: number): VertexHandle =>
    s.part(`${id}.${name}`, of, [s.batch, s.length, count * each]);
  if (isGated) {
    const both = product('q', 2 * heads);
    const q = part('q', both, heads);
    return [q, product('k', groups, memory), product('v', groups, memory), part('gate_half', both, heads)];
  }
  if (!isOneProduct) {
    const [q, k] = [product('q', heads), product('k', groups, memory)];
    return [q, k, valuesAreKeys ? k : product('v', groups, memory)];
  }
  const all = product('qkv', heads + 2 * groups);
  return [part('q', all, heads), part('k', all, groups), part('v', all, groups)];
}

/** Head by head: a view, but some copy it, and written-out attention copies what lies between others. */
function headed(
  s: Sketch,
  id: string,
  { isOneProduct, copiesHeads, latent, kernel }: Attention,
  x: VertexHandle,
  shape: Shape,
): VertexHandle {
  if (copiesHeads || ((isOneProduct || latent !== null) && kernel === 'eager'))
    return s.composite(`${id}_heads`, 'clone', [x], { shape });
  return s.part(`${id}_heads`, x, shape);
}

/** Keys or values once for every head that reads them: a copy, where heads share them. */
function repeated(
  s: Sketch,
  id: string,
  { heads, groups, each, kernel }: Attention,
  x: VertexHandle,
): VertexHandle {
  if (groups === heads) return x;
  // The one of all heads is repeated as a view.
  if (groups === 1 && kernel !== 'eager')
    return s.part(`${id}_repeated`, x, [s.batch, heads, s.length, each]);
  return s.composite(`${id}_repeated`, 'clone', [x], { shape: [s.batch, heads, s.length, each] });
}

/**
 * Attention in one operation. It keeps queries, keys, values, its output and a float32 number a row and head, as the flash
 * kernels of CUDA and CPU do, with keys and values of their own number of heads. `sdpa` knows no window: a layer that has
 * one makes a mask of its own, and repeats keys and values.
 */
function fused(s: Sketch, id: string, attention: Attention, [q, k, v]: Heads): VertexHandle {
  const { heads, each, kernel, window, rotary, latent, copiesHeads } = attention;
  const { batch, length } = s;
  const isRing = s.contextRanks > 1;
  const valueEach = latent?.valueEach ?? each;
  const seen = s.contextRanks * (s.b.shapeOf(k).at(-2) ?? 0);
  const perHead = (features: number) => [batch, heads, length, features];
  const isMasked = kernel === 'sdpa' && (s.isMasked || (window !== null && length >= window));
  // FlashAttention takes one size for all three.
  const isPadded = kernel === 'flash_attention_2' && valueEach < each;
  const keys = isMasked ? repeated(s, `${id}.k`, attention, k) : k;
  let values = isMasked ? repeated(s, `${id}.v`, attention, v) : v;
  if (isPadded) values = s.composite(`${id}.v_padded`, 'shift', [v], { shape: perHead(each) });
  const label = isRing ? 'ring_attention' : '_scaled_dot_product_flash_attention';
  const between = isRing ? [s.gatheredContext(`${id}.all_gather`, [q, k, v])] : [];
  const y = s.composite(`${id}.sdpa`, label, [q, keys, values, ...between], {
    shape: perHead(isPadded ? each : valueEach),
    flopsEach: 2 * seen * (1 + (isPadded ? 1 : each / valueEach)),
    needs: [0, 1, 2],
    needsOutput: true,
    aux: FLOAT32 * batch * heads * length + (isMasked ? batch * length ** 2 * s.element : 0),
  });
  const own = isPadded ? s.part(`${id}.cropped`, y, perHead(valueEach)) : y;
  // The output lies as the queries do, but where parts of it were joined.
  const copies = copiesHeads || isRing || rotary?.joins === true;
  return s.b.add(`${id}.merge`, { kind: 'merge-heads', copies }, [own]);
}

/** Attention written out: the probabilities of every pair of positions are kept. */
function written(s: Sketch, id: string, attention: Attention, [q, k, v]: Heads): VertexHandle {
  const { heads, groups, each, latent, relative, capsScores, hasSinks, copiesHeads, rate } = attention;
  const values =
    groups === heads && !copiesHeads
      ? headed(s, `${id}.v`, attention, v, [s.batch, heads, s.length, latent?.valueEach ?? each])
      : repeated(s, `${id}.v`, attention, v);
  let p = s.b.add(`${id}.scores`, { kind: 'attention-scores' }, [q, repeated(s, `${id}.k`, attention, k)]);
  p = s.b.add(`${id}.scale`, { kind: 'scale', divisor: Math.sqrt(each) }, [p]);
  if (capsScores) p = drawCap(s, `${id}.cap`, SCORE_BOUND, p);
  if (relative !== null)
    p = s.composite(`${id}.position_bias`, 'add', [p], {
      shape: s.b.shapeOf(p),
      flopsEach: 1,
      // Rows of the table for all pairs of positions, unless it is frozen.
      fixed: relative.rows > 0 && s.adapters === null ? BYTES_OF_INDEX * s.length ** 2 : 0,
      ...(relative.rows > 0 ? { weight: [relative.rows, heads] } : {}),
    });
  if (attention.causal || s.isMasked || (attention.window !== null && s.length >= attention.window))
    p = s.b.add(`${id}.mask`, { kind: 'causal-mask' }, [p]);
  p = hasSinks ? drawSinkSoftmax(s, id, p) : drawSoftmax(s, `${id}.softmax`, attention, p);
  p = s.dropped(`${id}.softmax.dropout`, rate, p);
  const y = s.b.add(`${id}.values`, { kind: 'attention-values' }, [p, values]);
  return s.b.add(`${id}.merge`, { kind: 'merge-heads', copies: true }, [y]);
}

/** In float32 and cast back, a half network keeps both results. */
function drawSoftmax(s: Sketch, id: string, { softmaxInFloat32 }: Attention, x: VertexHandle): VertexHandle {
  if (s.element === FLOAT32 || !softmaxInFloat32) return s.b.add(id, SOFTMAX, [x]);
  return s.composite(id, 'clone', [drawFloat32Softmax(s, `${id}.float32`, x)], { shape: s.b.shapeOf(x) });
}

/** A softmax with one more score in each row, after the row's largest is taken off; the shares of that one are left out. */
function drawSinkSoftmax(s: Sketch, id: string, x: VertexHandle): VertexHandle {
  const [batch = 1, heads = 1, rows = 1, seen = 1] = s.b.shapeOf(x);
  const shape = [batch, heads, rows, seen + 1];
  const joined = s.composite(`${id}.sinks`, 'cat', [x], { shape, weight: [heads] });
  const below = s.composite(`${id}.below_largest`, 'sub', [joined], {
    shape,
    flopsEach: 1,
    aux: BYTES_OF_INDEX * batch * heads * rows,
  });
  return s.part(`${id}.shares`, s.b.add(`${id}.softmax`, SOFTMAX, [below]), [batch, heads, rows, seen]);
}
