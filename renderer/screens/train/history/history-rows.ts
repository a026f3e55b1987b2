import type { RunSummary } from '../../../../app/contract/history.ts';
import type { RunOutcome } from '../../../../app/contract/recorded-run.ts';
import { derive } from '../../../../app/contract/run-summary.ts';
import type { Run } from '../../../state/runs/run.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatChange, formatCount, formatMs } from '../../../shared/format/numbers.ts';
import { identityOf, type StrategyIdentity } from '../../../state/strategies/identity.ts';

export interface HistoryRow {
  readonly key: string;
  readonly number: number;
  readonly identity: StrategyIdentity;
  readonly title: string;
  readonly name: string;
  readonly model: string;
  readonly network: string;
  readonly date: string;
  readonly where: string;
  readonly iterations: string;
  readonly median: string;
  readonly peak: string;
  readonly overhead: string;
  readonly outcome: string;
  readonly failure: string | null;
  readonly isRunning: boolean;
  readonly words: string;
}

export interface Titles {
  readonly strategies: ReadonlyMap<string, string>;
  readonly networks: ReadonlyMap<string, string>;
}

const OUTCOMES: Readonly<Record<RunOutcome, string>> = {
  running: 'running',
  done: 'done',
  cancelled: 'cancelled',
  failed: 'stopped',
  interrupted: 'interrupted',
};

export function lineOf(run: Run): RunSummary {
  const { request, start } = run;
  return {
    id: run.key,
    number: run.id,
    source: 'lab',
    begunMs: run.begunMs,
    endedMs: null,
    outcome: run.outcome,
    failure: run.failure?.message ?? null,
    name: '',
    note: '',
    ...derive(request, run),
    // The requested backend is not yet the one it runs on.
    backend: start?.backend ?? null,
  };
}

/** The history's lines, with what this session knows better of its own runs; newest first. */
export function allLines(lines: readonly RunSummary[], session: readonly Run[]): RunSummary[] {
  const kept = new Map(lines.map((line) => [line.id, line]));
  const own = new Map(session.map((run) => [run.key, run]));
  const updated = lines.map((line) => {
    const run = own.get(line.id);
    if (run === undefined) return line;
    const { name, note, source, endedMs, number } = line;
    return { ...lineOf(run), name, note, source, endedMs, number };
  });
  return [...session.filter(({ key }) => !kept.has(key)).map(lineOf), ...updated];
}

export function historyRow(line: RunSummary, titles: Titles, nowMs: number): HistoryRow {
  const identity = identityOf(line.strategy, titles.strategies.get(line.strategy));
  const title = line.naive ? `${identity.title}, naive` : identity.title;
  const model = titles.networks.get(line.model) ?? line.model;
  const size = line.input === null ? '' : `, ${line.input} px`;
  const isSearch = line.largestBatch !== null;
  const network = isSearch ? model : `${model}, batch ${formatCount(line.batch)}${size}`;
  const where = [line.backend, line.device].filter((part) => part !== null && part !== '').join(', ');
  const outcome =
    line.largestBatch === null ? OUTCOMES[line.outcome] : `largest batch ${formatCount(line.largestBatch)}`;
  return {
    key: line.id,
    number: line.number,
    identity,
    title,
    name: line.name,
    model: line.model,
    network,
    date: sayDate(line.begunMs, nowMs),
    where: where === '' ? '–' : where,
    iterations:
      line.done === line.iterations
        ? formatCount(line.done)
        : line.done === 0
          ? '–'
          : `${formatCount(line.done)} of ${formatCount(line.iterations)}`,
    median: line.medianMs === null ? '–' : formatMs(line.medianMs),
    peak: line.measuredPeakBytes === null ? '–' : formatBytes(line.measuredPeakBytes),
    overhead: line.overhead === null ? '–' : formatChange(line.overhead),
    outcome,
    failure: line.failure,
    isRunning: line.outcome === 'running',
    words: [
      `run ${line.number}`,
      title,
      line.strategy,
      network,
      line.model,
      line.name,
      line.note,
      where,
      outcome,
    ]
      .join(' ')
      .toLowerCase(),
  };
}

export function matchingRows(
  rows: readonly HistoryRow[],
  search: string,
  model: string | null,
): readonly HistoryRow[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return rows.filter(
    (row) => (model === null || row.model === model) && words.every((word) => row.words.includes(word)),
  );
}

/** `20 Nov, 22:31`; with the year where it is another. */
export function sayDate(ms: number, nowMs: number): string {
  const date = new Date(ms);
  const sameYear = date.getFullYear() === new Date(nowMs).getFullYear();
  return date.toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
  });
}
