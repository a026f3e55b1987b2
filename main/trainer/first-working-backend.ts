import type { TrainRequest } from '../../app/contract/training.ts';
import type { Backend } from './backends/backend.ts';
import { chooseBackend } from './backends/choose.ts';
import type { BackendChoice } from './protocol.ts';
import type { Settled } from './serve.ts';

/**
 * Returns the first backend of a choice that works here. Backends stay loaded, so the run reopens it at no cost.
 *
 * @throws NoBackendError when none does
 */
export async function firstWorkingBackend(
  request: TrainRequest,
  choice: BackendChoice,
  backends: readonly Backend[],
): Promise<Settled> {
  const candidates = backends.filter(({ name }) => choice.among.includes(name));
  const { backend, reason, unusedGpu } = await chooseBackend(undefined, candidates, choice);
  backend.close();
  return {
    request: { ...request, backend: backend.name },
    reason,
    ...(unusedGpu === undefined ? {} : { unusedGpu }),
  };
}
