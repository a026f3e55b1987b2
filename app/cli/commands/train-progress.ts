import type { TrainEvent } from '../../contract/training.ts';
import { milliseconds } from '../format.ts';
import type { Terminal } from '../terminal.ts';

const NAMES: Readonly<Record<Extract<TrainEvent, { event: 'progress' }>['phase'], string>> = {
  'warm-up': 'warming up',
  costs: 'measuring operations',
  iterations: 'training',
  pairs: 'measuring pairs',
  probes: 'trying batches',
  difference: 'measuring two batches',
};

const INTERVAL_MS = 5000;

/** How far a run is, on standard error and only where somebody watches; a line now and then. */
export class TrainProgress {
  readonly #terminal: Terminal;
  #shown = performance.now();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(event: TrainEvent): void {
    if (event.event !== 'progress' || !this.#terminal.progressVisible) return;
    if (performance.now() - this.#shown < INTERVAL_MS) return;
    this.#shown = performance.now();
    const { phase, done, of, leftMs } = event;
    const left = leftMs === null ? '' : `, ${milliseconds(leftMs)} left`;
    this.#terminal.err(`${NAMES[phase]}: ${done.toFixed(1)} of ${of}${left}`);
  }
}
