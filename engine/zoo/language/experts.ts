import type { VertexHandle } from '../../graph/builder.ts';
import { ADD, linear } from '../../ops/make.ts';
import { BYTES_OF_INDEX } from '../../ops/pool.ts';
import { FLOAT32 } from '../../training-memory/element-bytes.ts';
import type { Experts, Mlp } from './model.ts';
import { drawFloat32Softmax, drawGated, drawMlp } from './parts.ts';
import type { Sketch } from './sketch.ts';

/**
 * A gated product of the experts that a router chooses for each token, as transformers runs it by default: tokens are
 * sorted by expert, and one grouped product computes all experts. So what is kept does not depend on the choice. A shared
 * network's output is added.
 */
export function drawExperts(
  s: Sketch,
  id: string,
  mlp: Mlp,
  experts: Experts,
  x: VertexHandle,
): VertexHandle {
  const { inner, activation } = mlp;
  const { count, chosen, weightsInFloat32, shared } = experts;
  const width = s.b.shapeOf(x).at(-1) ?? 0;
  const rows = s.batch * s.length * chosen;
  const weightBytes = weightsInFloat32 ? FLOAT32 : s.element;
  const weights = drawRouter(s, `${id}.gate`, experts, x);
  const sorted = s.composite(`${id}.sorted`, 'index', [x], {
    shape: [rows, width],
    aux: rows * BYTES_OF_INDEX,
  });
  const product = (name: string, from: VertexHandle, read: number, written: number): VertexHandle =>
    s.composite(`${id}.${name}`, 'mm', [from], {
      shape: [rows, written],
      flopsEach: 2 * read,
      needs: [0],
      // The end of each expert's rows, which both products read.
      fixed: name === 'gate_up_proj' ? count * FLOAT32 : 0,
      parameters: count * read * written,
    });
  const both = product('gate_up_proj', sorted, width, 2 * inner);
  const gate = s.part(`${id}.gate_half`, both, [rows, inner]);
  const up = s.part(`${id}.up_half`, both, [rows, inner]);
  const down = product('down_proj', drawGated(s, id, activation, gate, up), inner, width);
  const weighted = s.composite(`${id}.weighted`, 'multiply', [down, weights], {
    shape: [rows, width],
    flopsEach: 1,
    needs: [0],
    aux: rows * (weightBytes + BYTES_OF_INDEX),
    element: weightBytes,
  });
  const sum = s.composite(`${id}.sum`, 'add', [weighted], {
    shape: [s.batch, s.length, width],
    flopsEach: chosen,
    aux: rows * BYTES_OF_INDEX,
  });
  if (shared === 0) return sum;
  return s.b.add(`${id}.both`, ADD, [sum, drawMlp(s, `${id}.shared_experts`, { ...mlp, inner: shared }, x)]);
}

/** Shares of the chosen experts, out of a softmax or sigmoid of all, in float32. */
function drawRouter(s: Sketch, id: string, experts: Experts, x: VertexHandle): VertexHandle {
  const { count, chosen, normalises, weightsInFloat32, scores, keepsMask } = experts;
  const tokens = s.batch * s.length;
  const product =
    scores === 'softmax' ? s.b.add(id, linear(count, false), [x]) : drawFloat32Product(s, id, count, x);
  const shares =
    scores === 'float32-sigmoid'
      ? s.composite(`${id}.sigmoid`, 'sigmoid', [product], {
          shape: s.b.shapeOf(product),
          flopsEach: 1,
          needsOutput: true,
          element: FLOAT32,
        })
      : drawFloat32Softmax(s, `${id}.softmax`, product);
  return s.composite(`${id}.top`, 'topk', [shares], {
    shape: [s.batch, s.length, chosen],
    flopsEach: 1,
    // Shares before they are made to add up to one, and their sums.
    aux:
      tokens *
      (chosen * BYTES_OF_INDEX + (normalises ? FLOAT32 * (chosen + 1) : 0) + (keepsMask ? count : 0)),
    ...(weightsInFloat32 ? { element: FLOAT32 } : {}),
  });
}

/** A product in float32 whatever the type: a half network keeps float32 copies of input and weight. */
function drawFloat32Product(s: Sketch, id: string, features: number, x: VertexHandle): VertexHandle {
  const [batch = 1, length = 1, width = 1] = s.b.shapeOf(x);
  const isHalf = s.element < FLOAT32;
  return s.composite(id, 'linear', [x], {
    shape: [batch, length, features],
    flopsEach: 2 * width,
    needs: isHalf ? [] : [0],
    aux: isHalf ? FLOAT32 * batch * length * width : 0,
    fixed: isHalf ? FLOAT32 * features * width : 0,
    parameters: features * width,
    element: FLOAT32,
  });
}
