import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { formatBytes } from '../../engine/bytes.ts';
import { timedGraph } from '../../engine/graph/timed-graph.ts';
import { createProblem } from '../../engine/problem.ts';
import { predictedOverhead, simulate } from '../../engine/simulate/simulate.ts';
import { solveRow } from '../../engine/strategies/solve.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../engine/zoo/zoo.ts';
import { chooseBackend } from '../../main/trainer/backends/choose.ts';
import { NODE_BACKENDS } from '../../main/trainer/backends/node.ts';
import { SyntheticImages } from '../../main/trainer/data/synthetic.ts';
import { measurePaired, quantile } from '../../main/trainer/paired.ts';
import { measureStepTimes, overheadByTimes, type StepTimes } from '../../main/trainer/step-times.ts';
import { cpuMs, RATIO_HEAD, ratioRows } from './trainer/ratio.ts';

/**
 * A step's processor time beside PyTorch's, one thread each, with its target (issue 17); then predicted and measured peak, predicted and measured time overhead of one training step, by network and
 * strategy. Overhead is predicted twice: by FLOPs, and by the times of single operations on this device.
 * `budget` is given half of what regular training needs and solved by either; all others by FLOPs.
 *
 * Runs on the first backend that works; ZIGZAG_BACKEND names another, ZIGZAG_PAIRS how many pairs of
 * iterations count (5), ZIGZAG_CLOCK=cpu counts processor time, for a machine that others use too,
 * ZIGZAG_NETWORKS names some of the networks (`none`: the ratio alone), ZIGZAG_RESULTS a folder that keeps the tables.
 * Without a PyTorch (ZIGZAG_PYTHON, ZIGZAG_TORCH2_PYTHON) the ratio is unknown.
 */
const NETWORKS = [
  { model: 'resnet18', batch: 2, input: 224 },
  { model: 'resnet18', batch: 4, input: 64 },
  { model: 'densenet121', batch: 2, input: 64 },
  { model: 'inceptionv3', batch: 2, input: 96 },
  { model: 'nasnet', batch: 2, input: 32 },
] as const;
const STRATEGIES = ['regular', 'chen-greedy', 'optimal', 'live', 'budget', 'budget by times'] as const;
const SEED = 1;
const HEAD = [
  'network',
  'strategy',
  'peak predicted',
  'peak measured',
  'overhead by FLOPs',
  'by times',
  'measured',
  'middle half',
  'ms a step',
];

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const byCpu = process.env['ZIGZAG_CLOCK'] === 'cpu';
const clock = byCpu ? { now: cpuMs } : {};
const pairs = Number(process.env['ZIGZAG_PAIRS'] ?? 5);
const wanted = process.env['ZIGZAG_NETWORKS']?.split(',');
const requested = NODE_BACKENDS.find(({ name }) => name === process.env['ZIGZAG_BACKEND'])?.name;
// One thread each; TensorFlow reads it when it is loaded.
process.env['TF_NUM_INTRAOP_THREADS'] ??= '1';
const { backend, reason } = await chooseBackend(requested, NODE_BACKENDS);

function planOf(problem: Problem, times: StepTimes, strategy: (typeof STRATEGIES)[number]) {
  if (!strategy.startsWith('budget')) return solveRow(problem, strategy, { seed: SEED });
  const regularBytes = solveRow(problem, 'regular', { seed: SEED }).peakBytes ?? 0;
  const byTimes = { ...problem, graph: timedGraph(problem.graph, times) };
  return solveRow(strategy === 'budget' ? problem : byTimes, 'budget', {
    seed: SEED,
    budgetBytes: Math.floor(regularBytes / 2),
  });
}

async function rowsOf({ model, batch, input }: (typeof NETWORKS)[number]): Promise<string[][]> {
  const name = `${model} ${input}x${input} b${batch}`;
  const { graph, ...rest } = createProblem(buildModel(model, { batch, input }), 'tfjs');
  const problem = { graph, ...rest };
  const data = new SyntheticImages(graph.shapes[0] ?? [], graph.shapes.at(-1)?.[1] ?? 1, SEED);
  const times = await measureStepTimes(problem, data, backend, { iterations: 5, seed: SEED, ...clock });
  const regular = solveRow(problem, 'regular', { seed: SEED });
  const rows: string[][] = [];
  for (const strategy of STRATEGIES) {
    const { schedule, reason: why } = planOf(problem, times, strategy);
    if (schedule === null || regular.schedule === null) {
      rows.push([name, strategy, why ?? '', '', '', '', '', '', '']);
      continue;
    }
    const timeline = simulate(graph, problem.memory, schedule);
    const paired = await measurePaired(problem, regular.schedule, schedule, data, backend, {
      pairs,
      warmUp: 1,
      seed: SEED,
      ...clock,
    });
    const differs = paired.measuredPeakBytes - timeline.peakBytes;
    rows.push([
      name,
      strategy,
      formatBytes(timeline.peakBytes),
      differs === 0 ? 'the same' : `${differs} B more`,
      percent(predictedOverhead(timeline)),
      percent(overheadByTimes(schedule, times)),
      percent(paired.overhead),
      paired.quartiles.map(percent).join(' to '),
      quantile(paired.strategyMs, 0.5).toFixed(0),
    ]);
    console.error(rows.at(-1)?.join('  '));
  }
  return rows;
}

const title = `${backend.name} on ${backend.device} (${cpus()[0]?.model ?? 'unknown processor'})`;
const facts = `${pairs} pairs of iterations; times are ${byCpu ? "the processor's" : "the wall clock's"}`;
console.log(`${title}; ${facts}; ${reason}`);

function show(head: readonly string[], rows: readonly (readonly string[])[], words: number): void {
  const table = new Table({
    head: [...head],
    colAligns: head.map((_cell, i) => (i < words ? 'left' : 'right')),
    style: { head: [], border: [], compact: true },
  });
  table.push(...rows.map((row) => [...row]));
  console.log(table.toString());
}

const ratio = await ratioRows(backend);
show(RATIO_HEAD, ratio.rows, 1);
for (const note of ratio.notes) console.log(note);
const rows: string[][] = [];
for (const network of NETWORKS) {
  if (wanted === undefined || wanted.includes(network.model)) rows.push(...(await rowsOf(network)));
}
if (rows.length > 0) show(HEAD, rows, 2);

const RATIO_NOTE =
  'Processor milliseconds of a whole step in turns with PyTorch, one thread each, medians; the wall clock beside it.';
const NOTE =
  'Overhead is of a whole iteration over a regular one. `budget` has half of what regular training needs, by FLOPs or ' +
  'by the times of single operations.';
const folder = process.env['ZIGZAG_RESULTS'];
if (folder !== undefined) {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const tableOf = (
    head: readonly string[],
    body: readonly (readonly string[])[],
    words: number,
  ): string[] => [
    line(head),
    `|${' --- |'.repeat(words)}${' ---: |'.repeat(head.length - words)}`,
    ...body.map(line),
    '',
  ];
  const slug = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '');
  const keep = (name: string, text: readonly string[]): void =>
    writeFileSync(join(folder, `${name}-${slug(title)}.md`), text.join('\n'));
  mkdirSync(folder, { recursive: true });
  const about = [`# ${title}`, '', RATIO_NOTE, ...ratio.notes, ''];
  keep('trainer-ratio', [...about, ...tableOf(RATIO_HEAD, ratio.rows, 1)]);
  if (rows.length > 0)
    keep('trainer', [`# ${title}`, '', `${facts}. ${NOTE}`, '', ...tableOf(HEAD, rows, 2)]);
}
// A GPU's driver may keep the process alive.
process.exit(0);
