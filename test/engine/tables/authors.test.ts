import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import { conv2d, RELU } from '../../../engine/ops/make.ts';
import { createProblem } from '../../../engine/problem.ts';
import { AuthorsRun } from '../../../engine/tables/authors/authors-run.ts';
import { Heap } from '../../../engine/tables/authors/heap.ts';
import { AUTHORS_RULES } from '../../../engine/tables/authors/rules.ts';
import { authorsDivision } from '../../../engine/tables/authors/run-graph.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';

const MIB = 2 ** 20;

describe('the caching allocator', () => {
  const liveAfter = (...mebibytes: number[]): number => {
    const heap = new Heap(false);
    for (const size of mebibytes) heap.allocate(size * MIB);
    return heap.live / MIB;
  };

  it('[E8] splits off a rest above 1 MiB only', () => {
    // Segments of 12 and of 50 MiB: a rest of 1.75 MiB and one of 1 MiB.
    expect(liveAfter(10.25)).toBe(10.25);
    expect(liveAfter(49)).toBe(50);
    // Below 10 MiB two share a segment of 20 MiB, and 10 MiB leave 1 MiB of its rest; small ones are cut to 512 bytes.
    expect(liveAfter(9, 9)).toBe(18);
    expect(liveAfter(9, 10)).toBe(20);
    expect(liveAfter(0.3) * MIB).toBe(Math.ceil((0.3 * MIB) / 512) * 512);
  });

  it('[E8] takes the smallest free block that is large enough, and joins free neighbours', () => {
    const heap = new Heap(false);
    const [a, b] = [heap.allocate(4 * MIB), heap.allocate(4 * MIB)];
    heap.drop(a);
    heap.drop(b);
    // In the whole segment of 20 MiB a rest of 5 is split off; one of its own, of 16 MiB, would go as a whole.
    heap.allocate(15 * MIB);
    expect(heap.live).toBe(15 * MIB);
  });

  it('counts what was asked for where blocks are left out', () => {
    const heap = new Heap(true);
    const first = heap.allocate(3);
    heap.hold(first);
    heap.drop(first);
    expect(heap.live).toBe(3);
    heap.drop(first);
    expect([heap.live, heap.peak]).toEqual([0, 3]);
  });
});

describe('the authors\u2019 program', () => {
  const OFF = AUTHORS_RULES.filter((rule) => rule !== 'blocks');

  it.each(['vgg11', 'resnet18', 'densenet121', 'inceptionv3', 'darts'])(
    'holds nothing after an iteration of %s, whichever rules hold',
    (network) => {
      const problem = createProblem(buildModel(network, { batch: 1 }), 'pytorch-1.5');
      const division = authorsDivision(problem.view.tensors);
      for (const off of [[], ...OFF.map((rule) => [rule])]) {
        const run = new AuthorsRun(problem, [...off, 'blocks']);
        run.regular();
        expect(run.heap.live).toBe(0);
        run.checkpointed(division);
        expect(run.heap.live).toBe(0);
        expect(run.heap.peak).toBeGreaterThan(0);
      }
    },
  );

  it('divides every edge of the papers\u2019 graph into one part', () => {
    for (const network of ['resnet101', 'nasnet']) {
      const { tensors } = createProblem(buildModel(network, { batch: 1 }), 'pytorch-1.5').view;
      const edges = authorsDivision(tensors).flatMap((part) => part.edges);
      expect(edges.toSorted((a, b) => a - b)).toEqual(Array.from({ length: tensors.edgeCount }, (_, e) => e));
    }
  });

  it('[E1] [E7] of a convolution and a ReLU that is not in place is a sum that one can do by hand', () => {
    const b = new GraphBuilder('two');
    const image = b.input('x', [1, 1, 8, 8]);
    const convolved = b.add('conv', conv2d(1, 3, { padding: 1, bias: false }), [image]);
    b.add('relu', RELU, [convolved]);
    const problem = createProblem(b.build(), 'pytorch-1.5');
    const run = new AuthorsRun(problem, ['blocks']);
    run.regular();
    // 256 bytes each: input, convolved and result, and the gradient of convolved; at the backward of conv no more than
    // input, result, that gradient, that of the input, and 36 bytes of a new weight gradient.
    expect(run.heap.peak).toBe(4 * 256 + 36);
  });

  it('[E7] has new gradients of weights beside the accumulated ones', () => {
    const problem = createProblem(buildModel('vgg19', { batch: 64 }), 'pytorch-1.5');
    const [held, without] = [[], ['weight-gradients'] as const].map((off) => {
      const run = new AuthorsRun(problem, [...off, 'workspace', 'blocks']);
      run.regular();
      return run.heap.peak / MIB;
    });
    // fc6: 25088 x 4096 weights and 4096 biases, 392 MiB, less what is live at the usual peak and not at its backward.
    expect(held! - without!).toBeGreaterThan(370);
    expect(held! - without!).toBeLessThan(392.1);
  });

  it('[E9] adds the workspace of a weight gradient, where a convolution takes one', () => {
    const peakOf = (channels: number, stride: number, off: ('blocks' | 'workspace')[]): number => {
      const b = new GraphBuilder('one');
      const image = b.input('x', [2, channels, 10, 10]);
      b.add('conv', conv2d(32, 3, { stride, padding: 1, bias: false }), [image]);
      const run = new AuthorsRun(createProblem(b.build(), 'pytorch-1.5'), off);
      run.regular();
      return run.heap.peak;
    };
    const added = (channels: number, stride: number): number =>
      peakOf(channels, stride, ['blocks']) - peakOf(channels, stride, ['blocks', 'workspace']);
    // 3 x 3 tiles of each of 2 images, 6 x 6 values of 4 bytes each.
    expect(added(65, 1)).toBe(4 * 36 * (2 * 9 * (65 + 32) + 65 * 32));
    expect(added(64, 1)).toBe(0);
    expect(added(65, 2)).toBe(0);
  });

  it.each([
    ['densenet121', 2, 52_760_712, 11],
    ['darts', 1, 19_685_808, 282],
  ])('[E1] to [E7] hold what the program itself held on a CPU: %s', (network, batch, measured, segments) => {
    const problem = createProblem(buildModel(network, { batch }), 'pytorch-1.5');
    const division = authorsDivision(problem.view.tensors);
    const run = new AuthorsRun(problem, ['blocks', 'workspace']);
    run.checkpointed(division);
    expect(division.length).toBe(segments);
    // On a CPU each segment keeps the state of the random numbers, and the loss and its gradient are 4 bytes each.
    expect(run.heap.peak + segments * 5056 + 8).toBe(measured);
  });
});
