import { describe, expect, it } from 'vitest';
import { experimentSchema } from '../../../app/contract/experiment.ts';
import { comparisonOf } from '../../../main/solver/compare.ts';

const asked = (part: object) =>
  comparisonOf(
    experimentSchema.parse({ model: 'densenet201', batch: 2, strategies: ['live', 'regular'], ...part }),
  );

describe('the search limit of an experiment', () => {
  it('ends a search with the best so far, as its row says; other strategies are unchanged', () => {
    const [live, regular] = asked({ timeLimitSeconds: 0.1 }).rows;
    expect(live!.stopped).toMatchObject({ limitSeconds: 0.1 });
    expect(live!.stopped!.unfinished.length).toBeGreaterThan(0);
    expect(live!.peakBytes).toBeLessThan(regular!.peakBytes!);
    expect(regular!.stopped).toBeUndefined();
  });

  it('is a number of seconds', () => {
    for (const timeLimitSeconds of [0, -1, Number.NaN, 1e9])
      expect(
        experimentSchema.safeParse({ model: 'vgg11', batch: 1, strategies: ['live'], timeLimitSeconds })
          .success,
      ).toBe(false);
  });
});
