import { ByteCurve } from '../../engine/strategies/search/byte-curve.ts';
import { type LiveModel, liveModel } from '../../engine/strategies/search/live-model.ts';
import { givenOrder } from '../../engine/strategies/search/orders.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import { measuredProblem } from './measured-graphs.ts';

/** The model of a problem under the order in which its graph was built. */
export function modelOf({ graph, memory }: Problem): LiveModel {
  return liveModel(graph, memory, givenOrder(graph));
}

/** A chain of tensors with these bytes and FLOPs, the source's first. */
export function workChain(bytes: readonly number[], flops: readonly number[]): Problem {
  return measuredProblem(
    bytes.map((held, v) => ({ bytes: held, flops: flops[v] ?? 0, inputs: v === 0 ? [] : [v - 1] })),
  );
}

/** Curve of an encoding, with its peak and its work. */
export function curveOf(problem: Problem, keep: Iterable<number>): ByteCurve {
  const curve = new ByteCurve(modelOf(problem), Int32Array.from(keep));
  curve.measure(0);
  return curve;
}
