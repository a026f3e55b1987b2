import Table from 'cli-table3';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { BadInputError } from '../../../engine/errors.ts';
import type { ExplainedBar, Explanation } from '../../../engine/explain/explanation.ts';
import { type Measured, SNAPSHOT_TOO_LARGE } from '../../../engine/explain/measured.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import { fileSource } from '../../bridges/file-source.ts';
import { readMeasured } from '../../bridges/snapshot/read-measured.ts';
import { BAR_TITLES, PHASE_TITLES } from '../../report/explained.ts';
import { bytes, count } from '../format.ts';
import { type NetworkFlags, openNetwork } from '../network.ts';
import { parseWhole } from '../options.ts';
import { plainName } from '../plain-text.ts';
import { chosenStrategy, type StrategyFlag } from '../strategies.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { MAX_SNAPSHOT_BYTES } from '../../../engine/exchange/read-limits.ts';

export interface ExplainFlags extends NetworkFlags, StrategyFlag {
  readonly cuda?: string;
}

const MAX_DEVICES = 255;

/**
 * `zigzag explain SNAPSHOT MODEL|FILE`: what a device was seen to hold, laid over what is predicted of it: phase by phase,
 * and from Eq. 2 to the measured peak.
 *
 * @throws BadInputError in one sentence for what is no measurement, or is one of another network
 */
export async function explainCommand(
  path: string,
  target: string,
  flags: ExplainFlags,
  terminal: Terminal,
): Promise<void> {
  const strategy = chosenStrategy('explain', flags, 'regular');
  const measured = readFile(path);
  const { solver, network, title } = openNetwork('explain', target, flags);
  const cuda = flags.cuda === undefined ? undefined : parseWhole(flags.cuda, '--cuda', 0, MAX_DEVICES);
  if (cuda !== undefined && measured.kind === 'measure')
    throw new BadInputError('--cuda is for a snapshot of several devices; leave it out');
  const request = { ...network, strategy, measured, cuda };
  const found = await solver.answer('explain', request, NO_CONTROL, () => undefined);
  const { phases, bars, measuredBytes, peaks, notes } = found;
  if (flags.json === true) {
    printJson(terminal, {
      model: title,
      batch: network.batch,
      strategy,
      measured: aboutMeasured(measured, cuda),
      peaks,
      phases: phases.map(({ phase, predictedBytes, measuredBytes: most }) => ({
        phase,
        predictedBytes,
        measuredBytes: most,
      })),
      bars,
      measuredBytes,
      notes,
    });
    return;
  }
  terminal.out(
    `${plainName(title)}, batch ${count(network.batch)}, ${strategy}: ` +
      `predicted ${bytes(peaks.predicted.bytes)}, measured ${bytes(peaks.measured.bytes)}.`,
  );
  terminal.out(tableOfPhases(found));
  terminal.out(tableOfBars(bars, measuredBytes, measured));
  for (const note of notes) terminal.out(note);
}

/** @throws BadInputError that names the file */
function readFile(path: string): Measured {
  const source = fileSource(path);
  const [first, second] = source.read(0, 2);
  const isPacked = first === 0x1f && second === 0x8b;
  if (!isPacked) return readMeasured(source);
  source.close();
  return readMeasured(unpacked(path));
}

function unpacked(path: string): Uint8Array {
  try {
    return gunzipSync(readFileSync(path), { maxOutputLength: MAX_SNAPSHOT_BYTES });
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new BadInputError(isLarge ? SNAPSHOT_TOO_LARGE : `${path} is damaged: it cannot be gunzipped`);
  }
}

/** Facts about the part of the file that the figures describe. */
function aboutMeasured(measured: Measured, cuda: number | undefined): unknown {
  if (measured.kind === 'measure') return measured;
  const chosen = measured.devices.find(({ device }) => cuda === undefined || device === cuda);
  if (chosen === undefined) return null;
  const { step, ...device } = chosen;
  const { phases: _phases, ...about } = step;
  return { kind: measured.kind, devices: measured.devices.map((one) => one.device), ...device, step: about };
}

function tableOfPhases({ phases }: Explanation): string {
  const table = new Table({
    head: ['phase', 'predicted', 'measured', 'difference'],
    colAligns: ['left', 'right', 'right', 'right'],
    style: { head: [], border: [], compact: true },
  });
  const shown = (value: number | null): string => (value === null ? 'none' : bytes(value));
  for (const { phase, predictedBytes, measuredBytes } of phases)
    table.push([
      PHASE_TITLES[phase],
      shown(predictedBytes),
      shown(measuredBytes),
      predictedBytes === null || measuredBytes === null ? '' : signed(measuredBytes - predictedBytes),
    ]);
  return table.toString();
}

function tableOfBars(bars: readonly ExplainedBar[], measuredBytes: number, measured: Measured): string {
  const table = new Table({
    head: ['from Eq. 2 to the measurement', 'bytes', 'sum', 'by'],
    colAligns: ['left', 'right', 'right', 'left'],
    style: { head: [], border: [], compact: true },
  });
  for (const { name, bytes: own, from, by } of bars) {
    if (own === 0 && name !== 'theory' && name !== 'unexplained') continue;
    table.push([BAR_TITLES[name], signed(own), bytes(from + own), by === 'left' ? '' : by]);
  }
  const total = measured.kind === 'snapshot' ? 'Reserved at the peak' : 'Measured peak';
  table.push([total, '', bytes(measuredBytes), 'measured']);
  return table.toString();
}

const signed = (value: number): string =>
  value === 0 ? '0' : `${value < 0 ? '−' : '+'}${bytes(Math.abs(value))}`;
