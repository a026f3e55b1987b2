import type { GraphBuilder, VertexHandle } from '../graph/builder.ts';
import {
  ADD,
  ADD_INPLACE,
  adaptiveAvgPool,
  batchNorm,
  conv2d,
  dropout,
  FLATTEN,
  linear,
  maxPool,
  RELU_INPLACE,
} from '../ops/make.ts';
import { CIFAR_CLASSES, type Model, type ModelInfo, type Settings } from './model.ts';

/** Zigzag's own small networks: chains of equal cost for theory, tiny ones that train in seconds. */

const SMALL: Pick<ModelInfo, 'family' | 'defaultInput' | 'inputMultiple'> = {
  family: 'Zigzag',
  defaultInput: 32,
  inputMultiple: 1,
};

export const MIN_CHAIN = 2;
export const MAX_CHAIN = 10000;

/**
 * A chain of `length` vertices of equal cost, the image batch included: 3x3 convolutions from 3 to 3
 * channels, each as dear as the other and each keeping its input.
 */
export function chainModel(length: number): Model {
  return {
    info: {
      ...SMALL,
      name: `chain-${length}`,
      title: `Chain of ${length}`,
      linear: true,
      minInput: 1,
      defaultBatch: 32,
      note: `${length} tensors of equal size in a row; any length from ${MIN_CHAIN} to ${MAX_CHAIN} works.`,
    },
    build(b, { batch, input }) {
      let x = b.input('v0', [batch, 3, input, input]);
      for (let i = 1; i < length; i++) x = b.add(`v${i}`, conv2d(3, 3, { padding: 1 }), [x]);
    },
  };
}

/** Convolutions between two separators of the two towers, the last of each run included. */
const TOWER_RUN = 5;
const SEPARATORS = [
  ['a', 'b'],
  ['c', 'd'],
];

/**
 * The multi-tower architecture of article 002: two paths of equal tensors from the input to their sum, cut by the
 * separators {a, b} after a third of the way and {c, d} after two thirds.
 */
export const TWO_TOWERS: Model = towers('two-towers', 'Two towers', false);

/** The same with an edge from one tower to the other in every third, so that no part has one entry and one exit. */
export const TWO_TOWERS_CROSSED: Model = towers('two-towers-crossed', 'Two towers, crossed', true);

function towers(name: string, title: string, crossed: boolean): Model {
  const cross = crossed ? ', each third of one reading the other' : '';
  return {
    info: {
      ...SMALL,
      name,
      title,
      linear: false,
      minInput: 1,
      defaultBatch: 32,
      note: `Two towers of equal tensors${cross}: no single tensor cuts the network, the pairs a, b and c, d do (Bulatov 2018).`,
    },
    build(b, { batch, input }) {
      const image = b.input('input', [batch, 3, input, input]);
      let tops = [image, image];
      for (let i = 1; i < 3 * TOWER_RUN; i++) {
        const ends = i % TOWER_RUN === 0 ? SEPARATORS[i / TOWER_RUN - 1] : undefined;
        tops = tops.map((x, t) =>
          b.add(ends?.[t] ?? `${t === 0 ? 'left' : 'right'}.${i}`, conv2d(3, 3, { padding: 1 }), [x]),
        );
        const [left, right] = tops;
        if (!crossed || i % TOWER_RUN !== 2 || left === undefined || right === undefined) continue;
        tops = [left, b.add(`right.cross${i}`, ADD, [right, left])];
      }
      b.add('sum', ADD, tops);
    },
  };
}

/**
 * The expression of article 002's pebble game, on tensors of equal size: x1, x2 and x4 are leaves, x3 adds x1 and x2,
 * x5 adds x3 and x4. With the leaves first it takes 4 pebbles, with x4 deferred 3.
 */
export const EXPRESSION: Model = {
  info: {
    ...SMALL,
    name: 'expression',
    title: 'Expression of five values',
    linear: false,
    minInput: 1,
    defaultBatch: 32,
    note: 'Five values of equal size: 4 pebbles with the leaves first, 3 with x4 deferred (Bulatov 2018).',
  },
  build(b, { batch, input }) {
    const image = b.input('input', [batch, 3, input, input]);
    const leaf = (id: string): VertexHandle => b.add(id, conv2d(3, 3, { padding: 1 }), [image]);
    const [x1, x2, x4] = [leaf('x1'), leaf('x2'), leaf('x4')];
    b.add('x5', ADD, [b.add('x3', ADD, [x1, x2]), x4]);
  },
};

const FED_STEPS = 12;

/** Article 002's chain of slow operations that each read a value of their own, made by a fast one. */
export const FED_CHAIN: Model = {
  info: {
    ...SMALL,
    name: 'fed-chain',
    title: 'Chain that is fed',
    linear: false,
    minInput: 1,
    defaultBatch: 32,
    note: `${FED_STEPS} steps that each read their own value: as soon as possible needs a pebble per step, as late as possible 3 (Bulatov 2018).`,
  },
  build(b, { batch, input }) {
    const image = b.input('input', [batch, 3, input, input]);
    const leaf = (i: number): VertexHandle => b.add(`value${i}`, conv2d(3, 1), [image]);
    let x = leaf(0);
    for (let i = 1; i <= FED_STEPS; i++) x = b.add(`step${i}`, ADD, [leaf(i), x]);
  },
};

/** Three residual blocks with batch norm; fewer than 50,000 parameters. */
export const TINY_RESIDUAL: Model = {
  info: {
    ...SMALL,
    name: 'tiny-residual',
    title: 'Tiny residual network',
    linear: false,
    minInput: 1,
    defaultBatch: 64,
    note: 'Three residual blocks with batch norm, for training in seconds.',
  },
  build(b, { batch, input }: Settings) {
    let x = b.input('input', [batch, 3, input, input]);
    x = b.add('stem.conv', conv2d(16, 3, { padding: 1, bias: false }), [x]);
    x = b.add('stem.bn', batchNorm(), [x]);
    x = b.add('stem.relu', RELU_INPLACE, [x], 'join');
    x = residualBlock(b, 'block1', x, 16, 1);
    x = residualBlock(b, 'block2', x, 32, 2);
    x = residualBlock(b, 'block3', x, 32, 1);
    classify(b, x);
  },
};

function residualBlock(b: GraphBuilder, id: string, x: VertexHandle, width: number, stride: number) {
  let y = b.add(`${id}.conv1`, conv2d(width, 3, { stride, padding: 1, bias: false }), [x]);
  y = b.add(`${id}.bn1`, batchNorm(), [y]);
  y = b.add(`${id}.relu1`, RELU_INPLACE, [y], 'join');
  y = b.add(`${id}.conv2`, conv2d(width, 3, { padding: 1, bias: false }), [y]);
  y = b.add(`${id}.bn2`, batchNorm(), [y], 'edge');
  let identity = x;
  if (stride !== 1) {
    identity = b.add(`${id}.shortcut.conv`, conv2d(width, 1, { stride, bias: false }), [x]);
    identity = b.add(`${id}.shortcut.bn`, batchNorm(), [identity], 'edge');
  }
  const sum = b.add(`${id}.add`, ADD_INPLACE, [y, identity]);
  return b.add(`${id}.relu2`, RELU_INPLACE, [sum], 'join');
}

/** Convolutions with a dropout after each: shows that a recompute replays the same mask. */
export const TINY_DROPOUT: Model = {
  info: {
    ...SMALL,
    name: 'tiny-dropout',
    title: 'Tiny network with dropout',
    linear: true,
    minInput: 4,
    defaultBatch: 64,
    note: 'A chain of convolutions with dropout 0.5, for training in seconds.',
  },
  defaultDropout: 0.5,
  build(b, { batch, input, dropout: rate }: Settings) {
    let x = b.input('input', [batch, 3, input, input]);
    for (const [stage, width] of [16, 32].entries()) {
      for (const part of ['a', 'b']) {
        const id = `stage${stage + 1}${part}`;
        x = b.add(`${id}.conv`, conv2d(width, 3, { padding: 1 }), [x]);
        x = b.add(`${id}.relu`, RELU_INPLACE, [x], 'join');
        x = b.add(`${id}.dropout`, dropout(rate), [x]);
      }
      x = b.add(`stage${stage + 1}.pool`, maxPool(2), [x]);
    }
    classify(b, x);
  },
};

function classify(b: GraphBuilder, x: VertexHandle): void {
  let y = b.add('avgpool', adaptiveAvgPool(1), [x]);
  y = b.add('flatten', FLATTEN, [y]);
  b.add('fc', linear(CIFAR_CLASSES), [y], 'join');
}
