import { lowerBound } from '../../bounds/lower-bound.ts';
import type { KnownPlans, Source } from './known-plans.ts';
import { type Peer, peersOf } from './peer-plans.ts';

/** Questions to a peer that takes budgets for the least that it can do with: long steps down, then so many of a byte. */
const STEPS_DOWN = 20;
/** Long steps are these parts of the way to the lower bound: shorter ones where the peer runs out of memory. */
const LONGEST_STEP = 4;
const SHORTEST_STEP = 64;

/** The planner's questions to other strategies. Each is asked once, and its plans go to those that are known. */
export class PeerQuestions {
  readonly #known: KnownPlans;
  readonly #peers: readonly Peer[];
  /** Peers that take a budget, cheapest first. */
  readonly takers: readonly Peer[];

  /** @param seed of strategies that draw */
  constructor(known: KnownPlans, seed: number) {
    this.#known = known;
    this.#peers = peersOf(known.problem, seed, known.search);
    this.takers = this.#peers.filter(({ takesBudget }) => takesBudget);
  }

  ask(peer: Peer, budget: number): void {
    this.#known.once(`${this.#peers.indexOf(peer)} at ${budget}`, () => {
      const found = peer.within(budget);
      if (found !== null) this.#known.front.add(found);
    });
  }

  /** Peers that take no budget. */
  quick(): Source[] {
    return this.#peers.flatMap((peer, i) => (peer.takesBudget ? [] : [this.#all(`peer ${i}`, peer)]));
  }

  /** Peers that take a budget, at budgets of their own choice. */
  takersOwn(): Source[] {
    return this.takers.map((peer, i) => this.#all(`taker ${i}`, peer));
  }

  #all(name: string, peer: Peer): Source {
    return () => this.#known.once(name, () => this.#known.offerSchedules(peer.all()));
  }

  /** Asks the peers that take a budget for the least that they can do with, below the least that is known. */
  descend(): void {
    for (const peer of this.takers) this.#descend(peer);
  }

  #descend(peer: Peer): void {
    const { front, problem } = this.#known;
    const least = peer.least();
    if (least !== null) front.add(least);
    const bound = lowerBound(problem).bytes;
    for (let share = LONGEST_STEP; share <= SHORTEST_STEP; ) {
      const { peakBytes } = front.lowest!;
      const below = peakBytes - Math.floor((peakBytes - bound) / share);
      if (below === peakBytes) break;
      if (this.#known.isOver(share, SHORTEST_STEP)) return;
      this.ask(peer, below);
      if (front.lowest!.peakBytes > below) share *= 2;
    }
    for (let i = 0; i < STEPS_DOWN; i++) {
      if (this.#known.isOver(i, STEPS_DOWN)) return;
      const { peakBytes } = front.lowest!;
      this.ask(peer, peakBytes - 1);
      if (front.lowest!.peakBytes === peakBytes) return;
    }
  }
}
