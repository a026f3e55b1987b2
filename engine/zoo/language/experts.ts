import type { VertexHandle } from '../../graph/builder.ts';
import type { Shape } from '../../ops/definition.ts';
import { ADD, linear, MULTIPLY, SOFTMAX } from '../../ops/make.ts';
import { BYTES_OF_INDEX } from '../../ops/pool.ts';
import { elementsOf } from '../../ops/shape.ts';
import { FLOAT32 } from '../../training-memory/element-bytes.ts';
import { drawLinear, drawMergedWeight } from './adapters.ts';
import type { Experts, Mlp } from './model.ts';
import { drawFloat32Softmax, drawGated, drawMlp, drawSigmoid } from './parts.ts';
import type { Composite, Sketch } from './sketch.ts';

/** The experts of a layer, and a shared network whose output is added. */
export function drawExperts(
  s: Sketch,
  id: string,
  mlp: Mlp,
  experts: Experts,
  x: VertexHandle,
): VertexHandle {
  const { shared, gatesShared, computesAll } = experts;
  const sum = computesAll ? drawAll(s, id, mlp, experts, x) : drawChosen(s, id, mlp, experts, x);
  if (shared === 0) return sum;
  const all = drawMlp(s, `${id}.shared_experts`, { ...mlp, inner: shared }, x);
  return s.b.add(`${id}.both`, ADD, [sum, gatesShared ? drawSharedGate(s, id, x, all) : all]);
}

/** The shared network's output times a sigmoid of one score of each token. */
function drawSharedGate(s: Sketch, id: string, x: VertexHandle, all: VertexHandle): VertexHandle {
  const score = drawLinear(s, `${id}.shared_expert_gate`, 1, false, x);
  const gate = drawSigmoid(s, `${id}.shared_expert_gate.sigmoid`, score);
  return s.composite(`${id}.shared_experts.weighted`, 'multiply', [all, gate], {
    shape: s.b.shapeOf(all),
    flopsEach: 1,
    needs: [0, 1],
  });
}

/** The experts that a router chooses for each token, of which other GPUs may have some. */
function drawChosen(s: Sketch, id: string, mlp: Mlp, experts: Experts, x: VertexHandle): VertexHandle {
  const weights = drawRouter(s, `${id}.gate`, experts, x);
  return s.expertRanks === 1
    ? drawSorted(s, id, mlp, experts, x, weights)
    : drawDispatched(s, id, mlp, experts, x, weights);
}

/**
 * Experts divided among GPUs (Lepikhin et al. 2021), as AllToAllEP of transformers runs them: each token goes to
 * the GPUs of its experts, which treat it as one of an expert alone and of weight 1, and what they made comes back to be
 * weighted. Tokens are counted as spread evenly.
 */
function drawDispatched(
  s: Sketch,
  id: string,
  mlp: Mlp,
  experts: Experts,
  x: VertexHandle,
  weights: VertexHandle,
): VertexHandle {
  const { chosen, weightsInFloat32 } = experts;
  const width = s.b.shapeOf(x).at(-1) ?? 0;
  const rows = s.batch * s.length * chosen;
  const element = weightsInFloat32 ? FLOAT32 : s.element;
  const sent = s.composite(`${id}.sent`, 'index', [x], { shape: [rows, width], aux: rows * BYTES_OF_INDEX });
  const received = s.exchanged(`${id}.received`, sent);
  const own = { ...experts, count: experts.count / s.expertRanks };
  const made = drawSorted(s, id, mlp, own, received, null);
  const returned = s.exchanged(`${id}.returned`, made);
  const placed = s.composite(`${id}.placed`, 'index_put', [returned], {
    shape: [rows, width],
    aux: rows * BYTES_OF_INDEX,
  });
  const weighted = s.composite(`${id}.shares`, 'multiply', [placed, weights], {
    shape: [rows, width],
    flopsEach: 1,
    needs: [0, 1],
    element,
  });
  return s.composite(`${id}.output`, 'sum', [weighted], {
    shape: [s.batch, s.length, width],
    flopsEach: chosen,
  });
}

/**
 * A gated product of the chosen experts, as transformers runs it by default: tokens are sorted by expert, and one grouped
 * product computes all experts. So what is kept does not depend on the choice.
 *
 * @param weights of each token's experts; null for tokens that other GPUs sent, each for one expert, whose weight is 1
 */
function drawSorted(
  s: Sketch,
  id: string,
  { inner, activation }: Mlp,
  { count, chosen: asked, weightsInFloat32, isBounded }: Experts,
  x: VertexHandle,
  weights: VertexHandle | null,
): VertexHandle {
  const shape = s.b.shapeOf(x);
  const width = shape.at(-1) ?? 0;
  const chosen = weights === null ? 1 : asked;
  const rows = (elementsOf(shape) / width) * chosen;
  const element = weights !== null && weightsInFloat32 ? FLOAT32 : s.element;
  // A mask of rows for no expert of this GPU is kept with the rows that were sent.
  const sorted = s.composite(`${id}.sorted`, 'index', [x], {
    shape: [rows, width],
    aux: rows * (BYTES_OF_INDEX + (weights === null ? 1 : 0)),
  });
  /** Adds in place the bias of each row's expert. */
  const withBias = (name: string, y: VertexHandle, written: number, of: VertexHandle): VertexHandle => {
    const shape = [rows, written];
    // Both biases are looked up by the same numbers of experts.
    const aux = name === 'gate_up_proj' && s.adapters === null ? rows * BYTES_OF_INDEX : 0;
    const bias = s.composite(`${id}.${name}_bias`, 'index', [of], { shape, aux, weight: [count, written] });
    return s.inPlace(`${id}.${name}.biased`, 'add', y, bias);
  };
  const product = (name: string, from: VertexHandle, read: number, written: number): VertexHandle => {
    const isFirst = name === 'gate_up_proj';
    // An adapter of two products in one has twice the rank.
    const weight = expertWeight(s, `${id}.${name}`, [count, written, read], isFirst ? 2 : 1, from);
    const made = s.composite(`${id}.${name}`, 'mm', [from, ...weight.inputs], {
      shape: [rows, written],
      flopsEach: 2 * read,
      ...weight.figures,
      // The end of each expert's rows, which both products read.
      fixed: isFirst ? count * FLOAT32 : 0,
    });
    if (weights !== null) return isBounded ? withBias(name, made, written, weights) : made;
    return s.composite(`${id}.${name}.masked`, 'masked_fill', [made], { shape: [rows, written] });
  };
  const both = product('gate_up_proj', sorted, width, 2 * inner);
  const gate = s.part(`${id}.gate_half`, both, [rows, inner]);
  const up = s.part(`${id}.up_half`, both, [rows, inner]);
  const gated = isBounded ? drawBoundedGate(s, id, gate, up) : drawGated(s, id, activation, gate, up);
  const down = product('down_proj', gated, inner, width);
  const weighted = s.composite(`${id}.weighted`, 'multiply', weights === null ? [down] : [down, weights], {
    shape: [rows, width],
    flopsEach: 1,
    needs: weights === null ? [] : [0],
    aux: rows * (element + (weights === null ? 0 : BYTES_OF_INDEX)),
    element,
  });
  return s.composite(`${id}.sum`, 'add', [weighted], {
    shape,
    flopsEach: chosen,
    aux: rows * BYTES_OF_INDEX,
  });
}

/** GPT-OSS's gate: both halves bounded, x times a sigmoid of it, times one more than the other half. */
function drawBoundedGate(s: Sketch, id: string, gate: VertexHandle, up: VertexHandle): VertexHandle {
  const shape = s.b.shapeOf(gate);
  const step = (name: string, label: string, x: VertexHandle, more: Partial<Composite> = {}) =>
    s.composite(`${id}.${name}`, label, [x], { shape, flopsEach: 1, ...more });
  const bounded = step('gate_bounded', 'clamp', gate, { needs: [0] });
  const sigmoid = drawSigmoid(s, `${id}.gate_sigmoid`, s.scaled(`${id}.gate_scaled`, bounded));
  const act = s.b.add(`${id}.act`, MULTIPLY, [bounded, sigmoid]);
  const more = step('up_plus_one', 'add', step('up_bounded', 'clamp', up, { needs: [0] }));
  return s.b.add(`${id}.gated`, MULTIPLY, [more, act]);
}

/**
 * A gated product of all experts for all tokens, as transformers trains Llama 4: tokens are repeated for each expert and
 * multiplied by the sigmoid of its score, which is 0 for experts that the router did not choose.
 */
function drawAll(s: Sketch, id: string, mlp: Mlp, experts: Experts, x: VertexHandle): VertexHandle {
  const { inner, activation } = mlp;
  const { count, chosen } = experts;
  const width = s.b.shapeOf(x).at(-1) ?? 0;
  const tokens = s.batch * s.length;
  const perExpert = (features: number) => [count, tokens, features];
  const scores = s.b.add(`${id}.gate`, linear(count, false), [x]);
  const shape = s.b.shapeOf(scores);
  const best = s.composite(`${id}.gate.top`, 'topk', [scores], {
    shape,
    flopsEach: 1,
    aux: tokens * chosen * BYTES_OF_INDEX,
  });
  const shares = drawFloat32Sigmoid(s, `${id}.gate.sigmoid`, best);
  const columns = s.composite(`${id}.gate.shares`, 'clone', [shares], { shape: perExpert(1) });
  const repeated = s.composite(`${id}.repeated`, 'repeat', [x], { shape: perExpert(width) });
  const routed = s.composite(`${id}.routed`, 'multiply', [repeated, columns], {
    shape: perExpert(width),
    flopsEach: 1,
    needs: [0, 1],
  });
  const product = (name: string, from: VertexHandle, read: number, written: number): VertexHandle =>
    s.composite(`${id}.${name}`, 'bmm', [from], {
      shape: perExpert(written),
      flopsEach: 2 * read,
      needs: s.needsForWeight(0),
      weight: [count, written, read],
    });
  const both = product('gate_up_proj', routed, width, 2 * inner);
  const gate = s.part(`${id}.gate_half`, both, perExpert(inner));
  const up = s.part(`${id}.up_half`, both, perExpert(inner));
  const down = product('down_proj', drawGated(s, id, activation, gate, up), inner, width);
  return s.composite(`${id}.sum`, 'add', [down], { shape: [s.batch, s.length, width], flopsEach: count });
}

type Weighted = Pick<Composite, 'weight'> & Required<Pick<Composite, 'needs'>>;

/** The weight that a product multiplies by: its own, or one with adapters added, which backward needs with the input. */
function expertWeight(
  s: Sketch,
  id: string,
  weight: Shape,
  ranks: number,
  from: VertexHandle,
): { readonly inputs: readonly VertexHandle[]; readonly figures: Weighted } {
  const { adapters } = s;
  if (adapters?.ofExperts !== true) return { inputs: [], figures: { needs: s.needsForWeight(0), weight } };
  const merged = drawMergedWeight(s, id, weight, ranks * adapters.rank, from);
  return { inputs: [merged], figures: { needs: [0, 1] } };
}

/** Shares of the chosen experts, out of a softmax or sigmoid of all, in float32. */
function drawRouter(s: Sketch, id: string, experts: Experts, x: VertexHandle): VertexHandle {
  const { count, chosen, normalises, weightsInFloat32, scores, keepsMask, isBounded } = experts;
  const tokens = s.batch * s.length;
  if (scores === 'softmax-of-chosen') {
    const all = s.b.add(id, linear(count, isBounded), [x]);
    const shape = [s.batch, s.length, chosen];
    const aux = tokens * chosen * BYTES_OF_INDEX;
    return s.b.add(`${id}.softmax`, SOFTMAX, [s.composite(`${id}.top`, 'topk', [all], { shape, aux })]);
  }
  const product = scores === 'softmax' ? drawProduct(s, id, count, x) : drawFloat32Product(s, id, count, x);
  const shares =
    scores === 'float32-sigmoid'
      ? drawFloat32Sigmoid(s, `${id}.sigmoid`, product)
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

const drawFloat32Sigmoid = (s: Sketch, id: string, x: VertexHandle): VertexHandle =>
  s.composite(id, 'sigmoid', [x], {
    shape: s.b.shapeOf(x),
    flopsEach: 1,
    needsOutput: true,
    element: FLOAT32,
  });

function drawProduct(s: Sketch, id: string, features: number, x: VertexHandle): VertexHandle {
  const [batch = 1, length = 1, width = 1] = s.b.shapeOf(x);
  const { inputs, figures } = expertWeight(s, id, [features, width], 1, x);
  if (inputs.length === 0) return s.b.add(id, linear(features, false), [x]);
  const shape = [batch, length, features];
  return s.composite(id, 'linear', [x, ...inputs], { shape, flopsEach: 2 * width, ...figures });
}

/** A product in float32 whatever the type: a half network keeps float32 copies of input and weight. */
function drawFloat32Product(s: Sketch, id: string, features: number, x: VertexHandle): VertexHandle {
  const [batch = 1, length = 1, width = 1] = s.b.shapeOf(x);
  const isHalf = s.element < FLOAT32;
  const { inputs, figures } = expertWeight(s, id, [features, width], 1, x);
  return s.composite(id, 'linear', [x, ...inputs], {
    shape: [batch, length, features],
    flopsEach: 2 * width,
    ...figures,
    ...(isHalf ? { needs: [] } : {}),
    aux: isHalf && figures.needs.length > 0 ? FLOAT32 * batch * length * width : 0,
    fixed: isHalf ? FLOAT32 * features * width : 0,
    element: FLOAT32,
  });
}
