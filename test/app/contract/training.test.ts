import { describe, expect, it } from 'vitest';
import { trainEventSchema } from '../../../app/contract/training.ts';

const iteration = (loss: unknown) => ({
  event: 'iteration',
  iteration: 1,
  ms: 2,
  loss,
  measuredPeakBytes: 3,
});

describe('events of a training', () => {
  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'pass with a loss of %s: a run may diverge',
    (loss) => {
      expect(trainEventSchema.parse(iteration(loss))).toMatchObject({ loss });
    },
  );

  it.each([null, '0.5', undefined])('are refused with a loss of %s', (loss) => {
    expect(trainEventSchema.safeParse(iteration(loss)).success).toBe(false);
  });
});
