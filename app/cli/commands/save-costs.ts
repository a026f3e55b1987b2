import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { BadInputError } from '../../../engine/errors.ts';
import type { CostsFile } from '../../bridges/costs-file.ts';
import type { TrainEvent } from '../../contract/training.ts';

/** Writes the times that a run measures to a zigzag-costs/1 file, as soon as they are known. */
export class CostsSaver {
  readonly #path: string;
  #costs: Extract<TrainEvent, { event: 'costs' }> | null = null;

  /** @throws BadInputError when the file cannot be written, before anything is measured for it */
  constructor(path: string) {
    this.#path = resolve(path);
    requireWritable(this.#path, path);
  }

  add(event: TrainEvent): void {
    if (event.event === 'costs') this.#costs = event;
    if (event.event !== 'start' || this.#costs === null) return;
    const text = JSON.stringify(costsFile(this.#costs, event), null, 1);
    try {
      writeFileSync(this.#path, `${text}\n`);
    } catch (error) {
      throw new BadInputError(`--save-costs: ${error instanceof Error ? error.message : error}`);
    }
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

function requireWritable(path: string, given: string): void {
  const state = statSync(path, { throwIfNoEntry: false });
  if (state?.isDirectory() === true)
    throw new BadInputError(`--save-costs: ${given} is a folder; name a file`);
  try {
    accessSync(state === undefined ? dirname(path) : path, constants.W_OK);
  } catch {
    throw new BadInputError(`--save-costs: ${given} cannot be written; choose another place`);
  }
}
