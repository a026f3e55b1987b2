import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Table from 'cli-table3';
import type { TrainEvent } from '../../app/contract/training.ts';
import { formatBytes } from '../../engine/bytes.ts';
import { totalParameters } from '../../engine/graph/graph.ts';
import { buildModel, MODELS, type ModelInfo } from '../../engine/zoo/zoo.ts';
import { NODE_BACKENDS } from '../../main/trainer/backends/node.ts';
import { machine } from '../support/bench-results.ts';
import { runTraining } from '../../main/trainer/run.ts';
import { supervised } from '../../main/trainer/supervision.ts';

/**
 * Every network of the zoo trains: two iterations at a small size, milliseconds of the second, and whether the
 * predicted peak is the measured one. Writes test/bench/results/zoo-trains.txt when all of the zoo ran.
 * ZIGZAG_BACKEND names another backend than wasm, ZIGZAG_MODELS some networks (comma-separated).
 */
const BATCH = 2;
const SEQUENCE = 8;
const IMAGE = 32;
const CAPTION =
  'the second of two iterations: bytes are exact, milliseconds those of a machine that may do other work too';
const RESULTS = join('test', 'bench', 'results', 'zoo-trains.txt');

const wanted = process.env['ZIGZAG_MODELS']?.split(',');
const backend = NODE_BACKENDS.find(({ name }) => name === process.env['ZIGZAG_BACKEND'])?.name ?? 'wasm';
const models = MODELS.filter(({ name }) => wanted === undefined || wanted.includes(name));
const table = new Table({
  head: ['network', 'batch', 'input', 'parameters', 'stationary', 'predicted', 'measured', 'ms', 'loss'],
  colAligns: ['left', ...Array.from({ length: 8 }, () => 'right' as const)],
  style: { head: [], border: [], compact: true },
});

/** A sequence of a few tokens, or an image of about 32x32. */
function smallSize({ name, minInput, inputMultiple }: ModelInfo): { batch: number; input: number } {
  const isSequence = buildModel(name, { batch: 1, input: minInput }).operations[0]?.kind === 'tokens';
  if (isSequence) return { batch: 1, input: SEQUENCE };
  const images = Math.ceil(IMAGE / inputMultiple) * inputMultiple;
  return { batch: BATCH, input: Math.max(minInput, images) };
}

/** The last event of a run, or the sentence with which it ended. */
async function train(model: string, batch: number, input: number): Promise<TrainEvent | string> {
  let last: TrainEvent | string = 'no event';
  const request = { model, batch, input, strategy: 'regular', seed: 1, iterations: 2, backend };
  try {
    const emit = (event: TrainEvent): void => {
      last = event;
    };
    const settings = { ...request, learningRate: 1e-4, momentum: 0.9 };
    await runTraining(settings, emit, supervised(), { backends: NODE_BACKENDS });
  } catch (error) {
    last = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  return last;
}

for (const info of models) {
  const { batch, input } = smallSize(info);
  const parameters = totalParameters(buildModel(info.name, { batch, input }));
  const row = [info.name, batch, input, parameters.toLocaleString('en')];
  const end = await train(info.name, batch, input);
  if (typeof end === 'string' || end.event !== 'done') {
    const content = typeof end === 'string' ? end : `ended with ${end.event}`;
    table.push([...row, { colSpan: 5, content }]);
    console.log(`${info.name}: ${content}`);
    continue;
  }
  const { predictedPeakBytes, measuredPeakBytes, stationaryBytes, iterationMs, loss } = end;
  const differs = predictedPeakBytes === measuredPeakBytes ? '' : ' (differs)';
  table.push([
    ...row,
    formatBytes(stationaryBytes),
    formatBytes(predictedPeakBytes),
    `${formatBytes(measuredPeakBytes)}${differs}`,
    (iterationMs.at(-1) ?? 0).toFixed(0),
    loss.map((value) => value.toFixed(2)).join(', '),
  ]);
  console.log(`${info.name}: ${(iterationMs.at(-1) ?? 0).toFixed(0)} ms${differs}`);
}
console.log(table.toString());
if (wanted === undefined) {
  mkdirSync(join('test', 'bench', 'results'), { recursive: true });
  writeFileSync(RESULTS, `${backend} on ${machine()}; ${CAPTION}\n\n${table.toString()}\n`);
}
// A GPU's driver may keep the process alive.
process.exit(0);
