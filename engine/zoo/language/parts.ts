import type { VertexHandle } from '../../graph/builder.ts';
import { GELU, GELU_TANH, layerNorm, MULTIPLY, RELU, TANH } from '../../ops/make.ts';
import { SOFTMAX_PER_ELEMENT } from '../../ops/elementwise.ts';
import type { Shape } from '../../ops/definition.ts';
import { elementsOf } from '../../ops/shape.ts';
import { FLOAT32 } from '../../training-memory/element-bytes.ts';
import { drawLinear } from './adapters.ts';
import type { Activation, Mlp, Norm, Rotary } from './model.ts';
import type { Sketch } from './sketch.ts';

/** Square, mean, root and quotient, then the product. */
const RMS_PER_ELEMENT = 5;
const ROTARY_PER_ELEMENT = 3;

/**
 * A norm over the last axis. An RMS norm computes in float32: its square and its product keep the input, or the float32
 * copy of a half one, and its root one number a row; the scale keeps what was normalised.
 *
 * @param shape of what is normalised, where rows are shorter than the input's
 */
export function drawNorm(
  s: Sketch,
  id: string,
  norm: Norm,
  x: VertexHandle,
  shape = s.b.shapeOf(x),
): VertexHandle {
  if (norm === 'layer') return s.b.add(id, layerNorm(), [x]);
  const width = shape.at(-1) ?? 1;
  const elements = elementsOf(shape);
  if (norm === 'layer-without-bias') {
    const aux = (2 * FLOAT32 * elements) / width;
    return s.composite(id, 'layer-norm', [x], { shape, flopsEach: 8, needs: [0], aux, weight: [width] });
  }
  const copiesWeight = norm === 'rms-plus-one' || (norm === 'rms-by-power' && s.element < FLOAT32);
  const y = drawNormalised(s, `${id}.normalised`, norm, x, shape);
  return s.composite(id, 'multiply', [y], {
    shape,
    flopsEach: 1,
    needs: s.needsForWeight(0),
    // One more than the weight is a tensor of its own, and so is a float32 copy of it.
    fixed: copiesWeight ? FLOAT32 * width : 0,
    weight: [width],
  });
}

const IN_FLOAT32: readonly Norm[] = ['rms-plus-one', 'rms-in-float32', 'rms-by-power'];

/** An RMS norm without its scale. */
export function drawNormalised(
  s: Sketch,
  id: string,
  norm: Norm,
  x: VertexHandle,
  shape: Shape,
): VertexHandle {
  const elements = elementsOf(shape);
  const isHalf = s.element < FLOAT32;
  return s.composite(id, 'layer-norm', [x], {
    shape,
    flopsEach: RMS_PER_ELEMENT,
    needs: isHalf && norm !== 'rms-promoted' ? [] : [0],
    // A power keeps what it is of, a root itself.
    aux:
      FLOAT32 *
      (((norm === 'rms-by-power' ? 2 : 1) * elements) / (shape.at(-1) ?? 1) + (isHalf ? elements : 0)),
    ...(IN_FLOAT32.includes(norm) ? { element: FLOAT32 } : {}),
  });
}

/** Queries or keys turned by their positions, head by head. */
export function drawRotary(
  s: Sketch,
  id: string,
  { features, table, angles, ofSequences }: Rotary,
  x: VertexHandle,
  shape: Shape,
): VertexHandle {
  return s.composite(id, 'position-embedding', [x], {
    shape,
    flopsEach: ROTARY_PER_ELEMENT,
    // The cosines and sines of all positions, which every layer's products keep; half as many angles where complex.
    ...s.positionTable(
      table,
      features * (angles === 'complex' ? FLOAT32 : 2 * (angles === 'own' ? s.element : FLOAT32)),
      ofSequences,
    ),
  });
}

/** Two products with an activation between; gated, it is multiplied by another product of the same input. */
export function drawMlp(s: Sketch, id: string, mlp: Mlp, x: VertexHandle): VertexHandle {
  const { inner, activation, bias, rate, gate } = mlp;
  const [batch = 1, length = 1, width = 1] = s.b.shapeOf(x);
  const down = (y: VertexHandle): VertexHandle =>
    drawLinear(s, `${id}.down_proj`, width, bias, s.dropped(`${id}.dropout`, rate, y), id);
  if (gate === 'none') {
    const up = drawLinear(s, `${id}.up_proj`, inner, bias, x);
    return down(drawActivation(s, `${id}.act`, activation, up));
  }
  const shape = [batch, length, inner];
  const both = gate === 'one' ? drawLinear(s, `${id}.gate_up_proj`, 2 * inner, bias, x) : null;
  const [a, b] =
    both === null
      ? [drawLinear(s, `${id}.gate_proj`, inner, bias, x), drawLinear(s, `${id}.up_proj`, inner, bias, x)]
      : [s.part(`${id}.gate`, both, shape), s.part(`${id}.up`, both, shape)];
  return down(drawGated(s, id, activation, a, b));
}

/** The activation of a gate, times another product. */
export function drawGated(
  s: Sketch,
  id: string,
  activation: Activation,
  gate: VertexHandle,
  up: VertexHandle,
): VertexHandle {
  return s.b.add(`${id}.gated`, MULTIPLY, [drawActivation(s, `${id}.act`, activation, gate), up]);
}

export const drawSigmoid = (s: Sketch, id: string, x: VertexHandle): VertexHandle =>
  s.composite(id, 'sigmoid', [x], { shape: s.b.shapeOf(x), flopsEach: 1, needsOutput: true });

export function drawActivation(s: Sketch, id: string, name: Activation, x: VertexHandle): VertexHandle {
  if (name === 'gelu') return s.b.add(id, GELU, [x]);
  if (name === 'gelu_pytorch_tanh') return s.b.add(id, GELU_TANH, [x]);
  if (name === 'relu') return s.b.add(id, RELU, [x]);
  const shape = s.b.shapeOf(x);
  if (name === 'silu') return s.composite(id, 'silu', [x], { shape, flopsEach: 4, needs: [0] });
  if (name === 'quick_gelu') {
    // The input times a sigmoid of it.
    const sigmoid = s.composite(`${id}.sigmoid`, 'sigmoid', [x], { shape, flopsEach: 5, needsOutput: true });
    return s.b.add(id, MULTIPLY, [x, sigmoid]);
  }
  // Written out: the input's half times one more than a tanh, which is kept too.
  const half = s.composite(`${id}.half`, 'multiply', [x], { shape, flopsEach: 1 });
  const aux = elementsOf(shape) * s.element;
  const tanh = s.composite(`${id}.tanh`, 'tanh', [x], { shape, flopsEach: 6, needs: [0], aux });
  return s.b.add(id, MULTIPLY, [half, tanh]);
}

/** Divided by a bound, its tanh, and times the bound: what goes through keeps the tanh. */
export function drawCap(s: Sketch, id: string, bound: number, x: VertexHandle): VertexHandle {
  const y = s.b.add(`${id}.divided`, { kind: 'scale', divisor: bound }, [x]);
  return s.b.add(id, { kind: 'scale', divisor: 1 / bound }, [s.b.add(`${id}.tanh`, TANH, [y])]);
}

/** A softmax over the last axis that computes in float32 whatever the network's type, and keeps its result. */
export const drawFloat32Softmax = (s: Sketch, id: string, x: VertexHandle): VertexHandle =>
  s.composite(id, 'softmax', [x], {
    shape: s.b.shapeOf(x),
    flopsEach: SOFTMAX_PER_ELEMENT,
    needsOutput: true,
    element: FLOAT32,
  });
