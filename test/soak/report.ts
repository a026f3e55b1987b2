import Table from 'cli-table3';
import { formatBytes } from '../../engine/bytes.ts';
import type { Unit, Verdict } from './bounds.ts';
import type { Tally } from './client.ts';

const MAX_FAULTS = 20;

/** Measurements against their bounds, the actions, and the faults; the last line sums up. */
export function report(verdicts: readonly Verdict[], { done, faults }: Tally, how: string): string {
  const table = new Table({
    head: ['', 'first quarter', 'last quarter', 'most', 'at most', ''],
    style: { head: [], border: [] },
    colAligns: ['left', 'right', 'right', 'right', 'right', 'left'],
  });
  for (const { name, unit, first, last, most, allowed, isKept } of verdicts) {
    const cells = [first, last, most, allowed].map((value) => shown(value, unit));
    table.push([name, ...cells, isKept ? 'kept' : 'BROKEN']);
  }
  const calls = [...done]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, times]) => `${name} ${times}`);
  const broken = verdicts.filter(({ isKept }) => !isKept).length;
  return [
    table.toString(),
    `Done: ${calls.join(', ')}.`,
    ...faults.slice(0, MAX_FAULTS).map((fault) => `Fault: ${fault}`),
    `${verdicts.length} bounds, ${broken} broken, ${faults.length} faults (${how})`,
    '',
  ].join('\n');
}

function shown(value: number, unit: Unit): string {
  if (!Number.isFinite(value)) return 'unknown';
  return unit === 'bytes' ? formatBytes(value) : String(Math.round(value));
}
