import Table from 'cli-table3';
import { BadInputError } from '../../../engine/errors.ts';
import { largestBatch } from '../../../engine/limits/largest-batch.ts';
import { STRATEGIES } from '../../../engine/strategies/registry.ts';
import { isTold } from '../../../engine/strategies/strategy.ts';
import { bytes, count } from '../format.ts';
import { loadNetwork, type NetworkFlags } from '../load.ts';
import { parseBytes, parseRate } from '../options.ts';
import { printJson, type Terminal } from '../terminal.ts';

export interface LimitsFlags extends NetworkFlags {
  readonly memory: string;
  readonly strategy?: string;
  readonly json?: boolean;
}

/**
 * `zigzag limits MODEL|FILE --memory 11GiB`: the largest batch of each strategy on a device. For a graph file the
 * batch counts what the file holds.
 */
export function limitsCommand(model: string, flags: LimitsFlags, terminal: Terminal): void {
  const memoryBytes = parseBytes(flags.memory, '--memory');
  if (flags.batch !== undefined) throw new BadInputError('limits finds the batch itself; leave out --batch');
  const network = loadNetwork(model, flags);
  const dropout = flags.dropout === undefined ? {} : { dropout: parseRate(flags.dropout, '--dropout') };
  const isFile = network.summary !== undefined;
  const request = {
    model: network.model,
    ...(isFile
      ? { graphAt: (batch: number) => loadNetwork(model, { ...flags, batch: String(batch) }).problem.graph }
      : { input: network.input }),
    profile: network.problem.memory.profile,
    memoryBytes,
    ...dropout,
  };
  const options = { seed: 0 };
  // A limit has no option that a strategy could need.
  const names =
    flags.strategy === undefined
      ? STRATEGIES.filter((strategy) => isTold(strategy, options)).map(({ name }) => name)
      : [flags.strategy];
  const rows = names.map((name) => largestBatch(request, name, options));
  if (flags.json === true) {
    printJson(terminal, { model: network.model, input: network.input, memoryBytes, rows });
    return;
  }
  terminal.out(
    `${network.model}${isFile ? '' : `, input ${network.input}x${network.input}`}, in ${bytes(memoryBytes)}, of which ` +
      `${bytes(rows[0]?.stationaryBytes ?? 0)} are weights, their gradients and momentum`,
  );
  const table = new Table({
    head: ['strategy', 'largest batch', 'live at its peak', ''],
    colAligns: ['left', 'right', 'right', 'left'],
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) {
    const note = !row.applicable
      ? `not applicable: ${row.reason ?? ''}`
      : row.batch === 0
        ? `a batch of 1 needs ${bytes(row.leastBytes ?? 0)}`
        : row.capped
          ? 'the largest batch that can be asked for'
          : '';
    table.push([
      row.strategy,
      row.applicable ? count(row.batch) : '',
      row.peakBytes === null ? '' : bytes(row.peakBytes),
      note,
    ]);
  }
  terminal.out(table.toString());
}
