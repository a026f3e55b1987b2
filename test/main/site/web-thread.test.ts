import { afterEach, describe, expect, it, vi } from 'vitest';
import { experimentSchema } from '../../../app/contract/experiment.ts';
import { graphFile } from '../../../engine/exchange/graph-file.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { siteServices } from '../../../main/site/services.ts';
import { webThread } from '../../../main/site/web-thread.ts';
import { answering } from '../../../main/solver/answering.ts';
import type { SolverData, SolverReply, SolverRequest } from '../../../main/solver/protocol.ts';
import type { SolverService } from '../../../main/host/services.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** A worker of a browser, as far as it is looked at: what crosses is a copy, and what it is sent waits for its turn. */
class FakeWorker extends EventTarget {
  readonly data: SolverData[] = [];
  isGone = false;
  #answer: ((request: SolverRequest) => Promise<void>) | null = null;
  readonly #isDeaf: (request: SolverRequest) => boolean;

  constructor(isDeaf: (request: SolverRequest) => boolean) {
    super();
    this.#isDeaf = isDeaf;
  }

  postMessage(message: SolverData | SolverRequest): void {
    const copy = structuredClone(message);
    setImmediate(() => {
      if (this.isGone) return;
      if (this.#answer === null) {
        this.data.push(copy as SolverData);
        this.#answer = answering(copy as SolverData, (reply) => this.#say(reply));
      } else if (!this.#isDeaf(copy as SolverRequest)) void this.#answer(copy as SolverRequest);
    });
  }

  terminate(): void {
    this.isGone = true;
  }

  #say(reply: SolverReply): void {
    if (!this.isGone)
      this.dispatchEvent(Object.assign(new Event('message'), { data: structuredClone(reply) }));
  }
}

/** The solver's client in a page that shares no memory. */
async function siteSolver(isDeaf: (request: SolverRequest) => boolean = () => false) {
  vi.stubGlobal('SharedArrayBuffer', undefined);
  const { solverClient } = await import('../../../main/solver/client.ts');
  const workers: FakeWorker[] = [];
  const start = (): Worker => {
    const worker = new FakeWorker(isDeaf);
    workers.push(worker);
    return worker as unknown as Worker;
  };
  return { solver: solverClient({ start: webThread(start), graceMs: 5 }), workers };
}

const VIEW = experimentSchema.parse({ model: 'tiny-residual', batch: 2, strategies: ['regular'] });

async function peak(solver: SolverService, model: string, signal?: AbortSignal): Promise<number | null> {
  let peakBytes: number | null = null;
  for await (const event of solver.compare({ ...VIEW, model }, signal))
    if (event.type === 'row') peakBytes = event.row.peakBytes;
  return peakBytes;
}

describe('the solver in a worker of a page', () => {
  it('answers, and after a cancelled request loses its worker but not its files', async () => {
    const { solver, workers } = await siteSolver(
      ({ input }) => (input as { model?: string })?.model === 'resnet50',
    );
    const bytes = new TextEncoder().encode(
      JSON.stringify(graphFile(buildModel('tiny-residual', { batch: 1 }))),
    );
    const imported = await solver.importFile({ name: 'mine.json', bytes });
    const model = imported.kind === 'network' ? imported.model : '';
    const known = await peak(solver, model);
    expect(known).toBe(await peak(solver, 'tiny-residual'));
    expect(workers).toHaveLength(1);

    const controller = new AbortController();
    const asked = peak(solver, 'resnet50', controller.signal);
    const behind = peak(solver, model);
    setImmediate(() => controller.abort());
    await expect(asked).rejects.toThrow(/cancel/i);
    expect(await behind).toBe(known);
    expect(workers.map(({ isGone }) => isGone)).toEqual([true, false, false]);
    // One goes on, the other stands ready.
    await vi.waitFor(() =>
      expect(workers.map(({ data }) => data[0]?.files.map(({ name }) => name))).toEqual([
        [],
        [model],
        [model],
      ]),
    );
    await solver.close();
    expect(workers.map(({ isGone }) => isGone)).toEqual([true, true, true]);
  });

  it('fails a request if its code cannot be loaded, and starts a new worker for the next', async () => {
    const { solver, workers } = await siteSolver(() => workers.length === 1);
    const asked = peak(solver, 'tiny-residual');
    setImmediate(() => workers[0]?.dispatchEvent(Object.assign(new Event('error'), { message: '' })));
    await expect(asked).rejects.toMatchObject({
      failure: { code: 'WORKER_DIED', message: expect.stringContaining('its code could not be loaded') },
    });
    expect(workers[0]?.isGone).toBe(true);
    expect(await peak(solver, 'tiny-residual')).toBeGreaterThan(0);
    await solver.close();
  });
});

it('the lab without a server says in one sentence that it does not train, and keeps no runs', async () => {
  const { solver } = await siteSolver();
  const info = {
    version: '1',
    carrier: 'site',
    platform: 'x',
    logicalCpus: 1,
    memoryBytes: null,
    site: null,
  } as const;
  const { trainer, history, setup } = siteServices(solver, info);
  const sentence = 'this site has no trainer; training needs the desktop app';
  await expect(
    trainer
      .train({} as never)
      [Symbol.asyncIterator]()
      .next(),
  ).rejects.toThrow(sentence);
  await expect(trainer.steerTraining({} as never)).rejects.toThrow(sentence);
  expect(await history.list()).toMatchObject({ runs: [], problem: sentence });
  const added = setup.addTensorflow({ kind: 'cpu' })[Symbol.asyncIterator]().next();
  await expect(added).rejects.toThrow(sentence);
  expect(await setup.tensorflow()).toMatchObject({ here: null, add: null, instead: sentence });
  expect(() => history.open('x')).toThrow(sentence);
  await solver.close();
});
