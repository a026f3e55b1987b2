import { type Backend as BackendName, BACKENDS, TRIED_BACKENDS } from '../../../app/contract/backends.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { NoBackendError, OutOfMemoryError } from '../errors.ts';
import type { BackendChoice } from '../protocol.ts';
import type { Backend, OpenBackend } from './backend.ts';

export interface ChosenBackend {
  readonly backend: OpenBackend;
  /** Backends tried before it, and their obstacles. */
  readonly reason: string;
  /** Why it leaves a GPU unused; absent if it does not, or if the user asked for that. */
  readonly unusedGpu?: string;
}

/** Facts about other processes, needed to choose among the backends of one. */
export type Elsewhere = Partial<Pick<BackendChoice, 'skipped' | 'onlyGpu'>>;

/**
 * Opens the requested backend. Without a request: the first that runs on a GPU, else the first that runs on the
 * processor. A WebGPU adapter that emulates a GPU is used only on request: `wasm` does the same work on the same
 * processor several times as fast.
 *
 * @param candidates in the order of preference; `cpu` is opened only on request @throws BadInputError if the requested
 *   backend does not work here, NoBackendError if none does
 */
export async function chooseBackend(
  requested: BackendName | undefined,
  candidates: readonly Backend[],
  { skipped = [], onlyGpu = false }: Elsewhere = {},
): Promise<ChosenBackend> {
  if (requested !== undefined) {
    const backend = await openRequested(requested, candidates);
    // A request for wasm or cpu asks for the processor.
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
  // Already loaded; this makes it TensorFlow.js's current backend again.
  return chosen(await onProcessor.open(), obstacles);
}

function chosen(backend: OpenBackend, obstacles: readonly string[]): ChosenBackend {
  const reason = [...new Set(obstacles), `using ${backend.name}`].join('; ');
  return { backend, reason, ...unused(backend) };
}

const unused = ({ withoutGpu }: OpenBackend): Pick<ChosenBackend, 'unusedGpu'> =>
  withoutGpu === undefined ? {} : { unusedGpu: withoutGpu };

/** Why a working backend is not used before all others were tried; null for `wasm`, which needs no reason. */
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
