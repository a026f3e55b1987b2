import type { VertexHandle } from '../../graph/builder.ts';
import { ADD, embedding, MULTIPLY } from '../../ops/make.ts';
import { drawLinear } from './adapters.ts';
import type { LanguageModel, Norm } from './model.ts';
import { drawActivation, drawNorm } from './parts.ts';
import type { Sketch } from './sketch.ts';

/** Inputs of all layers of Gemma 4: a row looked up for each token, and a product of its embedding. */
export function drawPerLayer(s: Sketch, model: LanguageModel, x: VertexHandle): VertexHandle | null {
  const { perLayer, layers, norm } = model;
  if (perLayer === null) return null;
  const width = layers.length * perLayer.features;
  const table = s.b.add('embed_per_layer', embedding(perLayer.vocabulary, width), ['tokens']);
  const looked = s.scaled('embed_per_layer.scaled', table);
  const product = drawLinear(s, 'per_layer_model_projection', width, false, x);
  const scaled = s.scaled('per_layer_model_projection.scaled', product);
  const shape = [s.batch, s.length, layers.length, perLayer.features];
  const normed = drawNorm(s, 'per_layer_projection_norm', norm, scaled, shape);
  const sum = s.composite('per_layer_inputs.add', 'add', [normed, looked], { shape, flopsEach: 1 });
  return s.scaled('per_layer_inputs', sum);
}

/** One layer’s part of them, gated by the layer’s output and added to that. */
export function drawOwnInput(
  s: Sketch,
  id: string,
  norm: Norm,
  x: VertexHandle,
  all: VertexHandle,
): VertexHandle {
  const features = s.b.shapeOf(all).at(-1) ?? 0;
  const [batch = 1, length = 1, width = 1] = s.b.shapeOf(x);
  const gate = drawLinear(s, `${id}.per_layer_input_gate`, features, false, x);
  const act = drawActivation(s, `${id}.per_layer_input.act`, 'gelu_pytorch_tanh', gate);
  const own = s.part(`${id}.per_layer_input`, all, [batch, length, features]);
  const gated = s.b.add(`${id}.per_layer_input.gated`, MULTIPLY, [act, own]);
  const y = drawLinear(s, `${id}.per_layer_projection`, width, false, gated);
  return s.b.add(`${id}.per_layer_input.add`, ADD, [x, drawNorm(s, `${id}.per_layer_input.norm`, norm, y)]);
}
