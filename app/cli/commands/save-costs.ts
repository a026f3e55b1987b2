import { resolve } from 'node:path';
import type { CostsFile } from '../../bridges/costs-file.ts';
import type { TrainEvent } from '../../contract/training.ts';
import { requireWritable, writeOutput } from '../output-file.ts';

/** Writes the times that a run measures to a zigzag-costs/1 file, as soon as they are known. */
export class CostsSaver {
  readonly #path: string;
  #costs: Extract<TrainEvent, { event: 'costs' }> | null = null;

  /** @throws BadInputError when the file cannot be written, before anything is measured for it */
  constructor(path: string) {
    this.#path = resolve(path);
    requireWritable(path, '--save-costs');
  }

  add(event: TrainEvent): void {
    if (event.event === 'costs') this.#costs = event;
    if (event.event !== 'start' || this.#costs === null) return;
    const text = JSON.stringify(costsFile(this.#costs, event), null, 1);
    writeOutput(this.#path, `${text}\n`, '--save-costs');
  }
}

function costsFile(
  costs: Extract<TrainEvent, { event: 'costs' }>,
  { model, input, batch, backend, device, ids }: Extract<TrainEvent, { event: 'start' }>,
): CostsFile {
  const rounded = (ms: number | undefined): number => Math.round(1e4 * (ms ?? 0)) / 1e4;
  return {
    format: 'zigzag-costs',
    version: 1,
    model,
    input,
    batch,
    backend,
    device,
    iterations: costs.iterations,
    operations: ids.slice(1).map((id, i) => ({
      id,
      forwardMs: rounded(costs.forwardMs[i + 1]),
      ...(costs.firstForwardMs === undefined ? {} : { firstForwardMs: rounded(costs.firstForwardMs[i + 1]) }),
      backwardMs: rounded(costs.backwardMs[i + 1]),
    })),
  };
}
