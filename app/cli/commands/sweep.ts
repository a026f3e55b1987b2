import { BadInputError } from '../../../engine/errors.ts';
import { refuseFlags, wordsOf as optionWords } from '../command-options.ts';
import { parseName, parseWhole } from '../options.ts';
import { requireWritable, writeOutput } from '../output-file.ts';
import { sweepCsv, sweepHtml, sweepText } from '../sweep/forms.ts';
import { JOB_KINDS, jobScript } from '../sweep/jobs.ts';
import { mergeShards } from '../sweep/merge.ts';
import { type Cell, cellsOf, type SweepFlags, type SweepPlan, sweepPlan } from '../sweep/plan.ts';
import { isOfShard, parseShard, readShards, ShardFile } from '../sweep/shard-file.ts';
import { requireSolvable, type SearchLimits, solveCells, type SweptRow } from '../sweep/solve-cells.ts';
import { printJson, type Terminal } from '../terminal.ts';

export interface FormFlags {
  readonly csv?: boolean;
  readonly json?: boolean;
  readonly html?: string;
}

export interface SweepCommandFlags extends SweepFlags, FormFlags {
  readonly shard?: string;
  readonly out?: string;
  readonly merge?: string;
  readonly job?: string;
  readonly shards?: string;
}

const DEFAULT_TARGETS = ['papers'];
const DEFAULT_FOLDER = 'zigzag-sweep';
const MAX_SHARDS = 100_000;

/**
 * `zigzag sweep`: networks x batches x strategies x budgets, in shards that run anywhere and are merged to one table.
 *
 * @throws BadInputError in one sentence for what cannot be swept, written or merged
 */
export async function sweepCommand(
  targets: readonly string[],
  flags: SweepCommandFlags,
  terminal: Terminal,
): Promise<void> {
  refuseTogether(flags, ['merge', 'job', 'shard']);
  refuseTogether(flags, ['csv', 'json']);
  if (flags.html !== undefined) requireWritable(flags.html, '--html');
  if (flags.merge !== undefined) {
    mergeCommand(flags.merge, flags, terminal);
    return;
  }
  const named = targets.length === 0 ? DEFAULT_TARGETS : targets;
  const plan = sweepPlan(named, flags);
  // Before there is a file of it.
  requireSolvable(plan);
  if (flags.job !== undefined) {
    const kind = parseName(flags.job, '--job', JOB_KINDS);
    const shards = parseWhole(flags.shards ?? '64', '--shards', 1, MAX_SHARDS);
    terminal.out(
      jobScript(kind, { words: wordsOf(named, flags), shards, out: flags.out ?? DEFAULT_FOLDER }).trimEnd(),
    );
    return;
  }
  refuseFlags(flags, ['shards'], 'sets the number of shards of a --job script');
  if (flags.out !== undefined) {
    await runShard(plan, flags.shard ?? '1/1', flags.out, terminal);
    return;
  }
  if (flags.shard !== undefined) throw new BadInputError('--shard needs --out, the folder of its results');
  printForm(await allRows(plan, terminal, flags), plan, flags, terminal);
}

/** Every cell in this process, without a file. @param limits of searches that no option bounds */
export async function allRows(
  plan: SweepPlan,
  terminal: Terminal,
  { json }: FormFlags,
  limits: SearchLimits = {},
): Promise<SweptRow[]> {
  const rows: SweptRow[] = [];
  const cells = cellsOf(plan);
  const say = ({ index, target, strategy, budget }: Cell): void => {
    if (!terminal.progressVisible || json === true) return;
    terminal.err(
      `${index + 1} of ${cells.length}: ${strategy} on ${target}${budget === null ? '' : `, ${budget}`} ...`,
    );
  };
  for await (const row of solveCells(plan, cells, { onCell: say, limits })) rows.push(row);
  return rows;
}

export function printForm(
  rows: readonly SweptRow[],
  plan: SweepPlan,
  flags: FormFlags,
  terminal: Terminal,
): void {
  if (flags.html !== undefined) {
    const networks = plan.networks.length;
    const title = `${rows.length} plans for ${networks} network${networks === 1 ? '' : 's'}`;
    writeOutput(flags.html, sweepHtml(rows, title), '--html');
    terminal.err(`table written to ${flags.html}`);
  }
  if (flags.json === true) printJson(terminal, { plan, rows });
  else if (flags.csv === true) terminal.out(sweepCsv(rows).trimEnd());
  else if (flags.html === undefined) terminal.out(sweepText(rows));
}

async function runShard(plan: SweepPlan, text: string, out: string, terminal: Terminal): Promise<void> {
  const shard = parseShard(text);
  const file = new ShardFile(out, shard, plan);
  const own = cellsOf(plan).filter(({ index }) => isOfShard(index, shard));
  const left = own.filter(({ index }) => !file.done.has(index));
  let done = own.length - left.length;
  for await (const row of solveCells(plan, left)) {
    file.add(row);
    done++;
    if (terminal.progressVisible) terminal.err(`${done} of ${own.length} cells of shard ${text}`);
  }
  terminal.err(`shard ${text}: all ${own.length} cells are in ${file.path}`);
}

function mergeCommand(folder: string, flags: FormFlags, terminal: Terminal): void {
  const { plan, rows, missing, unfinished } = mergeShards(readShards(folder));
  if (missing > 0) {
    const some = unfinished.slice(0, 8).join(', ');
    const more = unfinished.length > 8 ? ` and ${unfinished.length - 8} more` : '';
    terminal.err(
      `${missing} of ${rows.length + missing} cells are missing: run ${unfinished.length === 1 ? 'shard' : 'shards'} ${some}${more} again`,
    );
  }
  printForm(rows, plan, flags, terminal);
}

/** Arguments that the command of each job repeats. */
function wordsOf(targets: readonly string[], flags: SweepFlags): string[] {
  const option = (name: string, value: string | undefined): string[] =>
    value === undefined ? [] : [`--${name}`, value];
  return [
    ...targets,
    ...option('batches', flags.batches),
    ...option('budgets', flags.budgets),
    ...option('strategies', flags.strategies),
    ...optionWords('sweep', flags),
  ];
}

function refuseTogether(flags: SweepCommandFlags, names: readonly (keyof SweepCommandFlags)[]): void {
  const given = names.filter((name) => flags[name] !== undefined && flags[name] !== false);
  if (given.length > 1)
    throw new BadInputError(`give one of ${given.map((name) => `--${name}`).join(' and ')}`);
}
