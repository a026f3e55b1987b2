import * as tf from '@tensorflow/tfjs-core';
import { beforeAll, expect, it } from 'vitest';
import { importFile } from '../../../app/bridges/import-file.ts';
import { BadInputError } from '../../../engine/errors.ts';
import type { Graph } from '../../../engine/graph/graph.ts';
import { elementsOf } from '../../../engine/ops/shape.ts';
import { createProblem } from '../../../engine/problem.ts';
import { cpuBackend } from '../../../main/trainer/backends/cpu.ts';
import { kernelOf } from '../../../main/trainer/kernels/registry.ts';
import { importMutant } from '../../support/import-files.ts';
import { predictedBytes, scheduleOf, train } from './training.ts';

/** Enough for every file that is mutated; a mutant may ask for more than any device has. */
const MAX_BYTES = 1 << 20;
const MAX_FLOPS = 1 << 25;
const MUTANTS = 1500;

beforeAll(async () => {
  await cpuBackend.open();
  await tf.setBackend('cpu');
});

function imported(seed: number): Graph | undefined {
  try {
    return importFile(importMutant(seed).file).graph;
  } catch (error) {
    if (error instanceof BadInputError) return undefined;
    throw error;
  }
}

/** True if every operation has a kernel, and all of it is small. */
function isTrainable(graph: Graph): boolean {
  const sum = (figures: Float64Array): number => figures.reduce((all, one) => all + one, 0);
  if (sum(graph.bytes) + 4 * sum(graph.parameters) > MAX_BYTES || sum(graph.flops) > MAX_FLOPS) return false;
  try {
    for (const [v, op] of graph.operations.entries()) if (v > 0) kernelOf(op, graph.ids[v] ?? '');
  } catch {
    return false;
  }
  return graph.operations[0]?.kind === 'input';
}

/** True if the bytes are those of the shapes: a file may state others, which no device will have. */
function hasOwnBytes({ shapes, bytes }: Graph): boolean {
  return shapes.every((shape, v) => 4 * elementsOf(shape) === bytes[v]);
}

it('a network from a mutated file is trained to the predicted byte if it has kernels', async () => {
  let trained = 0;
  for (let seed = 0; seed < MUTANTS; seed++) {
    const graph = imported(seed);
    if (graph === undefined || !isTrainable(graph)) continue;
    const problem = createProblem(graph, 'tfjs');
    const schedule = scheduleOf(problem, 'chen-greedy') ?? scheduleOf(problem, 'regular');
    if (schedule === null) throw new Error(`mutant ${seed} has no schedule`);
    try {
      const { samples } = await train(problem, schedule, 1);
      if (hasOwnBytes(graph)) expect(samples[0]).toEqual(predictedBytes(problem, schedule));
    } catch (error) {
      throw new Error(`mutant ${seed} of ${graph.name}`, { cause: error });
    }
    trained++;
  }
  expect(trained).toBeGreaterThan(40);
});
