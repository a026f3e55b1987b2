import type { VertexHandle } from '../../graph/builder.ts';
import { linear } from '../../ops/make.ts';
import { BYTES_OF_INDEX } from '../../ops/pool.ts';
import { FLOAT32 } from '../../training-memory/element-bytes.ts';
import type { Experts, Mlp } from './model.ts';
import { drawFloat32Softmax, drawGated } from './parts.ts';
import type { Sketch } from './sketch.ts';

/**
 * A gated product of the experts that a router chooses for each token, as transformers runs it by default: tokens are
 * sorted by expert, and one grouped product computes all experts. So what is kept does not depend on the choice.
 */
export function drawExperts(
  s: Sketch,
  id: string,
  mlp: Mlp,
  experts: Experts,
  x: VertexHandle,
): VertexHandle {
  const { inner, activation } = mlp;
  const { count, chosen, weightsInFloat32 } = experts;
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
  return s.composite(`${id}.sum`, 'add', [weighted], {
    shape: [s.batch, s.length, width],
    flopsEach: chosen,
    aux: rows * BYTES_OF_INDEX,
  });
}

/** Shares of the chosen experts, out of a float32 softmax of all. */
function drawRouter(s: Sketch, id: string, experts: Experts, x: VertexHandle): VertexHandle {
  const { count, chosen, normalises, weightsInFloat32 } = experts;
  const tokens = s.batch * s.length;
  const scores = s.b.add(id, linear(count, false), [x]);
  const shares = drawFloat32Softmax(s, `${id}.softmax`, scores);
  return s.composite(`${id}.top`, 'topk', [shares], {
    shape: [s.batch, s.length, chosen],
    flopsEach: 1,
    // Shares before they are made to add up to one, and their sums.
    aux: tokens * (chosen * BYTES_OF_INDEX + (normalises ? FLOAT32 * (chosen + 1) : 0)),
    ...(weightsInFloat32 ? { element: FLOAT32 } : {}),
  });
}
