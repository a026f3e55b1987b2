import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs-core';
import { findTorch2Python, findTorchPython } from '../../../app/start/python.mjs';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import type { OpenBackend } from '../../../main/trainer/backends/backend.ts';
import { syntheticData } from '../../../main/trainer/data/synthetic-data.ts';
import { Executor } from '../../../main/trainer/executor.ts';
import { quantile } from '../../../main/trainer/paired.ts';
import { ParameterStore } from '../../../main/trainer/parameter-store.ts';

/** A whole training step beside PyTorch's: processor time of both, in one run, in turns. */
const NETWORKS = [
  { model: 'resnet18', batch: 8, input: 64, steps: 9 },
  { model: 'tiny-transformer', batch: 32, input: 32, steps: 40 },
] as const;
/** At most so many times PyTorch's processor time. */
const TARGETS: Readonly<Record<string, number>> = { wasm: 2.5, tensorflow: 1.5 };
const ROUNDS = 3;
const WARM_UP = 3;
const SEED = 1;
const SGD = { learningRate: 1e-4, momentum: 0.9 };
const PRODUCT = 512;
const SCRIPT = join(process.cwd(), 'test', 'bench', 'torch_step.py');

export const RATIO_HEAD = ['network', 'here', 'wall clock', 'PyTorch', 'its step', 'ratio', 'target'];

type Network = (typeof NETWORKS)[number];

interface TorchStep {
  readonly torch: string;
  readonly parameters: number;
  readonly ms: readonly number[];
  readonly productRate: number;
}

/** Processor time of this process, helpers of the runtime included. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Rows of RATIO_HEAD, times in milliseconds of a median step, and what a plain product reaches: where both of a
 * network's steps were nothing else, the ratio would be that of the products.
 */
export async function ratioRows(backend: OpenBackend): Promise<{ rows: string[][]; notes: string[] }> {
  const pythons = [findTorchPython(), findTorch2Python()].filter((python) => python !== undefined);
  const rows: string[][] = [];
  const notes = [`A product of ${PRODUCT}x${PRODUCT}: ${gigaflops(await productRate(backend))} here`];
  const target = TARGETS[backend.name];
  for (const network of NETWORKS) {
    const { model, batch, input, steps } = network;
    const here = await ours(network, backend);
    const theirs = pythons.map((): TorchStep[] => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, python] of pythons.entries())
        theirs[i]?.push(torchStep(python, network, here.parameters));
      await here.run(round === 0 ? WARM_UP : 0, steps);
    }
    here.end();
    const mine = quantile(here.cpu, 0.5);
    const facts = [`${model} ${input} b${batch}`, mine.toFixed(1), quantile(here.wall, 0.5).toFixed(1)];
    const bound = target === undefined ? 'none' : `at most ${target}`;
    if (theirs.length === 0) rows.push([...facts, 'not here', 'unknown', 'unknown', bound]);
    for (const rounds of theirs) {
      const [first] = rounds;
      if (first === undefined) continue;
      const step = quantile(
        rounds.flatMap(({ ms }) => ms),
        0.5,
      );
      const ratio = mine / step;
      const met = target === undefined ? '' : ratio <= target ? ', met' : ', missed';
      rows.push([...facts, first.torch, step.toFixed(1), `${ratio.toFixed(2)}${met}`, bound]);
      const note = `${gigaflops(first.productRate)} in PyTorch ${first.torch}`;
      if (network === NETWORKS[0]) notes.push(note);
    }
  }
  return { rows, notes: [`${notes.join(', ')}.`] };
}

const gigaflops = (rate: number): string => `${(rate / 1e9).toFixed(1)} GFLOP/s`;

/** Whole steps, optimizer included, under the schedule that recomputes nothing. */
async function ours({ model, batch, input }: Network, backend: OpenBackend) {
  const problem = createProblem(buildModel(model, { batch, input }), 'tfjs');
  const { schedule } = solveRow(problem, 'regular', { seed: SEED });
  if (schedule === null) throw new Error(`${model} has no regular schedule`);
  const data = syntheticData(problem.graph, SEED);
  const store = new ParameterStore(problem.graph, SEED);
  const executor = new Executor({ problem, schedule, store, seed: SEED, backend });
  const cpu: number[] = [];
  const wall: number[] = [];
  let iteration = 0;
  return {
    cpu,
    wall,
    parameters: problem.graph.parameters.reduce((sum, count) => sum + count, 0),
    async run(warmUp: number, steps: number): Promise<void> {
      for (let i = 0; i < warmUp + steps; i++) {
        const batchData = data.batch(iteration);
        const [began, beganWall] = [cpuMs(), performance.now()];
        await executor.step(batchData, iteration++);
        store.descend(SGD);
        await store.settle();
        if (i < warmUp) continue;
        cpu.push(cpuMs() - began);
        wall.push(performance.now() - beganWall);
      }
    },
    end: () => store.dispose(),
  };
}

/** @throws when it trains another network */
function torchStep(python: string, { model, batch, input, steps }: Network, parameters: number): TorchStep {
  const run = spawnSync(python, [SCRIPT, model, `${batch}`, `${input}`, `${steps}`], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`torch_step.py: ${run.stderr}`);
  const answer = JSON.parse(run.stdout) as TorchStep;
  if (answer.parameters !== parameters) {
    throw new Error(`${model} has ${parameters} parameters here and ${answer.parameters} in PyTorch`);
  }
  return answer;
}

/** FLOPs a second of a square product on the current backend, its right side new each time as weights are. */
async function productRate(backend: OpenBackend): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 20; i++) {
    const [a, b] = [1, 2].map((seed) => tf.randomNormal([PRODUCT, PRODUCT], 0, 1, 'float32', seed + 2 * i));
    await Promise.all([a?.data(), b?.data()]);
    const began = cpuMs();
    const product = tf.matMul(a as tf.Tensor, b as tf.Tensor);
    await (backend.finish?.() ?? product.data());
    times.push((cpuMs() - began) / 1000);
    tf.dispose([a as tf.Tensor, b as tf.Tensor, product]);
  }
  return (2 * PRODUCT ** 3) / quantile(times, 0.5);
}
