import type { VertexHandle } from '../../graph/builder.ts';
import { FLOAT32 } from '../../training-memory/element-bytes.ts';
import { dropout, GELU, GELU_TANH, layerNorm, linear, MULTIPLY, RELU, SOFTMAX } from '../../ops/make.ts';
import { elementsOf } from '../../ops/shape.ts';
import type { Activation, Attention, Mlp, Norm } from './model.ts';
import type { Sketch } from './sketch.ts';

/** Square, mean, root and quotient, then the product. */
const RMS_PER_ELEMENT = 5;
const ROTARY_PER_ELEMENT = 3;
const SOFTMAX_PER_ELEMENT = 5;

/**
 * A norm over the last axis. An RMS norm computes in float32: its square and its product keep the input, or the float32
 * copy of a half one, and its root one number a row; the scale keeps what was normalised.
 */
export function drawNorm(s: Sketch, id: string, norm: Norm, x: VertexHandle): VertexHandle {
  if (norm === 'layer') return s.b.add(id, layerNorm(), [x]);
  const shape = s.b.shapeOf(x);
  const width = shape.at(-1) ?? 1;
  const elements = elementsOf(shape);
  const isHalf = s.element < FLOAT32;
  const inFloat32 = norm === 'rms-plus-one';
  const y = s.composite(`${id}.normalised`, 'layer-norm', [x], {
    shape,
    flopsEach: RMS_PER_ELEMENT,
    needs: isHalf ? [] : [0],
    aux: FLOAT32 * (elements / width + (isHalf ? elements : 0)),
    ...(inFloat32 ? { element: FLOAT32 } : {}),
  });
  return s.composite(id, 'multiply', [y], {
    shape,
    flopsEach: 1,
    needs: [0],
    // One more than the weight is a tensor of its own.
    fixed: inFloat32 ? FLOAT32 * width : 0,
    parameters: width,
  });
}

/**
 * Self-attention as transformers runs it. Fused it keeps queries, keys, values, its output and a float32 number a row and
 * head, as the flash kernels of CUDA and CPU do, with keys and values of their own number of heads.
 */
export function drawAttention(s: Sketch, id: string, attention: Attention, x: VertexHandle): VertexHandle {
  const { heads, groups, each, bias, outBias } = attention;
  const { batch, length } = s;
  const width = s.b.shapeOf(x).at(-1) ?? 0;
  const [q, k, v] = [
    s.b.add(`${id}.q_proj`, linear(heads * each, bias), [x]),
    s.b.add(`${id}.k_proj`, linear(groups * each, bias), [x]),
    s.b.add(`${id}.v_proj`, linear(groups * each, bias), [x]),
  ];
  const turned = (name: string, y: VertexHandle, count: number): VertexHandle =>
    s.composite(`${id}.${name}_rotary`, 'position-embedding', [y], {
      shape: [batch, count, length, each],
      flopsEach: ROTARY_PER_ELEMENT,
      // The cosines and sines of all positions, which every layer's products keep.
      fixed: s.once('rotary', 2 * length * each * s.element),
    });
  const y = attend(s, id, attention, [turned('q', q, heads), turned('k', k, groups), v]);
  return s.b.add(`${id}.o_proj`, linear(width, outBias), [y]);
}

function attend(
  s: Sketch,
  id: string,
  { heads, groups, each, kernel, window, rate }: Attention,
  [q, k, v]: readonly [VertexHandle, VertexHandle, VertexHandle],
): VertexHandle {
  const { batch, length } = s;
  const shape = [batch, heads, length, each];
  const isMasked = kernel === 'sdpa' && window !== null && length > window;
  const repeated = (name: string, y: VertexHandle): VertexHandle =>
    groups === heads ? y : s.composite(`${id}.${name}_repeated`, 'clone', [y], { shape });
  if (kernel !== 'eager') {
    const keysAndValues = isMasked ? [repeated('k', k), repeated('v', v)] : [k, v];
    const y = s.composite(`${id}.sdpa`, '_scaled_dot_product_flash_attention', [q, ...keysAndValues], {
      shape,
      flopsEach: 4 * length,
      needs: [0, 1, 2],
      needsOutput: true,
      // A mask that every layer makes of its own: sdpa knows no window.
      aux: FLOAT32 * batch * heads * length + (isMasked ? batch * length ** 2 * s.element : 0),
    });
    return s.b.add(`${id}.merge`, { kind: 'merge-heads', copies: false }, [y]);
  }
  const values =
    groups === heads ? s.b.add(`${id}.v_heads`, { kind: 'split-heads', heads }, [v]) : repeated('v', v);
  let p = s.b.add(`${id}.scores`, { kind: 'attention-scores' }, [q, repeated('k', k)]);
  p = s.b.add(`${id}.scale`, { kind: 'scale', divisor: Math.sqrt(each) }, [p]);
  p = s.b.add(`${id}.mask`, { kind: 'causal-mask' }, [p]);
  p = drawSoftmax(s, `${id}.softmax`, p);
  if (rate > 0) p = s.b.add(`${id}.dropout`, dropout(rate), [p]);
  const y = s.b.add(`${id}.values`, { kind: 'attention-values' }, [p, values]);
  return s.b.add(`${id}.merge`, { kind: 'merge-heads', copies: true }, [y]);
}

/** In float32 whatever the network's type, and cast back: a half network keeps both. */
function drawSoftmax(s: Sketch, id: string, x: VertexHandle): VertexHandle {
  if (s.element === FLOAT32) return s.b.add(id, SOFTMAX, [x]);
  const shape = s.b.shapeOf(x);
  const y = s.composite(`${id}.float32`, 'softmax', [x], {
    shape,
    flopsEach: SOFTMAX_PER_ELEMENT,
    needsOutput: true,
    element: FLOAT32,
  });
  return s.composite(id, 'clone', [y], { shape });
}

/** A gated product: the activation of one, times another. */
export function drawMlp(
  s: Sketch,
  id: string,
  { inner, activation, bias }: Mlp,
  x: VertexHandle,
): VertexHandle {
  const width = s.b.shapeOf(x).at(-1) ?? 0;
  const gate = s.b.add(`${id}.gate_proj`, linear(inner, bias), [x]);
  const up = s.b.add(`${id}.up_proj`, linear(inner, bias), [x]);
  const y = s.b.add(`${id}.gated`, MULTIPLY, [drawActivation(s, `${id}.act`, activation, gate), up]);
  return s.b.add(`${id}.down_proj`, linear(width, bias), [y]);
}

export function drawActivation(s: Sketch, id: string, name: Activation, x: VertexHandle): VertexHandle {
  if (name === 'gelu') return s.b.add(id, GELU, [x]);
  if (name === 'gelu_pytorch_tanh') return s.b.add(id, GELU_TANH, [x]);
  if (name === 'relu') return s.b.add(id, RELU, [x]);
  return s.composite(id, 'silu', [x], { shape: s.b.shapeOf(x), flopsEach: 4, needs: [0] });
}
