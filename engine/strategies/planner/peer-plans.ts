import { InfeasibleError } from '../../errors.ts';
import type { Schedule } from '../../schedule/schedule.ts';
import { type Candidate, judge } from '../search/candidate.ts';
import type { SearchLimit } from '../search/search-limit.ts';
import {
  type Control,
  isTold,
  type OpenSource,
  type PlanSource,
  type Problem,
  type Strategy,
  type StrategyOptions,
} from '../strategy/strategy.ts';
import { PEERS } from './peers.ts';

/** Source of a strategy that states none: milliseconds on the largest networks of the zoo. */
const UNSTATED: PlanSource = { maxVertices: 2000, looks: (vertices) => 5000 * vertices };

/** Ends a peer's work where the limit is reached. */
class LimitReached extends Error {}

/** A strategy that may be asked for plans of one problem. */
export interface Peer {
  readonly takesBudget: boolean;
  /** Work of one question, about. */
  readonly looks: number;
  /** Its schedule, within a budget where it takes one; null where it has none or the limit ended its search. */
  within(budgetBytes: number): Schedule | null;
  /** Its schedules for budgets of its own choice; where it takes none, that one. */
  all(): readonly Schedule[];
  /** Its schedule of least peak, where it says one. */
  least(): Schedule | null;
}

/** The peers that may be asked on a graph of this size, cheapest first. */
export function peersOf(problem: Problem, seed: number, search: SearchLimit): Peer[] {
  const { size } = problem.graph;
  const control: Control = {
    tick: () => {
      if (search.poll()) throw new LimitReached();
    },
  };
  return PEERS.filter(
    (strategy) =>
      strategy.needsMilpSolver === undefined &&
      isTold(strategy, { seed }) &&
      size <= (strategy.asSource ?? UNSTATED).maxVertices,
  )
    .map((strategy): Peer => {
      const looks = (strategy.asSource ?? UNSTATED).looks(size);
      const opened = openedOf(strategy, problem, seed);
      const ask = (question: () => Schedule | null): Schedule | null => {
        if (search.look(looks)) return null;
        try {
          return question();
        } catch (error) {
          if (error instanceof InfeasibleError || error instanceof LimitReached) return null;
          throw error;
        }
      };
      return {
        takesBudget: strategy.reads.budgetBytes !== undefined,
        looks,
        within: (budgetBytes) => ask(() => opened().within(budgetBytes, control)),
        least: () => ask(() => opened().least?.(control) ?? null),
        all() {
          const found: Schedule[] = [];
          ask(() => {
            for (const schedule of opened().all(control)) found.push(schedule);
            return null;
          });
          return found;
        },
      };
    })
    .sort((a, b) => a.looks - b.looks);
}

/** Plans of the strategies that take no budget, judged. */
export function quickPlans(problem: Problem, seed: number, search: SearchLimit): Candidate[] {
  return peersOf(problem, seed, search).flatMap((peer) =>
    peer.takesBudget ? [] : peer.all().map((schedule) => judge(problem, schedule)),
  );
}

/** The source of a strategy, opened when it is first asked. */
function openedOf({ asSource, reads, plan }: Strategy, problem: Problem, seed: number): () => OpenSource {
  const asked = (options: StrategyOptions, control: Control): Schedule | null => {
    const found = plan(problem, options, control);
    return found.applicable ? found.schedule : null;
  };
  const own = (control: Control): Schedule[] => {
    const found = asked({ seed }, control);
    return found === null ? [] : [found];
  };
  const plain: OpenSource = {
    within: (budgetBytes, control) =>
      asked(reads.budgetBytes === undefined ? { seed } : { seed, budgetBytes }, control),
    all: () => [],
  };
  let opened: OpenSource | undefined;
  return () => {
    opened ??= asSource?.open?.(problem) ?? plain;
    const source = opened;
    return {
      within: (budgetBytes, control) => source.within(budgetBytes, control),
      // One by one: the limit keeps what was found before it.
      *all(control) {
        yield* own(control);
        yield* source.all(control);
      },
      ...(source.least === undefined ? {} : { least: (control) => source.least!(control) }),
    };
  };
}
