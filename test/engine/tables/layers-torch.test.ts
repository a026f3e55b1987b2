import { describe, expect, it } from 'vitest';
import { totalParameters } from '../../../engine/graph/graph.ts';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { runReference, torchPythons } from '../../app/bridges/python.ts';
import { skippedFor } from '../../support/skipped.ts';

/** Fewer samples than the article's 512: what is held grows by the sample. */
const BATCH = 8;

describe.each(torchPythons())('the 40 layers of article 004 in $title', ({ python, reason }) => {
  it.skipIf(reason !== '')(
    `hold after the forward what we say; of the segment they let its output go${skippedFor(reason)}`,
    () => {
      const problem = createProblem(buildModel('forty-layers', { batch: BATCH }), 'pytorch');
      const weights = 4 * totalParameters(problem.graph);
      const saved = (strategy: string): number =>
        solveRow(problem, strategy, { seed: 0, checkpoints: ['out1', 'layers.39.out'] }).savedBytes ?? 0;
      expect(JSON.parse(runReference('torch_layers.py', [String(BATCH)], 280_000, python))).toEqual({
        whole: weights + saved('regular'),
        segment: weights + saved('manual') - BATCH * 1024 * 4,
      });
    },
    300_000,
  );
});
