import { describe, expect, it, vi } from 'vitest';
import type { TrainEvent, TrainRequest } from '../../app/contract/training.ts';
import { desktopSigns, withSigns } from '../../main/electron/training-signs.ts';
import type { TrainerService } from '../../main/host/services.ts';

const START = { event: 'start' } as TrainEvent;
const iteration = (i: number): TrainEvent => ({ event: 'iteration', iteration: i }) as TrainEvent;

function desk() {
  const shown: number[] = [];
  const window = { setProgressBar: (value: number) => shown.push(value), isDestroyed: () => false };
  const gone = { setProgressBar: vi.fn(), isDestroyed: () => true };
  const power = { start: vi.fn(() => 5), stop: vi.fn() };
  const signs = desktopSigns(() => [window, gone], power as never);
  return { shown, gone, power, signs };
}

function trainer(events: readonly (TrainEvent | Error)[]): TrainerService {
  return {
    async *train() {
      for (const event of events) {
        if (event instanceof Error) throw event;
        yield event;
      }
    },
    steerTraining: async () => ({ running: true }),
    close: async () => undefined,
  };
}

async function run(
  service: TrainerService,
  request: Partial<TrainRequest> = { iterations: 4 },
): Promise<unknown> {
  try {
    for await (const _event of service.train(request as TrainRequest));
    return null;
  } catch (error) {
    return error;
  }
}

describe('a run on the desktop', () => {
  it('shows outside the window, and keeps the system awake', async () => {
    const { shown, gone, power, signs } = desk();
    await run(withSigns(trainer([START, iteration(0), iteration(1), iteration(3)]), signs));
    expect(shown).toEqual([2, 0.25, 0.5, 1, -1]);
    expect(gone.setProgressBar).not.toHaveBeenCalled();
    expect(power.start.mock.calls).toEqual([['prevent-app-suspension']]);
    expect(power.stop.mock.calls).toEqual([[5]]);
  });

  it('lets the system sleep again when it fails', async () => {
    const { shown, power, signs } = desk();
    const error = new Error('no room');
    expect(await run(withSigns(trainer([START, error]), signs))).toBe(error);
    expect(shown).toEqual([2, -1]);
    expect(power.stop).toHaveBeenCalledTimes(1);
  });

  it('that is refused does not affect the one in progress', async () => {
    const { shown, power, signs } = desk();
    await run(withSigns(trainer([new Error('busy')]), signs));
    expect(shown).toEqual([]);
    expect(power.start).not.toHaveBeenCalled();
  });

  it('of unknown length shows no share', async () => {
    const { shown, signs } = desk();
    await run(withSigns(trainer([START, iteration(0)]), signs), { iterations: 4, largestBatch: true });
    expect(shown).toEqual([2, 2, -1]);
  });
});
