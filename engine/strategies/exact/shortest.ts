import { Heap } from '../../heap.ts';
import type { SearchLimit } from '../search/search-limit.ts';
import { StateIndex } from './state-index.ts';
import type { StepGraph } from './step-graph.ts';
import { BACKWARD_STEP, START, type State, type Steps } from './steps.ts';

/** Work per state. */
export const STATE_LOOKS = 300;
/** A backward counts more than all forwards, so that of equals the one that is further goes on. */
const FURTHER = 1 << 12;

export interface Wanted {
  /** Quantity to minimize: the largest live size on the way, or the forward work. */
  readonly least: 'peak' | 'work';
  /** Steps of more live bytes are left out. */
  readonly limit: number;
  /** Costs of this and more are not sought. */
  readonly below: number;
  /** Peaks up to this are as good as any. */
  readonly floor: number;
  /** Backwards within this go at once: the peak so far, or for the least work the limit, when absent. */
  readonly calm?: number;
  /** Lower bound on the rest of the way from a state; infinity when it has no end. Zero when absent. */
  readonly toGo?: (state: State) => number;
}

export interface Found {
  /** Vertex of each forward; vertex + BACKWARD_STEP of each backward. Null where nothing is below the bound. */
  readonly steps: readonly number[] | null;
  readonly cost: number;
}

/**
 * The cheapest way from the start to the end: A*, over states that have no memory of how they were reached.
 *
 * @param mostStates gives up beyond; also where the search may not go on
 * @returns null where it gave up
 */
export function shortest(
  graph: StepGraph,
  steps: Steps,
  wanted: Wanted,
  search: SearchLimit,
  mostStates: number,
): Found | null {
  const { least, limit, below, floor, calm, toGo } = wanted;
  const index = new StateIndex();
  const states: State[] = [];
  const cost: number[] = [];
  const depth: number[] = [];
  const from: number[] = [];
  const by: number[] = [];
  // Costs of states change, so the heap orders immutable entries.
  const entered: { state: number; cost: number; estimate: number; depth: number }[] = [];
  const heap = new Heap<number>((a, b) => {
    const [one, other] = [entered[a]!, entered[b]!];
    return one.estimate < other.estimate || (one.estimate === other.estimate && one.depth > other.depth);
  });
  const offer = (state: State, reached: number, parent: number, step: number): void => {
    const i = index.add(steps.keyOf(state));
    if (i === states.length) states.push(state);
    else if (reached >= cost[i]!) return;
    cost[i] = reached;
    depth[i] = parent < 0 ? 0 : depth[parent]! + (step >= BACKWARD_STEP ? FURTHER : 1);
    from[i] = parent;
    by[i] = step;
    const rest = toGo?.(state) ?? 0;
    const whole = least === 'peak' ? Math.max(reached, rest) : reached + rest;
    if (whole >= below) return;
    entered.push({ state: i, cost: reached, estimate: whole, depth: depth[i]! });
    heap.push(entered.length - 1);
  };
  offer(START, least === 'peak' ? Math.max(floor, graph.sourceBytes) : 0, -1, 0);
  for (let entry = heap.pop(); entry !== undefined; entry = heap.pop()) {
    const { state: i, cost: reached } = entered[entry]!;
    // A cheaper way there was found meanwhile.
    if (cost[i]! < reached) continue;
    const state = states[i]!;
    if (state.done === graph.all) {
      const path: number[] = [];
      for (let at = i; from[at]! >= 0; at = from[at]!) path.push(by[at]!);
      return { steps: path.reverse(), cost: cost[i]! };
    }
    if (states.length > mostStates || search.look(STATE_LOOKS)) return null;
    const within = least === 'peak' ? Math.min(limit, below - 1e-9) : limit;
    steps.next(state, within, calm ?? (least === 'peak' ? reached : limit), (next, step, held, work) => {
      offer(next, least === 'peak' ? Math.max(reached, held) : reached + work, i, step);
    });
  }
  return { steps: null, cost: below };
}
