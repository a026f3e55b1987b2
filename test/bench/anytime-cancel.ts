import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { STRATEGIES } from '../../engine/strategies/registry.ts';
import { isTold } from '../../engine/strategies/strategy/strategy.ts';
import { CancelledError } from '../../engine/errors.ts';
import type { SolverService } from '../../main/host/services.ts';
import { solverClient } from '../../main/solver/client.ts';
import { threadOf } from '../../main/solver/thread.ts';
import { keepResult, markdownTable } from '../support/bench-results.ts';
import { experiment } from '../main/support/experiment.ts';
import { randomStGraph } from '../support/random-graphs.ts';
import { createRng } from '../support/rng.ts';

/**
 * How soon the built solver is free again when what it does is cancelled, at several moments of each of its longer calls:
 * the time from the cancel to the end of the call, and to the answer of the next question (a comparison of a small
 * network), which needs the thread or another one, less what that question takes right after by itself. Files of many vertices are opened, so that reading them, building,
 * searching, simulating and proving are all hit. Exits 1 where a call ends, or the solver is free, later than the target. Kept in
 * test/bench/results/anytime-cancel.md.
 */
const TARGET_MS = 100;
/** When to cancel after asking, as long as the call goes on. */
const MOMENTS_MS = [10, 100, 1000];
/** Between one cancel and the next question: another thread needs to start once one was lost. */
const APART_MS = 500;
/** The first work of a lab is short, and a user looks at it before the first long call. */
const LOOKED_AT_MS = 3000;
const LIMIT_S = 10;
const ROOT = process.cwd();
const BYTES = 1000;

function graphFile(kind: 'chain' | 'mixed' | 'dag', vertices: number): Uint8Array<ArrayBuffer> {
  const { n, edges, cost } = randomStGraph(createRng(1), { vertices, kind, maxCost: BYTES });
  return new TextEncoder().encode(
    JSON.stringify({
      format: 'zigzag-graph',
      version: 1,
      name: `${kind} ${vertices}`,
      vertices: Array.from({ length: n }, (_, v) => ({ id: `v${v}`, bytes: cost[v] })),
      edges: edges.map(([from, to]) => [`v${from}`, `v${to}`]),
    }),
  );
}

// Builds the solver's thread where it is not built.
execFileSync(process.execPath, [join(ROOT, 'app', 'start', 'zigzag.mjs'), 'models']);
let threads = 0;
const start = threadOf(join(ROOT, 'dist', 'node', 'solver-worker.js'));
const solver = solverClient({
  start: (data) => {
    threads++;
    return start(data);
  },
});

const small = experiment({ model: 'alexnet', batch: 1, strategies: ['regular'] });
async function ended(calls: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of calls);
}

interface Cancelled {
  /** Milliseconds from the cancel. */
  readonly toEnd: number;
  readonly toFree: number;
  readonly lostThread: boolean;
}

/** Null where the call had ended before. */
async function cancelled(
  call: (signal: AbortSignal) => Promise<unknown>,
  moment: number,
  next: (solver: SolverService) => Promise<unknown>,
): Promise<Cancelled | null> {
  const controller = new AbortController();
  const before = threads;
  let endedAt: number | null = null;
  let error: unknown = null;
  const running = call(controller.signal).then(
    () => {
      endedAt = performance.now();
    },
    (thrown: unknown) => {
      endedAt = performance.now();
      error = thrown;
    },
  );
  await Promise.race([running, new Promise((resolve) => setTimeout(resolve, moment))]);
  if (endedAt !== null) {
    if (error !== null) throw error;
    return null;
  }
  const from = performance.now();
  controller.abort();
  await running;
  if (!(error instanceof CancelledError)) throw new Error(`it did not answer cancelled: ${error}`);
  const toEnd = (endedAt ?? from) - from;
  await next(solver);
  const answered = performance.now();
  await next(solver);
  const alone = performance.now() - answered;
  return { toEnd, toFree: Math.max(0, answered - from - alone), lostThread: threads > before };
}

const quick = (): Promise<void> => ended(solver.compare(small));
await quick();
await new Promise((resolve) => setTimeout(resolve, LOOKED_AT_MS));

const rows: Record<string, string | number>[] = [];
let missed = 0;

async function measure(
  graph: string,
  what: string,
  call: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const found: Cancelled[] = [];
  for (const moment of MOMENTS_MS) {
    await new Promise((resolve) => setTimeout(resolve, APART_MS));
    const one = await cancelled(call, moment, quick);
    if (one === null) break;
    found.push(one);
  }
  if (found.length === 0) return;
  const toFree = found.map((one) => one.toFree).sort((x, y) => x - y);
  const most = Math.max(toFree.at(-1) ?? 0, ...found.map((one) => one.toEnd));
  if (most > TARGET_MS) missed++;
  rows.push({
    graph,
    call: what,
    moments: found.length,
    'to the end, most ms': Math.max(...found.map((one) => one.toEnd)).toFixed(0),
    'free again, median ms': (toFree[toFree.length >> 1] ?? 0).toFixed(0),
    'free again, most ms': (toFree.at(-1) ?? 0).toFixed(0),
    'of these with a new thread': found.filter((one) => one.lostThread).length,
    [`target ${TARGET_MS} ms`]: most > TARGET_MS ? 'missed' : 'met',
  });
  console.error(Object.values(rows.at(-1)!).join('  '));
}

const GRAPHS = [
  ['chain', 100_000],
  ['mixed', 100_000],
  ['dag', 20_000],
] as const;

for (const [kind, vertices] of GRAPHS) {
  const name = `${kind} ${vertices}`;
  const file = graphFile(kind, vertices);
  const open = (signal?: AbortSignal) => solver.importFile({ name: `${name}.json`, bytes: file }, signal);
  await measure(name, 'opening', open);
  const opened = await open();
  if (opened.kind !== 'network') throw new Error(`${name} is no network`);
  const network = experiment({
    model: opened.model,
    batch: 1,
    timeLimitSeconds: LIMIT_S,
    budgetBytes: Math.floor(opened.summary.keptBytes * 0.8),
  });
  for (const strategy of STRATEGIES) {
    if (!isTold(strategy, network)) continue;
    const asked = { ...network, strategies: [strategy.name] };
    await measure(name, strategy.name, (signal) => ended(solver.compare(asked, signal)));
  }
  const { strategies: _, budgetBytes: __, ...alone } = network;
  await measure(name, 'front', (signal) => ended(solver.pareto(alone, signal)));
  const room = { ...alone, strategies: ['regular', 'live'], memoryBytes: 2 ** 33, largestInput: true };
  await measure(name, 'limits', (signal) => ended(solver.limits(room, signal)));
  await measure(name, 'division tree', (signal) => solver.graphView(alone, signal));
}
await solver.close();
console.table(rows);
const lines = [
  `Milliseconds from a cancel, of up to ${MOMENTS_MS.length} moments (${MOMENTS_MS.join(', ')} ms after asking, as long as the call goes on).`,
  `Target: the solver is free for the next question within ${TARGET_MS} ms. Missed: ${missed} of ${rows.length}.`,
];
console.log(lines.join('\n'));
keepResult('anytime-cancel', 'Cancelling', [...lines, '', ...markdownTable(rows)]);
if (missed > 0) process.exitCode = 1;
