import Table from 'cli-table3';
import { BadInputError } from '../../../engine/errors.ts';
import { stationaryText } from '../../../engine/training-memory/setup.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import type { InputSize } from '../../../engine/comparison/head.ts';
import type { StrategyLimit } from '../../contract/limits.ts';
import { requireReadOptions } from '../command-options.ts';
import { told } from '../compared.ts';
import { bytes } from '../format.ts';
import { atUsualBatch, type MemoryFlags, memoryOf, type NetworkFlags, openNetwork } from '../network.ts';
import { answerable, EVERY_STRATEGY } from '../strategies.ts';
import { batchText, sizeText } from '../../report/words.ts';
import { plainName } from '../plain-text.ts';
import { printJson, type Terminal } from '../terminal.ts';

export interface LimitsFlags extends NetworkFlags, MemoryFlags {
  readonly memory: string;
  readonly strategy?: string;
}

/**
 * `zigzag limits MODEL|FILE --memory 11GiB`: the largest batch of each strategy on a device. For a graph file that
 * does not say how many samples it holds, the batch counts what it holds.
 */
export async function limitsCommand(target: string, flags: LimitsFlags, terminal: Terminal): Promise<void> {
  const { memoryBytes, contextBytes } = memoryOf(flags);
  if (flags.strategy !== undefined) requireReadOptions('limits', flags, [flags.strategy]);
  if (flags.batch !== undefined) throw new BadInputError('limits finds the batch itself; leave out --batch');
  const patience = flags.strategy === undefined ? EVERY_STRATEGY : {};
  const asked = openNetwork('limits', target, atUsualBatch(target, flags), patience);
  const { solver, network, title, notices } = asked;
  const strategies = flags.strategy === undefined ? answerable(asked) : [flags.strategy];
  const request = {
    ...network,
    strategies,
    memoryBytes: memoryBytes - contextBytes,
    largestInput: false,
  };
  let size: InputSize = { input: 0 };
  let stationaryBytes = 0;
  let stationary = '';
  const limits: StrategyLimit[] = [];
  await solver.answer('limits', request, NO_CONTROL, (event) => {
    if (event.type === 'head') {
      ({ stationaryBytes } = event);
      size = { input: event.input, inputUnit: event.inputUnit };
      stationary = stationaryText(event.setup);
    }
    if (event.type === 'row') limits.push(event.row);
  });
  const rows = limits.map(({ strategy, reason, batch }) => ({
    strategy,
    applicable: reason === null,
    reason,
    batch: batch?.batch ?? 0,
    capped: batch?.capped ?? false,
    peakBytes: batch?.peakBytes ?? null,
    stationaryBytes,
    totalBytes: batch?.heldBytes == null ? null : batch.heldBytes + contextBytes,
    leastBytes: batch === null ? null : batch.leastBytes + contextBytes,
  }));
  if (flags.json === true) {
    printJson(terminal, {
      model: title,
      ...size,
      memoryBytes,
      contextBytes,
      ...told(notices),
      rows,
    });
    return;
  }
  const sizes = sizeText(size);
  terminal.out(
    `${plainName(title)}${sizes === null ? '' : `, ${sizes}`}, in ${bytes(memoryBytes)}, of which ` +
      `${bytes(stationaryBytes)} are ${stationary}, and ${bytes(contextBytes)} the context`,
  );
  const table = new Table({
    head: [
      'strategy',
      size.inputUnit === 'tokens' ? 'largest batch (sequences)' : 'largest batch',
      'live at its peak',
      '',
    ],
    colAligns: ['left', 'right', 'right', 'left'],
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) {
    const note = !row.applicable
      ? `not applicable: ${plainName(row.reason ?? '')}`
      : row.batch === 0
        ? `a batch of 1 needs ${bytes(row.leastBytes ?? 0)}`
        : '';
    table.push([
      row.strategy,
      row.applicable ? batchText(row.batch) : '',
      row.peakBytes === null ? '' : bytes(row.peakBytes),
      note,
    ]);
  }
  terminal.out(table.toString());
  for (const notice of notices) terminal.out(`File: ${plainName(notice)}.`);
}
