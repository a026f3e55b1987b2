import type { VertexHandle } from '../../graph/builder.ts';
import { MULTIPLY } from '../../ops/make.ts';
import { FLOAT32 } from '../../training-memory/element-bytes.ts';
import { drawLinear } from './adapters.ts';
import type { DeltaRule, Layer } from './model.ts';
import { drawActivation, drawNorm, drawSigmoid } from './parts.ts';
import type { Sketch } from './sketch.ts';

/** Positions of a chunk, within which the rule is written out. */
const CHUNK = 64;

/**
 * The gated delta rule (Yang et al., Gated Delta Networks, 2024) as transformers trains it: each position
 * decays a matrix of each head, and writes its value where its key points. Where attention is fused, so is the rule, in the
 * kernels of flash-linear-attention 0.6 and causal-conv1d; `eager` is what transformers runs without them.
 */
export function drawDeltaRule(
  s: Sketch,
  id: string,
  { attention, mlp }: Layer,
  rule: DeltaRule,
  x: VertexHandle,
): VertexHandle {
  const { keyHeads, keyEach, valueHeads, valueEach, positions } = rule;
  const { batch, length } = s;
  const isWritten = attention.kernel === 'eager';
  const [keys, values] = [keyHeads * keyEach, valueHeads * valueEach];
  // Padding is multiplied by 0.
  const read = s.isMasked ? s.scaled(`${id}.unpadded`, x) : x;
  const [mixed, z, update, decay] = drawProducts(s, id, rule, read);
  const shape = [batch, length, 2 * keys + values];
  const weight = [2 * keys + values, 1, positions];
  const flopsEach = 2 * positions;
  const convolved = isWritten
    ? s.part(
        `${id}.cropped`,
        s.composite(`${id}.conv1d`, 'conv1d', [mixed], {
          shape: [batch, length + positions - 1, 2 * keys + values],
          flopsEach,
          needs: [0],
          weight,
        }),
        shape,
      )
    : s.composite(`${id}.conv1d`, 'causal_conv1d_fn', [mixed], { shape, flopsEach, needs: [0], weight });
  const qkv = isWritten ? drawActivation(s, `${id}.conv1d.act`, mlp.activation, convolved) : convolved;
  const perHead = [batch, length, valueHeads];
  const beta = drawSigmoid(s, `${id}.beta`, update);
  const tokens = FLOAT32 * batch * length * valueHeads;
  const isTrained = s.adapters === null;
  // Minus a trained number of each head, times a softplus whose input is float32.
  const g = s.composite(`${id}.decay`, 'softplus', [decay], {
    shape: perHead,
    flopsEach: 4,
    aux: isTrained ? 2 * tokens : tokens,
    fixed: FLOAT32 * valueHeads * (isTrained ? 2 : 1),
    weight: [2, valueHeads],
    element: FLOAT32,
  });
  const inputs = [qkv, beta, g];
  const y = isWritten ? written(s, id, rule, inputs) : fused(s, id, rule, inputs);
  const rows = [batch, length, valueHeads, valueEach];
  const gated = drawOutputGate(s, `${id}.norm`, drawNorm(s, `${id}.norm`, 'rms', y, rows), z);
  const whole = s.part(`${id}.heads`, gated, [batch, length, values]);
  return drawLinear(s, `${id}.out_proj`, s.b.shapeOf(x).at(-1) ?? 0, false, whole);
}

/** Queries, keys and values together; the gate of what is written; how far each position updates, and decays. */
function drawProducts(
  s: Sketch,
  id: string,
  { keyHeads, keyEach, valueHeads, valueEach, joinsProducts }: DeltaRule,
  x: VertexHandle,
): readonly [mixed: VertexHandle, z: VertexHandle, update: VertexHandle, decay: VertexHandle] {
  const values = valueHeads * valueEach;
  const mixed = 2 * keyHeads * keyEach + values;
  const product = (name: string, features: number): VertexHandle =>
    drawLinear(s, `${id}.in_proj_${name}`, features, false, x);
  if (!joinsProducts)
    return [product('qkv', mixed), product('z', values), product('b', valueHeads), product('a', valueHeads)];
  const perToken = (features: number) => [s.batch, s.length, features];
  const all = product('qkvz', mixed + values);
  const both = product('ba', 2 * valueHeads);
  const z = s.part(`${id}.z_part`, all, perToken(values));
  return [
    s.composite(`${id}.qkv`, 'cat', [all], { shape: perToken(mixed) }),
    // The heads of a group lie between its other parts.
    valueHeads === keyHeads ? z : s.composite(`${id}.z`, 'clone', [z], { shape: perToken(values) }),
    s.part(`${id}.b`, both, perToken(valueHeads)),
    s.part(`${id}.a`, both, perToken(valueHeads)),
  ];
}

/** Products within each chunk, and of each chunk with the matrix of those before, for each head and position. */
const flopsOf = ({ keyEach, valueEach }: DeltaRule): number =>
  2 * (CHUNK * (3 * keyEach + 2 * valueEach) + 3 * keyEach * valueEach);

/**
 * The rule in one operation. It keeps copies of queries, keys and values, the first two normalised, with a float32 root of
 * each row, decays summed within each chunk, and the inverse of a matrix of each chunk (fla, ops/gated_delta_rule/chunk.py).
 */
function fused(s: Sketch, id: string, rule: DeltaRule, inputs: readonly VertexHandle[]): VertexHandle {
  const { keyHeads, keyEach, valueHeads, valueEach } = rule;
  const own = 2 * keyHeads * keyEach + valueHeads * (valueEach + CHUNK);
  return s.composite(`${id}.rule`, 'chunk_gated_delta_rule', inputs, {
    shape: [s.batch, s.length, valueHeads, valueEach],
    flopsEach: flopsOf(rule) / valueEach,
    needs: [1],
    aux: s.batch * s.length * (s.element * own + FLOAT32 * (2 * keyHeads + valueHeads)),
  });
}

/**
 * The rule in PyTorch's operations, all of them float32, of which what they keep is counted as one: chunks are padded, and
 * one follows the other.
 */
function written(s: Sketch, id: string, rule: DeltaRule, inputs: readonly VertexHandle[]): VertexHandle {
  const { keyHeads, keyEach, valueHeads, valueEach } = rule;
  const chunks = Math.ceil(s.length / CHUNK);
  const padded = chunks * CHUNK;
  // The last chunk lets go of all that a later one would read.
  const isLong = chunks > 1;
  const copies = s.element < FLOAT32 || keyHeads < valueHeads;
  const ofPositions = 2 + (copies ? 2 * keyEach : 0);
  const ofPadded =
    // Updates; keys, also updated and as read from the matrix, and queries; values, also corrected and as written.
    1 + 4 * keyEach + 3 * valueEach + (isLong ? 2 * keyEach : 0) + 5 * CHUNK + (isLong ? 3 : 2);
  const ofChunks = keyEach * valueEach + (isLong ? 1 : 0);
  const heads = s.batch * valueHeads;
  const y = s.composite(`${id}.rule`, 'chunk_gated_delta_rule', inputs, {
    shape: [s.batch, valueHeads, padded, valueEach],
    flopsEach: flopsOf(rule) / valueEach,
    needs: copies ? [] : [0],
    aux: FLOAT32 * heads * (s.length * ofPositions + padded * ofPadded + chunks * ofChunks),
    fixed: CHUNK ** 2,
    element: FLOAT32,
  });
  return s.composite(`${id}.rule.rows`, 'clone', [y], { shape: [s.batch, s.length, valueHeads, valueEach] });
}

/** Times the silu of a gate, in float32, and cast back. */
function drawOutputGate(s: Sketch, id: string, x: VertexHandle, z: VertexHandle): VertexHandle {
  const shape = s.b.shapeOf(x);
  if (s.element === FLOAT32)
    return s.b.add(`${id}.gated`, MULTIPLY, [
      x,
      drawActivation(s, `${id}.act`, 'silu', s.part(`${id}.z`, z, shape)),
    ]);
  const float32 = s.composite(`${id}.float32`, 'to', [z], { shape, element: FLOAT32 });
  const act = s.composite(`${id}.act`, 'silu', [float32], {
    shape,
    flopsEach: 4,
    needs: [0],
    element: FLOAT32,
  });
  const product = s.composite(`${id}.product`, 'multiply', [x, act], {
    shape,
    flopsEach: 1,
    needs: [0, 1],
    element: FLOAT32,
  });
  return s.composite(`${id}.gated`, 'to', [product], { shape });
}
