import type { BrowserWindow, PowerSaveBlocker } from 'electron';
import type { TrainEvent, TrainRequest } from '../../app/contract/training.ts';
import type { TrainerService } from '../host/services.ts';

const NONE = -1;
/** Shown while the progress of a run is unknown. */
const UNKNOWN = 2;

/** Signs of a training run outside the window. */
export interface Signs {
  begin(): void;
  /** @param share of the iterations done, from 0 to 1; null if unknown */
  progress(share: number | null): void;
  end(): void;
}

/** Shows progress in the dock or taskbar, and keeps the system awake. */
export function desktopSigns(
  windows: () => readonly Pick<BrowserWindow, 'setProgressBar' | 'isDestroyed'>[],
  powerSaveBlocker: Pick<PowerSaveBlocker, 'start' | 'stop'>,
): Signs {
  let blocker: number | null = null;
  const show = (value: number): void => {
    for (const window of windows()) if (!window.isDestroyed()) window.setProgressBar(value);
  };
  return {
    begin() {
      // The screen may turn off; the run continues.
      blocker ??= powerSaveBlocker.start('prevent-app-suspension');
      show(UNKNOWN);
    },
    progress: (share) => show(share ?? UNKNOWN),
    end() {
      if (blocker !== null) powerSaveBlocker.stop(blocker);
      blocker = null;
      show(NONE);
    },
  };
}

/** A trainer whose runs also show outside the page. */
export function withSigns(trainer: TrainerService, signs: Signs): TrainerService {
  return {
    async *train(request: TrainRequest, signal?: AbortSignal): AsyncGenerator<TrainEvent, void, void> {
      let isShown = false;
      try {
        for await (const event of trainer.train(request, signal)) {
          if (!isShown) signs.begin();
          isShown = true;
          if (event.event === 'iteration') signs.progress(shareOf(event.iteration + 1, request));
          yield event;
        }
      } finally {
        if (isShown) signs.end();
      }
    },
    steerTraining: (request) => trainer.steerTraining(request),
    close: () => trainer.close(),
  };
}

function shareOf(done: number, { iterations, largestBatch }: TrainRequest): number | null {
  return largestBatch === true || iterations <= 0 ? null : Math.min(1, done / iterations);
}
