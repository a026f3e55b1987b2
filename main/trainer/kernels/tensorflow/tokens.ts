import type { AddedEmbeddingOp } from '../../../../engine/ops/added-embedding.ts';
import type { EmbeddingOp } from '../../../../engine/ops/embedding.ts';
import type { SplitOp } from '../../../../engine/ops/sequence-views.ts';
import { addedEmbeddingKernel, embeddingKernel, usedRows } from '../embedding.ts';
import { type Kernel, kept } from '../kernel.ts';
import { splitKernel } from '../sequence-slices.ts';
import { add, columnSums, integer, margins, part, reshape, run, vector } from './run.ts';

/** embedding.ts; rows of one token are added in order with any number of threads (each thread has its own tokens). */
export const tensorflowEmbedding: Kernel<EmbeddingOp> = {
  ...embeddingKernel,
  forward({ inputs, parameters }) {
    const given = [kept(parameters[0], 'its table'), kept(inputs[0], 'its tokens'), integer(0)];
    return { output: run(part('GatherV2', given)), aux: [] };
  },
  backward({ op, gradient, inputs }) {
    const given = [gradient, kept(inputs[0], 'its tokens'), integer(op.count)];
    return { inputs: [null], parameters: [run(part('UnsortedSegmentSum', given))] };
  },
};

export const tensorflowAddedEmbedding: Kernel<AddedEmbeddingOp> = {
  ...addedEmbeddingKernel,
  forward({ op, inputs, parameters }) {
    const x = kept(inputs[0], 'its input');
    const table = kept(parameters[0], 'its table');
    const size = [usedRows(op, x.shape), x.shape[2] ?? 1];
    const rows = part('Slice', [table, vector([0, 0]), vector(size)]);
    return { output: run(add(x, rows)), aux: [] };
  },
  backward({ op, gradient, wants }) {
    const [n = 1, length = 1, width = 1] = gradient.shape;
    const used = usedRows(op, gradient.shape);
    const sums = columnSums(reshape(gradient, [(n * length) / used, used * width]));
    const unused = margins([
      [0, op.count - used],
      [0, 0],
    ]);
    return {
      inputs: [wants[0] === true ? gradient : null],
      parameters: [run(part('Pad', [reshape(sums, [used, width]), unused]))],
    };
  },
};

export const tensorflowSplit: Kernel<SplitOp> = {
  ...splitKernel,
  forward({ op, inputs, outputShape }) {
    const from = vector([0, 0, op.part * (outputShape[2] ?? 1)]);
    return { output: run(part('Slice', [kept(inputs[0], 'its input'), from, vector(outputShape)])), aux: [] };
  },
  backward({ op, gradient, outputShape, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    const width = outputShape[2] ?? 1;
    const around = margins([
      [0, 0],
      [0, 0],
      [op.part * width, (op.parts - 1 - op.part) * width],
    ]);
    return { inputs: [run(part('Pad', [gradient, around]))], parameters: [] };
  },
};
