import { type LiveModel, liveModel } from '../../engine/strategies/live/live-model.ts';
import { givenOrder } from '../../engine/strategies/live/orders.ts';
import { SearchLimit } from '../../engine/strategies/search-limit.ts';
import { NO_CONTROL, type Problem } from '../../engine/strategies/strategy.ts';
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

/** A search that nothing ends. */
export function unlimited(): SearchLimit {
  return new SearchLimit({}, NO_CONTROL);
}

/** A search whose time is over. */
export function ended(): SearchLimit {
  const search = new SearchLimit({ timeLimitSeconds: 1 }, NO_CONTROL);
  search.look(1e9);
  return search;
}

/** A search that nothing ends, and that counts what it looks at. */
export class CountedSearch extends SearchLimit {
  looks = 0;

  constructor() {
    super({ timeLimitSeconds: 1e6 }, NO_CONTROL);
  }

  override look(looks: number): boolean {
    this.looks += looks;
    return super.look(looks);
  }
}
