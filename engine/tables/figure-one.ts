import { comparisonHead } from '../comparison/head.ts';
import { deviceOf, FIRST_DEVICE } from '../devices/devices.ts';
import { createProblem } from '../problem.ts';
import { solveRow } from '../strategies/solve.ts';
import { buildModel } from '../zoo/zoo.ts';
import type { TableRecipe, TableRow } from './table.ts';

const NETWORK = 'resnet50';
/** Data-parallel training splits a batch evenly. */
const GPUS = 4;
const GIB = 2 ** 30;

/** The table of Figure 1 of paper 000: what 4 RTX 2080 Ti can train, regular and with checkpoints. */
export const FIGURE_1 = [
  { batch: 256, input: 224, regular: true },
  { batch: 512, input: 224, regular: false },
  { batch: 256, input: 320, regular: false },
] as const;

/**
 * Memory of one of the four devices at each size of Figure 1 of paper 000: weights, their gradients and a momentum
 * buffer, the context (devices.ts, an assumption), and the simulated peak at a quarter of the batch.
 */
export function figureOneRecipe(): TableRecipe {
  const device = deviceOf(FIRST_DEVICE);
  const memory = (device?.memoryGiB ?? 0) * GIB;
  const context = (device?.contextGiB ?? 0) * GIB;
  const rowOf = (index: number): TableRow => {
    const { batch, input, regular } = FIGURE_1[index] ?? FIGURE_1[0];
    const own = batch / GPUS;
    const problem = createProblem(buildModel(NETWORK, { batch: own, input }), 'pytorch');
    const head = comparisonHead(problem, { model: NETWORK, batch: own });
    const need = (strategy: string): number =>
      head.stationaryBytes + context + (solveRow(problem, strategy, { seed: 0 }).peakBytes ?? Number.NaN);
    const [plain, optimal, live] = ['regular', 'optimal', 'live'].map(need);
    return {
      size: `Batch ${batch} at ${input} pixels`,
      batch,
      input,
      perDevice: own,
      paperRegular: mark(regular),
      paperGcp: mark(true),
      regularGiB: gibibytes(plain),
      regularFits: mark((plain ?? 0) <= memory),
      optimalGiB: gibibytes(optimal),
      optimalFits: mark((optimal ?? 0) <= memory),
      liveGiB: gibibytes(live),
      liveFits: mark((live ?? 0) <= memory),
    };
  };
  return {
    head: {
      name: 'figure1',
      title: `ResNet-50 on ${GPUS} ${device?.title}`,
      citation: 'Feng & Huang, CVPR 2021, Figure 1',
      notes: [
        `Ours: GiB on one device with a ${GPUS === 4 ? 'quarter' : 'share'} of the batch: weights, gradients, momentum, ${device?.contextGiB} GiB of context (an assumption) and the simulated peak; it fits within ${device?.memoryGiB} GiB.`,
        'Zigzag: zigzag limits resnet50 --memory 11GiB gives the largest batch of one device.',
      ],
      columns: [
        { key: 'size', title: 'size', from: 'both', digits: 0 },
        { key: 'perDevice', title: 'images a device', from: 'both', digits: 0 },
        { key: 'paperRegular', title: 'regular', from: 'paper', digits: 0 },
        { key: 'paperGcp', title: 'checkpoints', from: 'paper', digits: 0 },
        { key: 'regularGiB', title: 'regular GiB', from: 'ours', digits: 2 },
        { key: 'regularFits', title: 'fits', from: 'ours', digits: 0 },
        { key: 'optimalGiB', title: 'optimal GiB', from: 'ours', digits: 2 },
        { key: 'optimalFits', title: 'fits', from: 'ours', digits: 0 },
        { key: 'liveGiB', title: 'live GiB', from: 'ours', digits: 2 },
        { key: 'liveFits', title: 'fits', from: 'ours', digits: 0 },
      ],
    },
    networks: FIGURE_1.map(({ batch, input }) => `Batch ${batch} at ${input} pixels`),
    rowOf,
  };
}

const mark = (yes: boolean): string => (yes ? '✓' : '✗');

const gibibytes = (bytes: number | undefined): number =>
  Math.round(((bytes ?? Number.NaN) / GIB) * 100) / 100;
