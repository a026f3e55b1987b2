import { type Backend as BackendName, BACKENDS, TRIED_BACKENDS } from '../../../app/contract/backends.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { NoBackendError, OutOfMemoryError } from '../errors.ts';
import type { Backend, OpenBackend } from './backend.ts';

export interface ChosenBackend {
  readonly backend: OpenBackend;
  /** Which were tried before it and what stood in the way. */
  readonly reason: string;
}

/**
 * Opens the backend that was asked for, or the first that works.
 *
 * A WebGPU adapter that emulates a GPU on the processor is never chosen by itself: `wasm` does the same
 * work on the same processor several times as fast.
 *
 * @param candidates in the order of preference; `cpu` is opened only when asked for
 * @param skipped what stood in the way of others that were tried elsewhere before
 * @throws BadInputError when the backend that was asked for does not work here, NoBackendError when none does
 */
export async function chooseBackend(
  requested: BackendName | undefined,
  candidates: readonly Backend[],
  skipped: readonly string[] = [],
): Promise<ChosenBackend> {
  if (requested !== undefined)
    return { backend: await openRequested(requested, candidates), reason: `${requested}: asked for` };
  const obstacles = [...skipped];
  for (const candidate of candidates) {
    if (!TRIED_BACKENDS.includes(candidate.name)) continue;
    try {
      const backend = await candidate.open();
      if (!backend.isSoftware) return { backend, reason: [...obstacles, `using ${backend.name}`].join('; ') };
      const [device] = backend.device.split(',');
      obstacles.push(`${candidate.name}: ${device} is no GPU but the processor, which wasm uses better`);
      backend.close();
    } catch (error) {
      if (error instanceof OutOfMemoryError) throw error;
      obstacles.push(`${candidate.name}: ${phraseOf(error)}`);
    }
  }
  throw new NoBackendError(obstacles);
}

async function openRequested(requested: BackendName, candidates: readonly Backend[]): Promise<OpenBackend> {
  const candidate = candidates.find(({ name }) => name === requested);
  if (candidate === undefined) {
    const known = BACKENDS.filter((name) => candidates.some((backend) => backend.name === name));
    throw new BadInputError(
      `${requested} cannot run in this process; choose from ${known.join(', ')}`,
      'backend',
    );
  }
  try {
    return await candidate.open();
  } catch (error) {
    if (error instanceof OutOfMemoryError) throw error;
    throw new BadInputError(
      `${requested} does not work here (${phraseOf(error)}); leave the backend out to take the first that works`,
      'backend',
    );
  }
}

/** The first line of an error, short enough for one sentence. */
export function phraseOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? 'unknown error';
  return line
    .trim()
    .replace(/[.;]+$/, '')
    .slice(0, 200);
}
