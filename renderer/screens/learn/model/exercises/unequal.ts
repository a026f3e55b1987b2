import { InternalError } from '../../../../../engine/errors.ts';
import { paperCost } from '../../../../../engine/paper/paper-cost.ts';
import { solveOptimal } from '../../../../../engine/paper/solve-optimal.ts';
import { createTensorGraph, type TensorGraph } from '../../../../../engine/paper/tensor-graph.ts';
import { accessModel } from '../accessibility.ts';
import type { Chance } from './chance.ts';
import { exercise, type Drawing, listed, right, wrong, chainDrawing } from './question.ts';

const nameOf = (v: number): string => `v${v}`;

function costsOf(chance: Chance, tensors: number): number[] {
  return Array.from({ length: tensors }, () => chance.between(1, 9));
}

const chainOf = (costs: readonly number[]): TensorGraph =>
  createTensorGraph(
    costs,
    costs.slice(1).map((_, i): [number, number] => [i, i + 1]),
  );

function costOf(tensors: TensorGraph, kept: readonly number[]) {
  const cost = paperCost(tensors, kept);
  if (!cost.ok) throw new InternalError('every set of checkpoints cuts a chain');
  return cost;
}

function drawingOf(costs: readonly number[], kept: readonly number[] = []): Drawing {
  const last = costs.length - 1;
  const sizes = costs.map((cost, v) => (v === 0 ? 'source' : v === last ? 'target' : String(cost)));
  const said = costs.map((cost, v) => `${nameOf(v)} ${cost}`).slice(1, -1);
  return chainDrawing(
    `A chain from v0, the source, to v${last}, the target. Sizes: ${said.join(', ')}.`,
    costs.map((_, v) => nameOf(v)),
    sizes,
    kept,
  );
}

const eq1 = exercise('unequal.eq1', 'Compute Eq. 1', (chance) => {
  const costs = costsOf(chance, 9);
  const kept = chance.some([2, 3, 4, 5, 6], 2);
  const tensors = chainOf(costs);
  const { cost, checkpointCost, maxTerm, segments } = costOf(tensors, kept);
  const sum = costs.slice(1, -1).reduce((a, b) => a + b, 0);
  const smallest = Math.min(...segments.map((segment) => segment.cost));
  return {
    text: `The chain keeps ${listed(kept.map(nameOf))}, the filled ones. What is its cost by Eq. 1?`,
    hint: 'Add the sizes of the checkpoints and the largest sum between two of them. Source and target cost nothing.',
    unit: 'plain',
    drawing: drawingOf(costs, kept),
    value: cost,
    because: `Checkpoints ${checkpointCost} + largest segment ${maxTerm} = ${cost}.`,
    slips: [
      [checkpointCost, 'those are the checkpoints; the largest segment comes on top.'],
      [maxTerm, 'that is the largest segment; the checkpoints come on top.'],
      [sum, 'that is everything; only one segment is in memory at a time, so only the largest counts.'],
      [checkpointCost + smallest, 'you took the smallest segment; the largest decides.'],
      [cost + costs[0]! + costs.at(-1)!, 'source and target are not counted.'],
      [cost + costs[0]!, 'the source is not counted.'],
      [
        checkpointCost + Math.max(...costs.slice(1, -1).filter((_, i) => !kept.includes(i + 1))),
        'you took the largest tensor; a segment is everything between two checkpoints.',
      ],
    ],
  };
});

const reach = exercise('unequal.reach', 'The longest arc', (chance) => {
  const costs = costsOf(chance, 10);
  const from = chance.between(1, 3);
  const limit = chance.between(9, 16);
  const leaps = accessModel(costs).leaps.filter((leap) => leap.from === from);
  const furthest = Math.max(...leaps.filter(({ cost }) => cost <= limit).map(({ to }) => to));
  const inReach = leaps.filter(({ to }) => Math.abs(to - furthest) <= 2 && to > from).slice(0, 4);
  return {
    text: `The max term is C = ${limit}. In the accessibility graph, what is the furthest tensor that an arc from v${from} reaches?`,
    hint: 'Add up the tensors strictly between; both ends of the arc are kept and do not count.',
    drawing: drawingOf(costs),
    options: inReach.map(({ to, cost }) => ({
      text: nameOf(to),
      isRight: to === furthest,
      why:
        to === furthest
          ? `The tensors between v${from} and v${to} add up to ${cost}, which fits into ${limit}; one tensor more does not.`
          : cost <= limit
            ? `v${to} is in reach: the tensors in between add up to ${cost}. But so is a tensor after it.`
            : `The tensors between v${from} and v${to} add up to ${cost}, more than ${limit}.`,
    })),
  };
});

const place = exercise('unequal.place', 'The minimum of Eq. 1', (chance) => {
  const costs = costsOf(chance, 9);
  const tensors = chainOf(costs);
  const best = solveOptimal(tensors);
  return {
    kind: 'placing',
    text: 'Keep tensors of this chain so that Eq. 1 is as small as it can be.',
    hint: 'Small tensors make good checkpoints. Look at the largest segment: can a small tensor inside it be kept?',
    drawing: drawingOf(costs),
    isOrdered: false,
    open: costs.map((_, v) => v).slice(1, -1),
    solution: () =>
      `Keep ${listed(best.checkpoints.map(nameOf)) || 'nothing'}: checkpoints ${best.checkpointCost} + largest segment ${best.maxTerm} = ${best.cost}.`,
    judge: (marked) => {
      const { cost, checkpointCost, maxTerm, segments } = costOf(tensors, marked);
      const sum = `checkpoints ${checkpointCost} + largest segment ${maxTerm} = ${cost}`;
      if (cost === best.cost) return right(`${sum[0]!.toUpperCase()}${sum.slice(1)}, the minimum.`);
      const largest = segments.find((segment) => segment.cost === maxTerm);
      const where =
        largest === undefined
          ? 'the segments are empty, but too much is kept'
          : `the largest segment lies between v${largest.source} and v${largest.target}`;
      return wrong(`Yours: ${sum}, ${cost - best.cost} above the minimum; ${where}.`);
    },
  };
});

export const UNEQUAL_EXERCISES = [eq1, reach, place];
