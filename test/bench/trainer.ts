import Table from 'cli-table3';
import { createProblem } from '../../engine/problem.ts';
import { solveRow } from '../../engine/strategies/solve.ts';
import { buildModel } from '../../engine/zoo/zoo.ts';
import { chooseBackend } from '../../main/trainer/backends/choose.ts';
import { NODE_BACKENDS } from '../../main/trainer/backends/node.ts';
import { syntheticData } from '../../main/trainer/data/synthetic-data.ts';
import { formatBytes } from '../../main/trainer/errors.ts';
import { measurePaired, quantile } from '../../main/trainer/paired.ts';
import { measureStepTimes, overheadByTimes } from '../../main/trainer/step-times.ts';

/**
 * Predicted and measured peak, predicted and measured time overhead of one training step, by network and
 * strategy. Overhead is predicted twice: by FLOPs, and by the times of single kernels on this device.
 * Runs on the first backend that works; ZIGZAG_BACKEND names another, ZIGZAG_PAIRS how many pairs of
 * iterations count (5), ZIGZAG_CLOCK=cpu counts processor time, for a machine that others use too.
 */
const NETWORKS = [
  { model: 'resnet18', batch: 2, input: 224 },
  { model: 'densenet121', batch: 2, input: 64 },
  { model: 'inceptionv3', batch: 2, input: 128 },
  { model: 'nasnet', batch: 2, input: 32 },
] as const;
const STRATEGIES = ['chen-sqrt', 'articulation', 'optimal', 'live'] as const;
const SEED = 1;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Processor time of this process, helpers of the runtime included. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const clock = process.env['ZIGZAG_CLOCK'] === 'cpu' ? { now: cpuMs } : {};
const pairs = Number(process.env['ZIGZAG_PAIRS'] ?? 5);
const requested = NODE_BACKENDS.find(({ name }) => name === process.env['ZIGZAG_BACKEND'])?.name;
const { backend, reason } = await chooseBackend(requested, NODE_BACKENDS);
console.log(`${backend.name} on ${backend.device} (${reason}); ${pairs} pairs of iterations`);
const table = new Table({
  head: [
    'network',
    'strategy',
    'predicted peak',
    'measured peak',
    'overhead by FLOPs',
    'by times',
    'measured',
    'quartiles',
    'ms',
  ],
  colAligns: ['left', 'left', 'right', 'right', 'right', 'right', 'right', 'right', 'right'],
  style: { head: [], border: [], compact: true },
});
for (const { model, batch, input } of NETWORKS) {
  const graph = buildModel(model, { batch, input });
  const problem = createProblem(graph, 'tfjs');
  const data = syntheticData(graph, SEED);
  const times = await measureStepTimes(problem, data, backend, { iterations: 3, seed: SEED });
  const regular = solveRow(problem, 'regular', { seed: SEED });
  for (const strategy of ['regular', ...STRATEGIES]) {
    const row = solveRow(problem, strategy, { seed: SEED });
    const name = `${model} ${input}x${input} b${batch}`;
    if (row.schedule === null || row.peakBytes === null || regular.schedule === null) {
      table.push([name, strategy, { colSpan: 7, content: row.reason ?? '' }]);
      continue;
    }
    const paired = await measurePaired(problem, regular.schedule, row.schedule, data, backend, {
      pairs,
      warmUp: 1,
      seed: SEED,
      ...clock,
    });
    table.push([
      name,
      strategy,
      formatBytes(row.peakBytes),
      `${formatBytes(paired.measuredPeakBytes)}${paired.measuredPeakBytes === row.peakBytes ? '' : ' (differs)'}`,
      percent(row.predictedOverhead ?? 0),
      percent(overheadByTimes(row.schedule, times)),
      percent(paired.overhead),
      paired.quartiles.map(percent).join(' to '),
      quantile(paired.strategyMs, 0.5).toFixed(0),
    ]);
  }
}
console.log(table.toString());
// A GPU's driver may keep the process alive.
process.exit(0);
