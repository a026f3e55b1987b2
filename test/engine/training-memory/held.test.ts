import { describe, expect, it } from 'vitest';
import { setupOf } from '../../../app/contract/training-setup.ts';
import { createProblem } from '../../../engine/problem.ts';
import { BACKWARD } from '../../../engine/schedule/schedule.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { strategyOf } from '../../../engine/strategies/registry.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import { ALLOCATION_BYTES, CUBLAS_WORKSPACE_BYTES } from '../../../engine/training-memory/allocator.ts';
import { heldAt, heldCurve, heldLines, largestBatch, TERMS } from '../../../engine/training-memory/held.ts';
import { OPTIMIZER_NAMES } from '../../../engine/training-memory/optimizers.ts';
import { inPrecision } from '../../../engine/training-memory/precision.ts';
import {
  PRECISIONS,
  type Precision,
  setupText,
  stationaryText,
  type TrainingSetup,
  USUAL_SETUP,
  weightBytes,
} from '../../../engine/training-memory/setup.ts';
import { stationaryOf, weightsOf } from '../../../engine/training-memory/weights.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';

const problemOf = (model: string, batch: number, precision: Precision, input?: number) => {
  const options = {
    batch,
    bytesPerElement: weightBytes(precision),
    ...(input === undefined ? {} : { input }),
  };
  return createProblem(inPrecision(buildModel(model, options), precision), 'pytorch');
};

function planOf(model: string, strategy: string, precision: Precision, input?: number) {
  const plan = strategyOf(strategy).plan(problemOf(model, 1, precision, input), { seed: 0 }, NO_CONTROL);
  if (!plan.applicable) throw new Error(plan.reason);
  return plan.schedule;
}

const linesOf = (model: string, strategy: string, setup: TrainingSetup, input?: number) => {
  const [one, two] = [1, 2].map((batch) => problemOf(model, batch, setup.precision, input));
  return heldLines(one!, two!, planOf(model, strategy, setup.precision, input), setup);
};

const SMALL = [
  ['resnet18', 64],
  ['densenet121', 64],
  ['tiny-transformer', 16],
  ['unet', 32],
] as const;

describe('what training holds', () => {
  it.each(SMALL)('%s: the terms add up, at any batch, precision, optimizer and strategy', (model, input) => {
    for (const precision of PRECISIONS)
      for (const strategy of ['regular', 'live']) {
        const optimizer = OPTIMIZER_NAMES[(precision.length + strategy.length) % OPTIMIZER_NAMES.length]!;
        const lines = linesOf(model, strategy, { ...USUAL_SETUP, precision, optimizer }, input);
        for (const batch of [1, 7, 300]) {
          const { totalBytes, terms } = heldAt(lines, batch, 1000);
          expect(TERMS.reduce((sum, term) => sum + terms[term], 0)).toBe(totalBytes);
          expect(Object.values(terms).every((bytes) => Number.isInteger(bytes) && bytes >= 0)).toBe(true);
          expect(terms.context).toBe(1000);
        }
      }
  });

  it('is the same from two batches as from one, but for what is rounded up', () => {
    for (const strategy of ['regular', 'live', 'chen-sqrt']) {
      const schedule = planOf('resnet18', strategy, 'amp-fp16', 64);
      const setup: TrainingSetup = { ...USUAL_SETUP, precision: 'amp-fp16', optimizer: 'adamw' };
      const own = problemOf('resnet18', 9, 'amp-fp16', 64);
      const exact = heldAt(heldLines(own, own, schedule, setup), 1, 0);
      const lines = heldAt(linesOf('resnet18', strategy, setup, 64), 9, 0);
      for (const term of TERMS)
        if (term !== 'rounding') expect(lines.terms[term], `${strategy} ${term}`).toBe(exact.terms[term]);
      expect(lines.terms.rounding).toBeGreaterThanOrEqual(exact.terms.rounding);
      expect(lines.terms.rounding - exact.terms.rounding).toBeLessThan(ALLOCATION_BYTES * own.graph.size);
    }
  });

  it('counts the gradients that are there, all of them where they are kept', () => {
    const schedule = planOf('vgg11', 'regular', 'fp32', 32);
    const problem = problemOf('vgg11', 256, 'fp32', 32);
    const of = (part: Partial<TrainingSetup>) =>
      heldAt(heldLines(problem, problem, schedule, { ...USUAL_SETUP, ...part }), 1, 0);
    const all = weightsOf(problem.graph, USUAL_SETUP).gradients;
    const freed = of({});
    expect(freed.terms.gradients).toBeLessThan(all);
    // Gradients come on top of the saved tensors, until they are added.
    for (const part of [{ accumulate: 2 }, { freesGradients: false }])
      expect(of(part).terms.gradients).toBeGreaterThanOrEqual(all);
    // Little is alive when the optimizer steps; of one sample it is the most all the same.
    const one = problemOf('vgg11', 1, 'fp32', 32);
    const adam = heldAt(heldLines(one, one, schedule, { ...USUAL_SETUP, optimizer: 'adam' }), 1, 0);
    expect(adam.instant).toBe('optimizer');
    expect(adam.terms.gradients).toBe(all);
    expect(adam.terms.workspace - CUBLAS_WORKSPACE_BYTES).toBe(all);
  });

  it('holds the gradients of a brute-force count at every backward', () => {
    const problem = problemOf('resnet18', 4, 'fp32', 64);
    const schedule = planOf('resnet18', 'live', 'fp32', 64);
    const { live } = simulate(problem.graph, problem.memory, schedule);
    let most = 0;
    for (let t = 0; t < live.length; t++) {
      let made = 0;
      for (let s = 0; s <= t; s++)
        if (schedule.kinds[s] === BACKWARD) made += 4 * problem.graph.parameters[schedule.vertices[s]!]!;
      most = Math.max(most, live[t]! + made);
    }
    const { terms } = heldAt(
      heldLines(problem, problem, schedule, { ...USUAL_SETUP, optimizer: 'sgd' }),
      1,
      0,
    );
    expect(terms.activations + terms.gradients).toBeLessThanOrEqual(most);
    expect(terms.activations + terms.gradients + terms.loss).toBeGreaterThanOrEqual(most);
  });

  it.each([
    [1, 2],
    [2, 3],
  ])('adds the gradients of a shared table into a third: %i steps for each update', (accumulate, tables) => {
    const problem = problemOf('llama-3.2-1b', 1, 'fp32', 16);
    const schedule = planOf('llama-3.2-1b', 'regular', 'fp32', 16);
    const { terms } = heldCurve(problem, schedule, { ...USUAL_SETUP, optimizer: 'sgd', accumulate });
    const elements = problem.graph.parameters.reduce((sum, own) => sum + own, 0);
    expect(Math.max(...terms.gradients)).toBe(4 * (elements + tables * 128_256 * 2048));
  });

  it('finds the last batch that fits', () => {
    const lines = linesOf('resnet18', 'regular', { ...USUAL_SETUP, optimizer: 'adafactor' }, 64);
    for (const memory of [2 ** 27, 2 ** 29, 2 ** 31]) {
      const batch = largestBatch(lines, memory, 2 ** 20);
      if (batch > 0) expect(heldAt(lines, batch, 2 ** 20).totalBytes).toBeLessThanOrEqual(memory);
      expect(heldAt(lines, batch + 1, 2 ** 20).totalBytes).toBeGreaterThan(memory);
    }
  });

  it('counts the logits of a language model, and what the loss makes of them', () => {
    const setup: TrainingSetup = { ...USUAL_SETUP, optimizer: 'sgd' };
    const [plain, mixed] = (['fp32', 'amp-bf16'] as const).map((precision) =>
      heldAt(linesOf('gpt2', 'live', { ...setup, precision }, 256), 64, 0),
    );
    const scores = 64 * 256 * 50257;
    const labels = 8 * 64 * 256;
    expect(plain).toMatchObject({ instant: 'loss', terms: { loss: 4 * 4 * scores + labels } });
    expect(mixed).toMatchObject({ instant: 'loss', terms: { loss: (2 + 10) * scores + labels } });
  });
});

describe('the setup of an experiment', () => {
  it('is PyTorch’s default where nothing is said, and float16 leaves the optimizer in float32', () => {
    expect(setupOf({})).toEqual(USUAL_SETUP);
    expect(setupOf({ dtype: 'float16' })).toMatchObject({ precision: 'bf16', stateInFloat32: true });
    expect(setupOf({}, 2)).toMatchObject({ precision: 'bf16' });
    expect(setupOf({ precision: 'bf16' })).toMatchObject({ stateInFloat32: false });
    const graph = buildModel('resnet18', { batch: 1, bytesPerElement: 2 });
    const setup = setupOf({ dtype: 'float16', optimizer: 'adam' });
    expect(weightsOf(graph, setup).optimizer).toBe(2 * 4 * 11_689_512);
    expect(stationaryOf(weightsOf(graph, setup))).toBeGreaterThan(12 * 11_689_512);
  });

  it('says itself', () => {
    expect(setupText(USUAL_SETUP)).toBe('SGD, momentum, float32');
    expect(stationaryText(USUAL_SETUP)).toBe('weights, gradients and momentum');
    expect(stationaryText({ ...USUAL_SETUP, optimizer: 'sgd' })).toBe('weights and gradients');
    expect(stationaryText({ ...USUAL_SETUP, precision: 'amp-fp16' })).toMatch(/half copies/);
  });
});
