import { sweepCsv } from '../../app/cli/sweep/forms.ts';
import { cellsOf, sweepPlan } from '../../app/cli/sweep/plan.ts';
import { isOfShard, parseShard, readShards, ShardFile } from '../../app/cli/sweep/shard-file.ts';
import { solveCells, type SweptRow } from '../../app/cli/sweep/solve-cells.ts';
import { mergeShards } from '../../app/cli/sweep/merge.ts';
import { isTold } from '../../engine/strategies/strategy/strategy.ts';
import { STRATEGIES } from '../../engine/strategies/registry.ts';
import { writeResult } from '../support/bench-results.ts';
import { peersReport } from './peers/report.ts';

/**
 * The zoo's networks of the CVPR paper at eight budgets under every strategy that takes a budget, in one table
 * (test/bench/results/peers.md, .csv): the cells of `zigzag sweep papers`, solved by its own code. Exits 1 where a peer
 * recomputes less than `budget` at the same budget, or meets one that it refuses.
 *
 * `ZIGZAG_PEERS=FOLDER` keeps the cells there as shards do, so that a run goes on where it was, and
 * `ZIGZAG_PEERS_SHARD=1/2` solves a part of them; the table is of all that are there. Limits are kept by the processor's
 * clock, so that a busy machine changes little.
 */
const SECONDS = 2;
const BATCH = 1;

const strategies = STRATEGIES.filter(
  (strategy) => strategy.reads.budgetBytes !== undefined && isTold(strategy, { budgetBytes: 1 }),
).map(({ name }) => name);
const plan = sweepPlan(['papers'], {
  strategies: strategies.join(','),
  batches: String(BATCH),
  timeLimit: String(SECONDS),
});
const folder = process.env['ZIGZAG_PEERS'];
const shard = parseShard(process.env['ZIGZAG_PEERS_SHARD'] ?? '1/1');
const cells = cellsOf(plan).filter(({ index }) => isOfShard(index, shard));
/** Milliseconds of the processor, by which limits are kept. */
const now = (): number => process.cpuUsage().user / 1000;

async function solved(): Promise<readonly SweptRow[]> {
  const file = folder === undefined ? null : new ShardFile(folder, shard, plan);
  const rows: SweptRow[] = [];
  const left = cells.filter(({ index }) => file?.done.has(index) !== true);
  for await (const row of solveCells(plan, left, { limits: { now } })) {
    file?.add(row);
    rows.push(row);
    if (rows.length % 20 === 0) console.error(`${rows.length} of ${left.length} cells`);
  }
  return folder === undefined ? rows : mergeShards(readShards(folder)).rows;
}

const rows = await solved();
const { text, violations } = peersReport(rows, { strategies, budgets: plan.budgets, seconds: SECONDS });
console.log(text);
writeResult('peers.md', `# Peers on equal terms\n\n${text}\n`);
writeResult('peers.csv', sweepCsv(rows).replaceAll('\r\n', '\n'));
if (violations > 0) process.exitCode = 1;
