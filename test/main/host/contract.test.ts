import { MessageChannel, type Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLabClient, failureOf, type LabClient } from '../../../app/contract/client.ts';
import type { ExperimentInput } from '../../../app/contract/experiment.ts';
import type { ComparisonEvent } from '../../../app/contract/results.ts';
import { graphFile, parseGraphFile } from '../../../engine/exchange/graph-file.ts';
import { graphHash } from '../../../engine/exchange/plan-file.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { servePort } from '../../../main/host/carriers.ts';
import { createLabRouter } from '../../../main/host/router.ts';
import type { LabServices } from '../../../main/host/services.ts';
import { solverClient } from '../../../main/solver/client.ts';
import { threadOf } from '../../../main/solver/thread.ts';
import { childProcessSpawner } from '../../../main/trainer-client/child-process.ts';
import { TrainerClient } from '../../../main/trainer-client/client.ts';
import { type BuiltEntries, buildEntries } from '../support/built.ts';
import { CARRIERS, type Carried } from '../support/carriers.ts';
import { FAKE_TRAINER } from '../support/fake-trainer.ts';
import { endlessCompare, stubServices } from '../support/stub-services.ts';
import { collected } from '../../support/collected.ts';

const ASKED: ExperimentInput = {
  model: 'resnet18',
  batch: 8,
  strategies: ['regular', 'optimal', 'chen-sqrt'],
};

const networkFile = (name: string): string => JSON.stringify(graphFile(buildModel(name, { batch: 1 })));

let built: BuiltEntries;
beforeAll(async () => {
  built = await buildEntries({ 'solver-worker': 'main/solver/worker.ts' });
});
afterAll(() => built.remove());

/** The failure that a call or its stream ends in. */
async function failure(run: () => Promise<unknown>, signal?: AbortSignal) {
  try {
    await run();
  } catch (error) {
    return failureOf(error, signal);
  }
  throw new Error('it did not fail');
}

describe.each(CARRIERS)('the contract over %s', (_name, carry) => {
  let carried: Carried | null = null;
  const opened: LabServices[] = [];
  afterEach(async () => {
    await carried?.close();
    for (const { solver, trainer } of opened.splice(0)) await Promise.all([solver.close(), trainer.close()]);
  });

  async function lab(services: LabServices): Promise<LabClient> {
    opened.push(services);
    carried = await carry(services);
    return carried.client;
  }

  /** The product's services; the trainer process is a fake. */
  async function realLab(): Promise<{ client: LabClient; threads: Worker[] }> {
    const threads: Worker[] = [];
    const start = threadOf(built.file('solver-worker'));
    const services = stubServices({});
    const client = await lab({
      ...services,
      solver: solverClient({
        start(data) {
          const thread = start(data) as Worker;
          threads.push(thread);
          return thread;
        },
        // None stands ready beside those that are counted.
        spareAfterMs: 3_600_000,
      }),
      trainer: new TrainerClient(childProcessSpawner(FAKE_TRAINER)),
    });
    return { client, threads };
  }

  const compared = async (client: LabClient, asked: ExperimentInput = ASKED) =>
    collected(await client.compare(asked));

  const training = (model: string) => ({ model, batch: 1, strategy: 'regular', iterations: 2 });

  async function trained(client: LabClient, model: string): Promise<string[]> {
    const events: string[] = [];
    for await (const { event } of await client.train(training(model))) events.push(event);
    return events;
  }

  it('answers about and catalog', async () => {
    const { client } = await realLab();
    expect(await client.about()).toMatchObject({ carrier: 'test', logicalCpus: 1 });
    const { models, strategies } = await client.catalog();
    expect(models.find(({ name }) => name === 'resnet50')).toMatchObject({
      parameters: 25_557_032,
      tensorVertices: 106,
    });
    expect(strategies.map(({ name }) => name)).toContain('optimal');
  });

  it('streams a comparison: the head, then the rows in the order asked for', async () => {
    const { client } = await realLab();
    const events = await compared(client);
    const [head] = events;
    if (head?.type !== 'head') throw new Error('no head');
    expect(head.head).toMatchObject({ model: 'resnet18', batch: 8, input: 224, parameters: 11_689_512 });
    const rows = events.filter((event) => event.type === 'row');
    expect(rows.map(({ row }) => row.strategy)).toEqual(ASKED.strategies);
    expect(rows[0]?.row.peakBytes).toBe(head.head.regularPeakBytes);
    const live = rows[0]?.timeline?.live;
    const peak = Math.max(...(live?.fixed ?? []).map((bytes, i) => bytes + 8 * (live?.perSample[i] ?? 0)));
    expect(peak).toBe(head.head.regularPeakBytes);
  });

  it('lists the tensors of a plan, which add up to its curve', async () => {
    const { client } = await realLab();
    const asked = { ...ASKED, strategies: ['optimal'] };
    const { strategies: _, ...network } = asked;
    const [, row] = await compared(client, asked);
    if (row?.type !== 'row' || row.timeline === null) throw new Error('no curve');
    const { live } = row.timeline;
    const listed = await client.liveTensors({ ...network, strategy: 'optimal' });
    const sums = live.perSample.map(() => 0);
    listed.vertices.forEach((_vertex, i) => {
      for (let t = listed.first[i]!; t <= listed.last[i]!; t++)
        sums[t]! += listed.fixed[i]! + 8 * listed.perSample[i]!;
    });
    expect(sums).toEqual(live.perSample.map((bytes, t) => live.fixed[t]! + 8 * bytes));
    const refused = failure(() => client.liveTensors({ ...network, strategy: 'linear-optimal' }));
    expect(await refused).toMatchObject({ code: 'BAD_INPUT', message: expect.stringMatching(/not apply/) });
  });

  it('reads a file, compares its network, also in a new thread, and refuses an invalid one', async () => {
    const { client, threads } = await realLab();
    const file = { name: 'nets/vgg11.json', bytes: new Blob([networkFile('vgg11')]) };
    const imported = await client.importFile(file);
    if (imported.kind !== 'network') throw new Error('a network was sent');
    const { model, title, summary } = imported;
    expect(model).toMatch(/^file:[0-9a-f]{16}$/);
    expect(title).toBe('vgg11');
    expect(summary).toMatchObject({ format: 'zigzag-graph', parameters: 132_863_336, opaque: [] });
    const ofFile = { ...ASKED, model, strategies: ['regular', 'optimal'] };
    const [, ...zoo] = await compared(client, { ...ofFile, model: 'vgg11' });
    const peaks = (events: readonly ComparisonEvent[]) =>
      events.flatMap((event) => (event.type === 'row' ? [event.row.peakBytes] : []));
    expect(peaks(await compared(client, ofFile))).toEqual(peaks(zoo));
    await threads[0]?.terminate();
    expect(peaks(await compared(client, ofFile))).toEqual(peaks(zoo));

    const refused = (run: () => Promise<unknown>, message: RegExp) =>
      expect(failure(run)).resolves.toMatchObject({
        code: 'BAD_INPUT',
        message: expect.stringMatching(message),
      });
    await refused(
      () => compared(client, { ...ofFile, model: 'file:0123456789abcdef' }),
      /drop the file again/,
    );
    await refused(
      () => client.importFile({ name: 'x', bytes: new Blob(['{"format":"zigzag-graph"']) }),
      /JSON/,
    );
    await refused(() => client.importFile({ name: 'x', bytes: new Blob(['']) }), /empty/);
    const limits = await collected(await client.limits({ ...ofFile, memoryBytes: 1e10 }));
    expect(limits.at(-1)).toMatchObject({ type: 'row', row: { reason: null, input: null } });
    expect(await client.openedFiles()).toEqual([imported]);
  });

  it('exports a plan, a graph and a drawing, which read back', async () => {
    const { client } = await realLab();
    const experiment = { ...ASKED, model: 'tiny-residual' };
    const text = async (form: 'plan' | 'graph' | 'dot') =>
      (await client.exportFile({ experiment, strategy: 'optimal', form })).text;
    const graph = buildModel('tiny-residual', { batch: 8 });
    expect([...parseGraphFile(await text('graph')).bytes]).toEqual([...graph.bytes]);
    expect(JSON.parse(await text('plan'))).toMatchObject({
      format: 'zigzag-plan',
      graphHash: graphHash(graph),
    });
    expect(await text('dot')).toMatch(/^digraph/);
    const asked = { experiment, strategy: 'linear-optimal', form: 'plan' } as const;
    expect(await failure(() => client.exportFile(asked))).toMatchObject({ code: 'BAD_INPUT' });
  });

  it('carries a file of several MiB unchanged', async () => {
    const bytes = new Uint8Array(5 << 20).map((_, i) => i);
    let arrived: Uint8Array | null = null;
    const stub = stubServices({});
    const importFile: LabServices['solver']['importFile'] = async ({ bytes: given }) => {
      arrived = given;
      throw new Error('enough');
    };
    const client = await lab({ ...stub, solver: { ...stub.solver, importFile } });
    await failure(() => client.importFile({ name: 'x', bytes: new Blob([bytes]) }));
    expect(Buffer.compare(arrived ?? new Uint8Array(), bytes)).toBe(0);
  });

  it('delivers events during the work', async () => {
    const { compare } = endlessCompare();
    const client = await lab(stubServices({ compare }));
    let seen = 0;
    for await (const _ of await client.compare(ASKED)) if (++seen === 3) break;
    expect(seen).toBe(3);
  });

  it('aborts the work behind a call whose signal aborts mid-stream', async () => {
    const { compare, ended } = endlessCompare();
    const client = await lab(stubServices({ compare }));
    const controller = new AbortController();
    const run = async () => {
      for await (const _ of await client.compare(ASKED, { signal: controller.signal })) controller.abort();
    };
    expect(await failure(run, controller.signal)).toMatchObject({ code: 'ABORTED' });
    expect(await ended).toEqual({ aborted: true });
  });

  it('ends the work when the stream is left', async () => {
    const { compare, ended } = endlessCompare();
    const client = await lab(stubServices({ compare }));
    for await (const _ of await client.compare(ASKED)) break;
    await ended;
  });

  it('ends the work when the carrier drops, and informs the caller', async () => {
    const { compare, ended } = endlessCompare();
    const client = await lab(stubServices({ compare }));
    const run = async () => {
      for await (const _ of await client.compare(ASKED)) carried?.drop();
    };
    expect(await failure(run)).toMatchObject({ code: 'DISCONNECTED' });
    expect(await ended).toEqual({ aborted: true });
  });

  it.each([
    [{ batch: 0 }, 'batch', 'batch: expected a whole number from 1 to 65536, got 0'],
    [{ batch: -1 }, 'batch', 'batch: expected a whole number from 1 to 65536, got -1'],
    [{ batch: 1.5 }, 'batch', 'batch: expected a whole number from 1 to 65536, got 1.5'],
    [{ batch: 1e9 }, 'batch', 'batch: expected a whole number from 1 to 65536, got 1000000000'],
    [{ model: 'alexnet', input: 8 }, 'input', /^input: alexnet needs 63 or more .*, got 8$/],
    [{ model: 'resnet5' }, '', /resnet50/],
    [{ strategies: ['optimul'] }, '', /did you mean .*optimal/],
  ])('refuses %j with one sentence and its path', async (change, path, sentence) => {
    const { client } = await realLab();
    const refused = await failure(() => compared(client, { ...ASKED, ...change }));
    expect(refused).toEqual({
      code: 'BAD_INPUT',
      path,
      message: typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    });
    expect(refused.message).not.toMatch(/[{}\n]/);
    expect(await compared(client, { ...ASKED, strategies: ['regular'] })).toHaveLength(2);
  });

  it('reports a killed solver; the next request works', async () => {
    const { client, threads } = await realLab();
    const asked = { ...ASKED, model: 'densenet201', strategies: ['memory-poor', 'optimal', 'chen-greedy'] };
    const killed = failure(async () => {
      for await (const _ of await client.compare(asked)) await threads[0]?.terminate();
    });
    expect(await killed).toMatchObject({
      code: 'WORKER_DIED',
      message: expect.stringMatching(/^The solver stopped/),
    });
    expect((await compared(client)).length).toBeGreaterThan(3);
    expect(threads).toHaveLength(2);
  });

  it('streams a training run', async () => {
    const { client } = await realLab();
    expect(await trained(client, 'any')).toEqual(['start', 'iteration', 'iteration', 'done']);
  });

  it('reports a killed trainer; the next run works', async () => {
    const { client } = await realLab();
    expect(await failure(() => trained(client, 'kill'))).toMatchObject({
      code: 'WORKER_DIED',
      message: expect.stringMatching(/^The trainer stopped unexpectedly \(killed by SIGKILL/),
    });
    expect(await trained(client, 'any')).toHaveLength(4);
  });

  it('refuses a second run while one is in progress, and frees the trainer when that is cancelled', async () => {
    const { client } = await realLab();
    for await (const { event } of await client.train(training('slow'))) {
      if (event !== 'iteration') continue;
      expect(await failure(() => trained(client, 'any'))).toMatchObject({ code: 'BUSY' });
      break;
    }
    expect(await trained(client, 'any')).toHaveLength(4);
  });

  it('carries out-of-memory and our own bugs as typed failures', async () => {
    const { client } = await realLab();
    expect(await failure(() => trained(client, 'oom'))).toMatchObject({
      code: 'OUT_OF_MEMORY',
      message: 'No room for 5 bytes.',
    });
    await carried?.close();
    const broken = await lab(
      stubServices({ catalog: () => Promise.reject(new TypeError('x is not a function')) }),
    );
    expect(await failure(() => broken.catalog())).toMatchObject({
      code: 'INTERNAL',
      message: expect.stringContaining('x is not a function'),
    });
  });
});

it('a message port ignores messages outside the protocol', async () => {
  const complain = vi.spyOn(console, 'error').mockReturnValue();
  const { port1, port2 } = new MessageChannel();
  servePort(createLabRouter(stubServices({})), port1);
  for (const nonsense of ['nonsense', '{}', '[]', 'null', 7, null, {}, new Uint8Array([255, 1])]) {
    port2.postMessage(nonsense);
  }
  const client = createLabClient({ port: port2 as unknown as globalThis.MessagePort });
  port2.start();
  expect(await client.about()).toMatchObject({ carrier: 'test' });
  expect(complain).toHaveBeenCalled();
  complain.mockRestore();
  port2.close();
});
