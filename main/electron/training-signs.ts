import type { BrowserWindow, PowerSaveBlocker } from 'electron';
import type { TrainEvent, TrainRequest } from '../../app/contract/training.ts';
import type { TrainerService } from '../host/services.ts';

const NONE = -1;
/** Shown while it is unknown how far a run is. */
const UNKNOWN = 2;

/** Signs of a training run on the desktop around the window. */
export interface Signs {
  begin(): void;
  /** @param share of the iterations done, from 0 to 1; null where that is unknown */
  progress(share: number | null): void;
  end(): void;
}

/** The progress in the dock or the taskbar, and a system that does not fall asleep over it. */
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
      // The screen may go dark; the run goes on.
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

/** A trainer whose runs are seen outside the page as well. */
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
