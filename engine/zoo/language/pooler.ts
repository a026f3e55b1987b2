import type { VertexHandle } from '../../graph/builder.ts';
import { ADD, linear, TANH } from '../../ops/make.ts';
import { BYTES_OF_INDEX } from '../../ops/pool.ts';
import { drawLinear } from './adapters.ts';
import type { Attention, LanguageModel, PooledDense, Pooler } from './model.ts';
import { drawActivation, drawMlp, drawNorm } from './parts.ts';
import type { Sketch } from './sketch.ts';

/** One vector of a sequence. */
export function drawPooler(s: Sketch, model: LanguageModel, pooler: Pooler, x: VertexHandle): VertexHandle {
  const { from, norms, labels, dense } = pooler;
  if (from === 'scored') return drawEndToken(s, drawLinear(s, 'classifier', labels ?? model.width, false, x));
  let y = x;
  if (from === 'first') y = s.b.add('first', { kind: 'first' }, [x]);
  else if (from === 'last') y = s.part('last', x, [s.batch, model.width]);
  else if (from === 'probe') y = drawProbe(s, model, x);
  else y = drawEndToken(s, x);
  if (norms) y = drawNorm(s, 'pooled_norm', model.norm, y);
  if (dense !== undefined) y = drawDense(s, model, dense, y);
  return labels === null ? y : drawLinear(s, 'classifier', labels, true, y);
}

/** Features of the token that ends each sequence, by indices of the sample and of that token. */
const drawEndToken = (s: Sketch, x: VertexHandle): VertexHandle =>
  s.composite('end_token', 'index', [x], {
    shape: [s.batch, s.b.shapeOf(x).at(-1) ?? 0],
    aux: 2 * BYTES_OF_INDEX * s.batch,
  });

function drawDense(
  s: Sketch,
  { width, norm }: LanguageModel,
  { activation, bias, norms, rate, dropsFirst }: PooledDense,
  x: VertexHandle,
): VertexHandle {
  const read = dropsFirst ? s.dropped('pooled_dropout', rate, x) : x;
  const y = drawLinear(s, 'pooled_dense', width, bias, read);
  const act =
    activation === 'tanh' ? s.b.add('pooled_act', TANH, [y]) : drawActivation(s, 'pooled_act', activation, y);
  return s.dropped('classifier_dropout', rate, norms ? drawNorm(s, 'pooled_norm', norm, act) : act);
}

/** Attention of one trained query (SigLIP, Zhai et al. 2023), by torch.nn.MultiheadAttention, then a network of its own. */
function drawProbe(s: Sketch, { width, norm, layers }: LanguageModel, x: VertexHandle): VertexHandle {
  const [layer] = layers;
  if (layer === undefined) return x;
  const { heads, each }: Attention = layer.attention;
  const { batch, length } = s;
  const probe = s.composite('probe', 'class-token', [x], { shape: [batch, 1, width], weight: [1, 1, width] });
  const q = s.b.add('probe.q', linear(width), [probe]);
  const both = s.b.add('probe.kv', linear(2 * width), [x]);
  const kv = s.composite('probe.kv_heads', 'clone', [both], { shape: [batch, length, 2 * width] });
  const p = s.composite('probe.softmax', 'softmax', [q, kv], {
    shape: [batch, heads, 1, length],
    flopsEach: 2 * each,
    needs: [0, 1],
    needsOutput: true,
  });
  const values = s.composite('probe.values', 'bmm', [p, kv], {
    shape: [batch, 1, width],
    flopsEach: 2 * length,
    needs: [0, 1],
  });
  const y = s.b.add('probe.out', linear(width), [values]);
  const z = drawMlp(s, 'probe.mlp', layer.mlp, drawNorm(s, 'probe.norm', norm, y));
  return s.b.add('pooled', { kind: 'first' }, [s.b.add('probe.add', ADD, [y, z])]);
}
