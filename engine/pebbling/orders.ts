import type { Graph } from '../graph/graph.ts';
import type { MemoryModel } from '../ops/memory-model.ts';
import { alapOrder, asapOrder, givenOrder } from './level-orders.ts';
import { liuOrder } from './liu-order.ts';
import { recomputeOrder } from './recompute-order.ts';

/** The orders in which a forward can be run, by name. */
export const PEBBLE_ORDERS = ['given', 'asap', 'alap', 'liu', 'recompute'] as const;
export type PebbleOrder = (typeof PEBBLE_ORDERS)[number];

export const ORDER_TITLES: Readonly<Record<PebbleOrder, string>> = {
  given: 'As written',
  asap: 'As soon as possible',
  alap: 'As late as possible',
  liu: 'Liu, optimal for trees',
  recompute: 'With recompute, least',
};

/** The order by its name, or why the graph has none. */
export function orderOf(graph: Graph, memory: MemoryModel, name: PebbleOrder): Int32Array | string {
  if (name === 'given') return givenOrder(graph);
  if (graph.keepsOrder) return 'the framework uses its own order';
  if (name === 'asap') return asapOrder(graph);
  if (name === 'alap') return alapOrder(graph);
  return name === 'liu' ? liuOrder(graph, memory) : recomputeOrder(graph, memory);
}
