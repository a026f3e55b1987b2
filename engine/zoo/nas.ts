import type { GraphBuilder, VertexHandle } from '../graph/builder.ts';
import { ADD, adaptiveAvgPool, batchNorm, CONCAT, conv2d, FLATTEN, linear } from '../ops/make.ts';
import { CIFAR_CLASSES, type Model, type Settings } from './model.ts';
import { AMOEBANET, type Cell, DARTS, type Genotype, NASNET } from './nas-genotypes.ts';
import { addNasOperation, factorizedReduce, reluConvNorm } from './nas-operations.ts';

/**
 * The NAS networks of 000, Table 2, for CIFAR-10: 20 cells, 36 channels at first, reduction cells at a
 * third and two thirds (channels double), a stem of 3 x 36 channels, no auxiliary head, drop-path at
 * probability 0 and therefore absent. In the papers' view every operation is a vertex, but flatten joins
 * the linear layer and the shift of a factorized reduce lies on the edge into its convolution.
 */
const CELLS = 20;
const CHANNELS = 36;
const STEM_MULTIPLIER = 3;
const REDUCTIONS: readonly number[] = [Math.floor(CELLS / 3), Math.floor((2 * CELLS) / 3)];

export const NAS_NETWORKS: readonly Model[] = [
  nasModel('nasnet', 'NASNet-A', NASNET),
  nasModel('amoebanet', 'AmoebaNet-A', AMOEBANET),
  nasModel('darts', 'DARTS', DARTS),
];

function nasModel(name: string, title: string, genotype: Genotype): Model {
  return {
    info: {
      name,
      title,
      family: 'NAS',
      linear: false,
      defaultInput: 32,
      minInput: 4,
      inputMultiple: 4,
      defaultBatch: 64,
      note: 'CIFAR-10 network of 20 published cells with 36 initial channels.',
    },
    build: (b, settings) => buildNas(b, settings, genotype),
  };
}

function buildNas(b: GraphBuilder, { batch, input }: Settings, genotype: Genotype): void {
  const image = b.input('input', [batch, 3, input, input]);
  const stemConv = conv2d(STEM_MULTIPLIER * CHANNELS, 3, { padding: 1, bias: false });
  const stem = b.add('stem.1', batchNorm(), [b.add('stem.0', stemConv, [image])]);
  let channels = CHANNELS;
  let older = stem;
  let newer = stem;
  for (let i = 0; i < CELLS; i++) {
    const id = `cells.${i}`;
    const reduces = REDUCTIONS.includes(i);
    if (reduces) channels *= 2;
    // The older input still has the size from before the reduction.
    const preprocess = REDUCTIONS.includes(i - 1) ? factorizedReduce : reluConvNorm;
    const state0 = preprocess(b, `${id}.preprocess0`, older, channels);
    const state1 = reluConvNorm(b, `${id}.preprocess1`, newer, channels);
    const cell = reduces ? genotype.reduce : genotype.normal;
    older = newer;
    newer = addCell(b, id, cell, [state0, state1], channels, reduces ? 2 : 1);
  }
  const pooled = b.add('global_pooling', adaptiveAvgPool(1), [newer]);
  const flat = b.add('flatten', FLATTEN, [pooled]);
  b.add('classifier', linear(CIFAR_CLASSES), [flat], 'join');
}

function addCell(
  b: GraphBuilder,
  id: string,
  cell: Cell,
  inputs: readonly [VertexHandle, VertexHandle],
  channels: number,
  strideOfInputs: number,
): VertexHandle {
  const states: VertexHandle[] = [...inputs];
  const apply = (index: number): VertexHandle => {
    const [operation, state] = cell.entries[index]!;
    const stride = state < 2 ? strideOfInputs : 1;
    return addNasOperation(b, `${id}.ops.${index}`, operation, states[state]!, channels, stride);
  };
  for (let index = 0; index < cell.entries.length; index += 2) {
    const left = apply(index);
    const right = apply(index + 1);
    states.push(b.add(`${id}.add.${index / 2}`, ADD, [left, right]));
  }
  return b.add(
    `${id}.cat`,
    CONCAT,
    cell.concat.map((state) => states[state]!),
  );
}
