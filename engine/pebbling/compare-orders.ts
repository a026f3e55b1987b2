import { idOf } from '../graph/graph.ts';
import type { Problem } from '../strategies/strategy/strategy.ts';
import { orderOf, PEBBLE_ORDERS, type PebbleOrder } from './orders.ts';
import { playPebbles } from './pebbles.ts';

/** Memory of a forward alone in one order; figures are null where the graph has no such order. */
export interface OrderRow {
  readonly order: PebbleOrder;
  readonly applicable: boolean;
  /** Why it is not applicable; null when it is. */
  readonly reason: string | null;
  /** The most pebbles on the board, the source's left out. */
  readonly pebbles: number | null;
  /** The most live bytes, the source included. */
  readonly peakBytes: number | null;
  /** Id of the operation at which it is reached first. */
  readonly peakAt: string | null;
  /** Ids in the order, the source left out. */
  readonly sequence: readonly string[];
}

/** Every order on one network: forward-only pebbling, the peak of inference. */
export function compareOrders(
  { graph, memory }: Problem,
  names: readonly PebbleOrder[] = PEBBLE_ORDERS,
): OrderRow[] {
  return names.map((order) => {
    const vertices = orderOf(graph, memory, order);
    if (typeof vertices === 'string') {
      const none = { pebbles: null, peakBytes: null, peakAt: null, sequence: [] };
      return { order, applicable: false, reason: vertices, ...none };
    }
    const { mostPebbles, peakBytes, peakMove } = playPebbles(graph, memory, vertices);
    return {
      order,
      applicable: true,
      reason: null,
      pebbles: mostPebbles,
      peakBytes,
      peakAt: idOf(graph, vertices[peakMove] ?? 0),
      sequence: Array.from(vertices, (v) => idOf(graph, v)),
    };
  });
}
