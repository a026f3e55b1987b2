import Table from 'cli-table3';
import { BadInputError } from '../../../engine/errors.ts';
import { idOf } from '../../../engine/graph/graph.ts';
import { compareOrders } from '../../../engine/pebbling/compare-orders.ts';
import { ORDER_TITLES, orderOf, PEBBLE_ORDERS } from '../../../engine/pebbling/orders.ts';
import { playPebbles } from '../../../engine/pebbling/pebbles.ts';
import { regularFigures } from '../../../engine/strategies/regular.ts';
import { bytes, count } from '../format.ts';
import { type NetworkFlags, openNetwork } from '../network.ts';
import { parseName } from '../options.ts';
import { plainName } from '../plain-text.ts';
import { printJson, type Terminal } from '../terminal.ts';

export interface PebbleFlags extends NetworkFlags {
  readonly order?: string;
}

const COMPACT = { head: [], border: [], compact: true };

/** `zigzag pebble MODEL|FILE`: what a forward alone holds, by the order of its operations; one order move by move. */
export function pebbleCommand(target: string, flags: PebbleFlags, terminal: Terminal): void {
  const chosen = flags.order === undefined ? undefined : parseName(flags.order, '--order', PEBBLE_ORDERS);
  const { network, title, problem: open } = openNetwork('pebble', target, flags);
  const problem = open();
  const rows = compareOrders(problem, chosen === undefined ? PEBBLE_ORDERS : [chosen]);
  const { graph, memory } = problem;
  const { peakBytes: trainingPeakBytes } = regularFigures(problem);
  if (flags.json === true) {
    const sourceBytes = memory.outputBytes[0] ?? 0;
    const head = { model: title, batch: network.batch, vertices: graph.size, sourceBytes, trainingPeakBytes };
    printJson(terminal, { ...head, rows });
    return;
  }
  terminal.out(
    `${plainName(title)}, batch ${count(network.batch)}: a forward pass alone. Each pebble is placed once (again only in the order recompute) and ` +
      `removed after its last use; the input is always held. A step of regular training peaks at ${bytes(trainingPeakBytes)}.`,
  );
  if (chosen !== undefined) {
    const order = orderOf(graph, memory, chosen);
    if (typeof order === 'string') throw new BadInputError(`--order ${chosen} does not apply here: ${order}`);
    const { live, pebbles, peakMove } = playPebbles(graph, memory, order);
    const moves = new Table({
      head: ['move', 'operation', 'pebbles', 'live', ''],
      colAligns: ['right', 'left', 'right', 'right', 'left'],
      style: COMPACT,
    });
    order.forEach((v, i) => {
      const peak = i === peakMove ? 'peak' : '';
      moves.push([i + 1, plainName(idOf(graph, v)), pebbles[i] ?? 0, bytes(live[i] ?? 0), peak]);
    });
    terminal.out(moves.toString());
    return;
  }
  const table = new Table({
    head: ['order', '', 'pebbles', 'peak', 'at'],
    colAligns: ['left', 'left', 'right', 'right', 'left'],
    style: COMPACT,
  });
  for (const { order, reason, pebbles, peakBytes, peakAt } of rows) {
    table.push([
      order,
      ORDER_TITLES[order],
      pebbles === null ? '' : count(pebbles),
      peakBytes === null ? '' : bytes(peakBytes),
      reason === null ? plainName(peakAt ?? '') : `not applicable: ${plainName(reason)}`,
    ]);
  }
  terminal.out(table.toString());
}
