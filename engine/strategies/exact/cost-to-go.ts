import { Heap } from '../../heap.ts';
import { sortByKey } from '../../typed-arrays.ts';
import type { SearchLimit } from '../search/search-limit.ts';
import { STATE_LOOKS } from './shortest.ts';
import { StateIndex } from './state-index.ts';
import type { StepGraph } from './step-graph.ts';
import { START, type State, Steps } from './steps.ts';

/**
 * Cost of the rest of the way from every state that can be reached within a limit, however often vertices are
 * forwarded: a lower bound for searches that count forwards.
 */
export class CostToGo {
  readonly #steps: Steps;
  readonly #index = new StateIndex();
  readonly #ends: number[] = [];
  /** Edges, by what they lead to after `#sort`. */
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #bytes: number[] = [];
  readonly #work: number[] = [];
  #offsets = new Int32Array(0);
  #sorted = new Int32Array(0);

  private constructor(graph: StepGraph) {
    this.#steps = new Steps(graph, false);
  }

  /**
   * @param calm backwards within this go at once; those who ask must let the same go
   * @returns null where there are more states than that, or where the search may not go on
   */
  static within(
    graph: StepGraph,
    limit: number,
    calm: number,
    search: SearchLimit,
    mostStates: number,
  ): CostToGo | null {
    const table = new CostToGo(graph);
    const states: State[] = [START];
    const index = table.#index;
    const steps = table.#steps;
    index.add(steps.keyOf(START));
    for (let i = 0; i < states.length; i++) {
      const state = states[i]!;
      if (states.length > mostStates || search.look(STATE_LOOKS)) return null;
      if (state.done === graph.all) {
        table.#ends.push(i);
        continue;
      }
      steps.next(state, limit, calm, (next, _step, held, work) => {
        const to = index.add(steps.keyOf(next));
        if (to === states.length) states.push(next);
        table.#from.push(i);
        table.#to.push(to);
        table.#bytes.push(held);
        table.#work.push(work);
      });
    }
    table.#sort();
    return table;
  }

  /** By state; infinity where the end is out of reach. */
  least(what: 'peak' | 'work'): (state: State) => number {
    const count = this.#index.size;
    const cost = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    const entered: { state: number; cost: number }[] = [];
    const heap = new Heap<number>((a, b) => entered[a]!.cost < entered[b]!.cost);
    const offer = (state: number, reached: number): void => {
      if (reached >= cost[state]!) return;
      cost[state] = reached;
      entered.push({ state, cost: reached });
      heap.push(entered.length - 1);
    };
    for (const end of this.#ends) offer(end, 0);
    for (let entry = heap.pop(); entry !== undefined; entry = heap.pop()) {
      const { state: i, cost: sofar } = entered[entry]!;
      if (cost[i]! < sofar) continue;
      for (let k = this.#offsets[i]!; k < this.#offsets[i + 1]!; k++) {
        const edge = this.#sorted[k]!;
        const held = this.#bytes[edge]!;
        offer(this.#from[edge]!, what === 'peak' ? Math.max(sofar, held) : sofar + this.#work[edge]!);
      }
    }
    return (state) => {
      const i = this.#index.find(this.#steps.keyOf(state, false));
      return i < 0 ? Number.POSITIVE_INFINITY : cost[i]!;
    };
  }

  #sort(): void {
    const { sorted, offsets } = sortByKey(Int32Array.from(this.#to), this.#index.size);
    this.#sorted = sorted;
    this.#offsets = offsets;
  }
}
