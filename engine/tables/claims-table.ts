import { bytesPer } from '../bytes.ts';
import { createProblem } from '../problem.ts';
import { solveRow } from '../strategies/solve.ts';
import { buildModel } from '../zoo/zoo.ts';
import type { TableRecipe, TableRow } from './table.ts';

/** Numbers that paper 000 says in sentences, each computed. */

interface Claim {
  readonly claim: string;
  readonly printed: string;
  readonly unit: '%' | 'GiB' | 'pixels';
  readonly ours: () => number;
  readonly holds: (ours: number) => boolean;
  readonly command: string;
}

const GIB = bytesPer('GiB');
const DETECTION_SIDE = 600;
const DETECTION_GB = 30;
const EQUAL_TENSORS = 100;

const problemOf = (model: string, batch: number, input: number) =>
  createProblem(buildModel(model, { batch, input }), 'pytorch');

/** Peak of one step in GiB. */
const peakOf = (model: string, batch: number, input: number, strategy: string): number =>
  (solveRow(problemOf(model, batch, input), strategy, { seed: 0 }).peakBytes ?? Number.NaN) / GIB;

/** Least Eq. 1 of a chain of equal tensors, in percent of all of them. */
function equalTensors(): number {
  const problem = problemOf(`chain-${EQUAL_TENSORS}`, 1, 1);
  const { paperCostBytes } = solveRow(problem, 'linear-optimal', { seed: 0 });
  return (
    (100 * (paperCostBytes ?? Number.NaN)) / problem.view.tensors.cost.reduce((sum, cost) => sum + cost, 0)
  );
}

/** Checkpoints on a larger batch or input, in percent of what regular training takes on 16 images of 224 pixels. */
const shareOf = (batch: number, input: number): number =>
  (100 * peakOf('resnet152', batch, input, 'optimal')) / peakOf('resnet152', 16, 224, 'regular');

/** The side of an image, found by bisection, from which regular training of ResNet-101 takes more than the 30 GB. */
function detectionSide(): number {
  let [below, above] = [0, 2 * DETECTION_SIDE];
  while (above - below > 1) {
    const middle = (below + above) >> 1;
    if (middle >= 32 && peakOf('resnet101', 32, middle, 'regular') > DETECTION_GB) above = middle;
    else below = middle;
  }
  return above;
}

const CLAIMS: readonly Claim[] = [
  {
    claim: `${EQUAL_TENSORS} equal tensors`,
    printed: '20 % of the memory',
    unit: '%',
    ours: equalTensors,
    holds: (ours) => ours <= 20,
    command: `zigzag solve chain-${EQUAL_TENSORS} --strategy linear-optimal`,
  },
  {
    claim: 'ResNet-152: four times the batch of regular training',
    printed: 'fits the same GPU',
    unit: '%',
    ours: () => shareOf(64, 224),
    holds: (ours) => ours <= 100,
    command: 'zigzag solve resnet152 --batch 64 --strategy optimal',
  },
  {
    claim: 'ResNet-152: twice the side of regular training',
    printed: 'fits the same GPU',
    unit: '%',
    ours: () => shareOf(16, 448),
    holds: (ours) => ours <= 100,
    command: 'zigzag solve resnet152 --batch 16 --input 448 --strategy optimal',
  },
  {
    claim: 'ResNet-101: 32 images of 224 pixels',
    printed: 'around 4 GB',
    unit: 'GiB',
    ours: () => peakOf('resnet101', 32, 224, 'regular'),
    holds: (ours) => Math.round(ours) === 4,
    command: 'zigzag solve resnet101 --batch 32 --strategy regular',
  },
  {
    claim: `ResNet-101: 32 images of ${DETECTION_SIDE} pixels`,
    printed: `more than ${DETECTION_GB} GB`,
    unit: 'GiB',
    ours: () => peakOf('resnet101', 32, DETECTION_SIDE, 'regular'),
    holds: (ours) => ours > DETECTION_GB,
    command: `zigzag solve resnet101 --batch 32 --input ${DETECTION_SIDE} --strategy regular`,
  },
  {
    claim: `ResNet-101: side from which 32 images need more than ${DETECTION_GB} GiB`,
    printed: `above ${DETECTION_SIDE}`,
    unit: 'pixels',
    ours: detectionSide,
    holds: (ours) => ours > DETECTION_SIDE,
    command: 'zigzag solve resnet101 --batch 32 --input SIDE --strategy regular',
  },
];

/** Claims of paper 000 in sentences: its footnote 1, section 1 and section 4. */
export function claimsRecipe(): TableRecipe {
  const rowOf = (index: number): TableRow => {
    const one = CLAIMS[index];
    if (one === undefined) return {};
    const { claim, printed, unit, command } = one;
    const value = one.ours();
    const rounded = Math.round(value * 10) / 10;
    return {
      claim,
      printed,
      ours: rounded,
      unit,
      computed: `${rounded} ${unit}`,
      holds: one.holds(value) ? '✓' : '✗',
      command,
    };
  };
  return {
    head: {
      name: 'claims',
      title: 'Claims of the CVPR paper in sentences',
      citation: 'Feng & Huang, CVPR 2021, footnote 1 and sections 1 and 4',
      notes: [
        `Footnote 1: 80 % less memory lets the input’s side double or the batch quadruple on the same GPU; percent of the regular peak at 16 images of 224 pixels. GiB are simulated peaks, weights excluded, as the papers’ MB are 2^20.`,
      ],
      columns: [
        { key: 'claim', title: 'claim', from: 'both', digits: 0 },
        { key: 'printed', title: 'says', from: 'paper', digits: 0 },
        { key: 'computed', title: 'computed', from: 'ours', digits: 0 },
        { key: 'holds', title: 'holds', from: 'both', digits: 0 },
        { key: 'command', title: 'command', from: 'both', digits: 0 },
      ],
    },
    networks: CLAIMS.map(({ claim }) => claim),
    rowOf,
  };
}
