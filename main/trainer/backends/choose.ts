import { type Backend as BackendName, BACKENDS, TRIED_BACKENDS } from '../../../app/contract/backends.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { NoBackendError, OutOfMemoryError } from '../errors.ts';
import type { BackendChoice } from '../protocol.ts';
import type { Backend, OpenBackend } from './backend.ts';

export interface ChosenBackend {
  readonly backend: OpenBackend;
  /** The backends that were tried before it, and their obstacles. */
  readonly reason: string;
  /** Why it leaves a GPU that is here unused; absent where it does not, or where that was asked for. */
  readonly unusedGpu?: string;
}

/** Knowledge of other processes that a choice among the backends of one needs. */
export type Elsewhere = Partial<Pick<BackendChoice, 'skipped' | 'onlyGpu'>>;

/**
 * Opens the backend that was asked for. Where none was: the first that runs on a GPU, else the first that runs on
 * the processor. A WebGPU adapter that emulates a GPU is never chosen by itself: `wasm` does the same work on the
 * same processor several times as fast.
 *
 * @param candidates in the order of preference; `cpu` is opened only when asked for
 * @throws BadInputError when the backend that was asked for does not work here, NoBackendError when none does
 */
export async function chooseBackend(
  requested: BackendName | undefined,
  candidates: readonly Backend[],
  { skipped = [], onlyGpu = false }: Elsewhere = {},
): Promise<ChosenBackend> {
  if (requested !== undefined) {
    const backend = await openRequested(requested, candidates);
    // A request for wasm or cpu is one for the processor.
    return {
      backend,
      reason: `${requested}: asked for`,
      ...(requested === 'tensorflow' ? unused(backend) : {}),
    };
  }
  const obstacles = [...skipped];
  let onProcessor: Backend | null = null;
  for (const candidate of candidates) {
    if (!TRIED_BACKENDS.includes(candidate.name)) continue;
    // A backend without a GPU is not loaded if another already works.
    if (onProcessor !== null && candidate.name === 'wasm') continue;
    try {
      const backend = await candidate.open();
      if (backend.runsOn === 'gpu') return chosen(backend, obstacles);
      if (backend.runsOn === 'processor') onProcessor ??= candidate;
      obstacles.push(...notTaken(backend));
      backend.close();
    } catch (error) {
      if (error instanceof OutOfMemoryError) throw error;
      obstacles.push(`${candidate.name}: ${phraseOf(error)}`);
    }
  }
  if (onProcessor === null || onlyGpu) throw new NoBackendError(obstacles, onProcessor?.name ?? null);
  // Loaded already; this makes it TensorFlow.js's current one again.
  return chosen(await onProcessor.open(), obstacles);
}

function chosen(backend: OpenBackend, obstacles: readonly string[]): ChosenBackend {
  const reason = [...new Set(obstacles), `using ${backend.name}`].join('; ');
  return { backend, reason, ...unused(backend) };
}

const unused = ({ withoutGpu }: OpenBackend): Pick<ChosenBackend, 'unusedGpu'> =>
  withoutGpu === undefined ? {} : { unusedGpu: withoutGpu };

/** Why a backend that works is not taken before all others were tried; `wasm` has nothing to explain. */
function notTaken({ name, device, runsOn, withoutGpu }: OpenBackend): string[] {
  if (runsOn === 'emulated') {
    return [`${name}: ${device.split(',')[0]} is no GPU but the processor, which wasm uses better`];
  }
  return withoutGpu === undefined || name === 'wasm' ? [] : [`${name}: ${withoutGpu}`];
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
