import type { Graph } from '../graph/graph.ts';
import { BACKWARD, FORWARD, type Schedule } from '../schedule/schedule.ts';
import { HALF } from './element-bytes.ts';
import { isMixed, keepsGradients, type TrainingSetup, weightBytes } from './setup.ts';
import { shareOf } from './sharding.ts';
import { ownBytes } from './trained-tensors.ts';
import type { Weights } from './weights.ts';

/**
 * Gradients of parameters: freed before the forward, each is there from the backward that first makes it; else all are
 * there, and what a backward makes comes beside them until it is added. Gradients of a shared weight are added into a
 * third, and only then to what is there. Autocast's half gradient of a weight is there with its float32 one while it is cast.
 */
export function fillGradients(
  gradients: Float64Array,
  graph: Graph,
  schedule: Schedule,
  setup: TrainingSetup,
  { tensors, gradients: all }: Weights,
): void {
  const keeps = keepsGradients(setup);
  const mixed = isMixed(setup.precision);
  const element = weightBytes(setup.precision);
  const column = (): Float64Array => new Float64Array(graph.size);
  const [lasting, passing, added] = [column(), column(), column()];
  for (const tensor of tensors.filter(({ isFrozen }) => !isFrozen)) {
    const own = ownBytes(tensor, element) * shareOf(tensor, setup.sharding).gradient;
    // The last user in topological order runs backward first.
    const first = tensor.users.at(-1)!;
    const last = tensor.users[0]!;
    const isShared = first !== last;
    if (isShared || !keeps) lasting[first]! += own;
    else passing[first]! += own;
    if (isShared && keeps) added[last]! += own;
    for (const v of tensor.users) {
      if (v !== first) passing[v]! += 2 * own;
      if (mixed && tensor.halved) passing[v]! += tensor.elements * HALF;
    }
  }
  let held = keeps ? all : 0;
  schedule.kinds.forEach((kind, t) => {
    const v = schedule.vertices[t] ?? 0;
    if (kind === BACKWARD) held += lasting[v]!;
    gradients[t] = held + (kind === BACKWARD ? passing[v]! : 0);
    if (kind === BACKWARD) held -= added[v]!;
  });
  gradients[gradients.length - 2] = keeps ? all : 0;
  gradients[gradients.length - 1] = all;
}

/**
 * A loss in chunks computes the gradient of its weight in its forward pass; it is that of the parameter from the
 * backward on. Its scores are there while it runs.
 */
export function addChunkedLoss(
  workspace: Float64Array,
  gradients: Float64Array,
  graph: Graph,
  schedule: Schedule,
  { precision }: TrainingSetup,
  { tensors }: Weights,
): void {
  const { chunkedLoss } = graph;
  if (chunkedLoss === undefined) return;
  const target = graph.size - 1;
  const own = tensors.filter(({ isFrozen, users }) => !isFrozen && users.includes(target));
  const bytes = own.reduce((sum, tensor) => sum + ownBytes(tensor, weightBytes(precision)), 0);
  let early = 0;
  schedule.kinds.forEach((kind, t) => {
    if (schedule.vertices[t] === target && kind === FORWARD) {
      early = bytes;
      workspace[t]! += chunkedLoss.workBytes;
    }
    if (schedule.vertices[t] === target && kind === BACKWARD) early = 0;
    gradients[t]! += early;
  });
  gradients[gradients.length - 2]! += bytes;
}

/** A product of quantised weights unpacks its own, forward and, where its input has a gradient, backward. */
export function addUnpacked(workspace: Float64Array, { frozen }: Graph, schedule: Schedule): void {
  if (frozen === undefined) return;
  schedule.kinds.forEach((kind, t) => {
    const v = schedule.vertices[t] ?? 0;
    if (kind === FORWARD || (kind === BACKWARD && frozen.outputs[v] === 0))
      workspace[t]! += frozen.unpackedBytes[v] ?? 0;
  });
}

/**
 * Autocast's copies of weights: all until backward begins, each until the backward of its first user, which is the last
 * of them to run, and none when the optimizer steps. A plan that drops what lies between checkpoints holds fewer.
 */
export function fillCopies(
  copies: Float64Array,
  graph: Graph,
  schedule: Schedule,
  { tensors, copies: all }: Weights,
): void {
  if (all === 0) return;
  const done = new Float64Array(graph.size);
  for (const { users, halved, elements } of tensors) if (halved) done[users[0]!]! += elements * HALF;
  let held = all;
  schedule.kinds.forEach((kind, t) => {
    // Gone before its half gradient is cast, which is when the step holds the most.
    if (kind === BACKWARD) held -= done[schedule.vertices[t] ?? 0]!;
    copies[t] = held;
  });
  copies[copies.length - 2] = all;
}
