import { beforeAll, describe, expect, it } from 'vitest';
import { requireChunkedLoss } from '../../../app/contract/training-setup.ts';
import { createProblem } from '../../../engine/problem.ts';
import { FORWARD } from '../../../engine/schedule/schedule.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { strategyOf } from '../../../engine/strategies/registry.ts';
import { heldAt, heldLines } from '../../../engine/training-memory/held.ts';
import { lossOf } from '../../../engine/training-memory/loss.ts';
import { USUAL_SETUP } from '../../../engine/training-memory/setup.ts';
import { graphFile } from '../../../engine/exchange/graph-file.ts';
import { buildFromConfig } from '../../../engine/zoo/language/build.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { pythonWithPeft } from '../../app/bridges/python.ts';
import { CHUNKED_LOSS_CASES, predictedStep, type StepFigures } from '../../support/chunked-loss-cases.ts';
import { LLM_CASES, measured } from '../../support/llm-cases.ts';
import { planOf } from '../../support/plans.ts';
import { skippedFor } from '../../support/skipped.ts';

const [LLAMA] = CHUNKED_LOSS_CASES;
const CONFIG = LLAMA!.config;
const build = (lossTokens?: number, batch = 2, config = CONFIG) =>
  buildFromConfig(config, { batch, length: 200, element: 4, lossTokens });

describe('a loss in chunks', () => {
  it('does the same work, all of the head’s in the forward pass', () => {
    const work = (lossTokens?: number): [forward: number, all: number] => {
      const { graph, memory } = createProblem(build(lossTokens), 'pytorch');
      const plan = planOf(strategyOf('regular'), createProblem(graph, 'pytorch'));
      const { forwardWork, backwardWork } = simulate(graph, memory, plan.schedule);
      return [forwardWork, forwardWork + backwardWork];
    };
    const [[forward, all], [chunkedForward, chunkedAll]] = [work(), work(64)];
    expect(chunkedAll).toBe(all);
    expect(chunkedForward - forward).toBe(2 * 2 * 400 * 128 * 4000);
  });

  it.each(['per-block', 'chen-sqrt', 'chen-greedy', 'sequential', 'dtr', 'live', 'bptt'])(
    'is computed once under %s',
    (name) => {
      const problem = createProblem(build(64), 'pytorch');
      const last = problem.graph.size - 1;
      const plan = planOf(strategyOf(name), problem);
      const { kinds, vertices } = plan.schedule;
      expect(kinds.filter((kind, t) => kind === FORWARD && vertices[t] === last).length).toBe(1);
      expect(simulate(problem.graph, problem.memory, plan.schedule).forwardWork).toBeGreaterThan(0);
    },
  );

  it('says no bytes of scores, and labels as before', () => {
    const [whole, chunked] = [build(), build(64)].map((graph) => lossOf(graph, 'fp32'));
    expect(chunked!.outputBytes + chunked!.peakBytes).toBe(0);
    expect(chunked!.labelBytes).toBe(whole!.labelBytes);
  });

  it('adds up to its terms at any batch', () => {
    const sized = [1, 2].map((batch) => {
      const { graph, memory } = createProblem(build(300, batch), 'pytorch');
      return { graph, memory };
    });
    const plan = planOf(strategyOf('regular'), createProblem(sized[0]!.graph, 'pytorch'));
    for (const batch of [1, 2, 5]) {
      const { totalBytes, terms } = heldAt(
        heldLines(sized[0]!, sized[1]!, plan.schedule, USUAL_SETUP),
        batch,
        0,
      );
      expect(Object.values(terms).reduce((sum, bytes) => sum + bytes, 0)).toBe(totalBytes);
    }
  });

  it.each([
    ['bounded scores', 'gemma2, eager, float32', 'through a tanh'],
    ['a head for hidden tokens', 'bert, sdpa, float32', 'hidden tokens'],
    ['an encoder', 't5, eager, float32', 'an encoder'],
    ['a pooled vector', 'clip_text, sdpa, float32', 'one vector'],
  ])('is refused for %s', (_what, name, why) => {
    const { config } = LLM_CASES.find((one) => one.name === name)!;
    expect(() => buildFromConfig(config, { batch: 1, length: 24, element: 4, lossTokens: 8 })).toThrow(why);
  });

  it('is refused for a part of a model, for another network, for a graph file and under AMP', () => {
    const share = { tensor: 2, isSequence: false };
    expect(() => buildFromConfig(CONFIG, { batch: 1, length: 8, element: 4, lossTokens: 8, share })).toThrow(
      'a part of the model',
    );
    expect(() => buildModel('vgg11', { batch: 1, lossTokens: 8 })).toThrow('leave --loss-chunk out');
    expect(() => graphFile(build(64))).toThrow('--loss-chunk');
    const asked = (precision: 'amp-bf16' | 'bf16') => () => requireChunkedLoss({ lossChunk: 64, precision });
    expect(asked('amp-bf16')).toThrow('use fp32 or bf16');
    expect(asked('bf16')).not.toThrow();
  });
});

const { python, reason } = pythonWithPeft();

describe.skipIf(reason !== '')(
  `a training step of PyTorch with its loss in chunks${skippedFor(reason)}`,
  () => {
    let rows: readonly StepFigures[] = [];
    beforeAll(() => {
      rows = measured<StepFigures>(CHUNKED_LOSS_CASES, python ?? '', 'torch_chunked_loss.py');
    });

    // A CPU has no float32 scores of half inputs, so their peak is not that of CUDA.
    it.each(CHUNKED_LOSS_CASES.map((one, i) => [one.name, one, i] as const))('%s', (_name, one, i) => {
      const [ours, theirs] = [predictedStep(one), rows[i]!];
      if (one.chunk !== null)
        expect(Math.abs(ours.keptBytes / theirs.keptBytes - 1), `${ours.keptBytes}`).toBeLessThan(0.01);
      if (one.chunk === null || one.dtype === 'float32')
        expect(Math.abs(ours.peakBytes / theirs.peakBytes - 1), `${ours.peakBytes}`).toBeLessThan(0.001);
    });
  },
);
