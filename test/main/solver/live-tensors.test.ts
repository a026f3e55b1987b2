import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LiveTensors } from '../../../app/contract/live-tensors.ts';
import { liveTensorsRequestSchema } from '../../../app/contract/live-tensors.ts';
import type { ScaledTimeline } from '../../../app/contract/results.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import { compareEvents } from '../../../main/solver/compare.ts';
import { liveTensors } from '../../../main/solver/live-tensors.ts';
import { SolverMemory } from '../../../main/solver/memory.ts';
import { experimentOf } from '../../renderer/support/fake-lab.ts';

const MODELS = ['resnet18', 'vgg11', 'densenet121', 'tiny-residual', 'alexnet'];
const STRATEGIES = ['regular', 'chen-sqrt', 'optimal', 'live', 'random', 'sequential'];

const memory = new SolverMemory();

function answered(model: string, strategy: string, batch: number) {
  const request = { model, batch, seed: 3 };
  let timeline: ScaledTimeline | null = null;
  compareEvents(experimentOf({ ...request, strategies: [strategy] }), {
    memory,
    control: NO_CONTROL,
    emit(event) {
      if (event.type === 'row') timeline = event.timeline;
    },
  });
  const ask = (): LiveTensors =>
    liveTensors(liveTensorsRequestSchema.parse({ ...request, strategy }), { memory, control: NO_CONTROL });
  return { timeline: timeline as ScaledTimeline | null, ask };
}

it('live tensors add up to the curve to the byte, at any step of any network and at any batch', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...MODELS),
      fc.constantFrom(...STRATEGIES),
      fc.integer({ min: 1, max: 64 }),
      fc.integer({ min: 1, max: 512 }),
      fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
        minLength: 20,
        maxLength: 20,
      }),
      (model, strategy, solvedAt, batch, places) => {
        const { timeline, ask } = answered(model, strategy, solvedAt);
        if (timeline === null) {
          expect(ask).toThrow(BadInputError);
          return;
        }
        const { vertices, first, last, perSample, fixed } = ask();
        for (const place of places) {
          const step = Math.floor(place * timeline.kinds.length);
          const sum = vertices.reduce(
            (bytes, _, i) =>
              first[i]! <= step && step <= last[i]! ? bytes + fixed[i]! + batch * perSample[i]! : bytes,
            0,
          );
          expect(sum).toBe(timeline.live.fixed[step]! + batch * timeline.live.perSample[step]!);
        }
      },
    ),
    { numRuns: 40 },
  );
});
