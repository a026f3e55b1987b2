import { getOrCompute } from '../get-or-compute.ts';
import { type Graph, workOf } from '../graph/graph.ts';
import type { MemoryModel } from '../ops/memory-model.ts';
import { commonDivisor } from '../strategies/search/common-divisor.ts';
import { below, leastBytesOn, leastWorkOn, type Line, upperEnvelope } from './lines.ts';
import { lowerBound } from './lower-bound.ts';
import { withOwnGradients } from './values.ts';
import { type Choice, MomentNetwork } from './moment-network.ts';

/**
 * Bounds of all schedules that the simulator accepts, however often they recompute: plain data, which `leastFraction`
 * and `leastPeak` read.
 */
export interface RecomputeBound {
  /** No peak is lower (lower-bound.ts). */
  readonly floorBytes: number;
  /** Work of one forward: FLOPs, or bytes where a graph has none. */
  readonly forwardWork: number;
  /** Common divisor of the work of all operations; 0 where it is not whole. */
  readonly workUnit: number;
  /** By falling price. */
  readonly lines: readonly Line[];
}

/** Moments looked at: the end of the forward, and steps of backward down to the middle, closer at first. */
const MOMENTS = 8;
/** Prices at the end of the forward, and at each later moment. */
const MAX_PRICES = 40;
const LATER_PRICES = 10;
/** Vertices and edges looked at for all cuts, by which the number of cuts falls on large graphs. */
const MAX_VISITS = 2_000_000;
/** Prices between the least and the most: these factors around the mean. */
const SPAN = 2 ** 14;
/** Prices between two lines are not sought where they could raise the bound by less, as a share of one forward. */
const FINE = 1e-4;

const known = new WeakMap<MemoryModel, RecomputeBound>();

/**
 * A proved lower bound on recompute at every budget, and so on the peak at every recompute: the largest of the lines of
 * moment-network.ts at several moments and prices. Each holds for every schedule, so the largest does.
 *
 * Time some 100 minimum cuts, fewer on graphs of more than 10,000 vertices and edges, once for each memory model; no
 * clock, so the same graph has the same bound.
 */
export function recomputeBound({ graph, memory }: { graph: Graph; memory: MemoryModel }): RecomputeBound {
  return getOrCompute(known, memory, () => search(graph, memory));
}

function search(graph: Graph, model: MemoryModel): RecomputeBound {
  const memory = withOwnGradients(graph, model);
  const work = workOf(graph);
  let once = 0;
  for (let v = 1; v < graph.size; v++) once += work[v]!;
  const lines: Line[] = [];
  const visits = graph.size + graph.edgeCount;
  const cuts = Math.floor(MAX_VISITS / visits);
  if (graph.size > 1 && once > 0 && cuts > 0) {
    const first = pricesAt(
      new MomentNetwork(graph, memory, work, graph.size - 1),
      lines,
      once,
      Math.min(MAX_PRICES, cuts),
    );
    let left = cuts - first.length;
    for (let k = 1; k < MOMENTS && left >= LATER_PRICES; k++, left -= LATER_PRICES) {
      const at = graph.size - 1 - Math.floor((graph.size / 2) * (k / MOMENTS) ** 2);
      if (at < 1 || at === graph.size - 1) continue;
      const network = new MomentNetwork(graph, memory, work, at);
      for (let i = 0; i < LATER_PRICES; i++) {
        lines.push(network.at(first[Math.floor((i * first.length) / LATER_PRICES)]!).line);
      }
    }
  }
  return {
    floorBytes: lowerBound({ graph, memory: model }).bytes,
    forwardWork: once,
    workUnit: work.every((amount) => Number.isInteger(amount)) ? commonDivisor(work.subarray(1)) : 0,
    lines: upperEnvelope(lines),
  };
}

/** The least share of one forward done again within so many bytes; infinite where it is proved that nothing fits. */
export function leastFraction(bound: RecomputeBound, budgetBytes: number): number {
  if (budgetBytes < bound.floorBytes) return Number.POSITIVE_INFINITY;
  let least = 0;
  for (const line of bound.lines) least = Math.max(least, leastWorkOn(line, budgetBytes));
  // Recompute is a multiple of the common divisor of all operations' work.
  const { workUnit } = bound;
  return (workUnit > 0 ? Math.ceil(below(least / workUnit)) * workUnit : least) / (bound.forwardWork || 1);
}

/** The least peak of a schedule that recomputes no more than this share of a forward; whole bytes. */
export function leastPeak(bound: RecomputeBound, recomputeFraction: number): number {
  let least = bound.floorBytes;
  // A little more work can round to the same fraction.
  const work = recomputeFraction * bound.forwardWork * (1 + 2 ** -50);
  for (const line of bound.lines) least = Math.max(least, leastBytesOn(line, work));
  return Math.ceil(least);
}

/** Adds lines at prices chosen so that each raises the bound most, and returns the prices in falling order. */
function pricesAt(network: MomentNetwork, lines: Line[], once: number, most: number): number[] {
  const mean = (network.totalWork || 1) / (network.totalBytes || 1);
  const prices: number[] = [];
  const cut = (price: number): Choice => {
    const { line, choice } = network.at(price);
    prices.push(price);
    lines.push(line);
    return choice;
  };
  const between: [Choice, Choice][] = [[cut(mean * SPAN), cut(mean / SPAN)]];
  for (let i = 0; i < between.length && prices.length < most; i++) {
    const [few, many] = between[i]!;
    if (few.work - many.work <= FINE * once || many.bytes <= few.bytes) continue;
    const price = (few.work - many.work) / (many.bytes - few.bytes);
    const choice = cut(price);
    const gained = few.work + price * few.bytes - (choice.work + price * choice.bytes);
    if (gained > FINE * once) between.push([few, choice], [choice, many]);
  }
  return prices.sort((a, b) => b - a);
}
