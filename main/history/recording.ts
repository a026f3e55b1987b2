import type { TrainEvent, TrainRequest } from '../../app/contract/training.ts';
import { ownDataFolder } from './folder.ts';
import { RunHistory } from './run-history.ts';

/** Writes down one run of the command line. */
export interface Recording {
  take(event: TrainEvent): void;
  /** @returns why the run was not kept, in one sentence; null when it was */
  end(outcome: 'over' | 'cancelled' | 'failed', failure?: string): string | null;
}

/** A built part of its own, because the command line imports nothing of `main/`. */
export function startRecording(request: TrainRequest): Recording {
  const history = new RunHistory({ folder: ownDataFolder() });
  const recorder = history.recorder(request, 'command line');
  return {
    take: (event) => recorder.take(event),
    end: (outcome, failure) => {
      recorder.end(outcome, failure);
      const { problem } = history;
      history.close();
      return problem;
    },
  };
}
