import { describe, expect, it } from 'vitest';
import { createProblem } from '../../../engine/problem.ts';
import { simulate, type Timeline } from '../../../engine/simulate/simulate.ts';
import { strategyOf } from '../../../engine/strategies/registry.ts';
import { NO_CONTROL, type Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { buildModel, MODELS } from '../../../engine/zoo/zoo.ts';
import { fewest, sample } from '../../support/draws.ts';
import { viewGraph } from '../../support/view-graph.ts';

/** Peaks of a short prototype, bytes per image under the bytes-only semantics. */
const TO_BEAT = {
  resnet50: 24_686_592,
  vgg16: 51_982_336,
  densenet121: 21_701_120,
  inceptionv3: 25_973_568,
  nasnet: 14_020_608,
};

const ONE_LEVEL = ['regular', 'chen-sqrt', 'chen-greedy', 'articulation', 'random', 'optimal', 'sequential'];
const PAPERS = MODELS.filter(({ family }) =>
  ['AlexNet', 'VGG', 'ResNet', 'DenseNet', 'Inception', 'NAS'].includes(family),
).filter(({ name }) => !/^(mobilenet|cifar)/.test(name));

function run(problem: Problem, name: string, budgetBytes?: number): Timeline | null {
  const options = budgetBytes === undefined ? { seed: 1 } : { seed: 1, budgetBytes };
  const plan = strategyOf(name).plan(problem, options, NO_CONTROL);
  return plan.applicable ? simulate(problem.graph, problem.memory, plan.schedule) : null;
}

describe("the papers' networks", () => {
  it("live is at or below the prototype's peaks on the papers' computation graphs", () => {
    for (const [name, bytes] of sample(Object.entries(TO_BEAT))) {
      const problem = createProblem(viewGraph(buildModel(name, { batch: 1 })), 'pytorch');
      expect(run(problem, 'live')?.peakBytes, name).toBeLessThanOrEqual(bytes);
    }
  });

  it('live is never above another one-level strategy, budget dominates optimal', () => {
    let fewer = 0;
    for (const { name } of sample(PAPERS)) {
      const problem = createProblem(buildModel(name, { batch: 1 }), 'pytorch');
      const peak = run(problem, 'live')!.peakBytes;
      for (const other of ONE_LEVEL) {
        const timeline = run(problem, other);
        if (timeline !== null) expect(peak, `${other} on ${name}`).toBeLessThanOrEqual(timeline.peakBytes);
      }
      const optimal = run(problem, 'optimal')!;
      const found = run(problem, 'budget', optimal.peakBytes)!;
      expect(found.peakBytes, name).toBeLessThanOrEqual(optimal.peakBytes);
      expect(found.recomputeWork, name).toBeLessThanOrEqual(optimal.recomputeWork);
      if (found.recomputeWork < optimal.recomputeWork) fewer++;
    }
    expect(PAPERS.length).toBe(18);
    expect(fewer).toBeGreaterThanOrEqual(fewest(15));
  });
});
