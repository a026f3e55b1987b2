import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type TrainEvent,
  type TrainRequestInput,
  trainEventSchema,
  trainRequestSchema,
} from '../../app/contract/training.ts';
import { findChromium, NO_CHROMIUM } from '../../app/start/chromium.mjs';
import { LabFailure } from '../../main/host/failure.ts';
import { trainerWindowSpawner } from '../../main/electron/trainer-window.ts';
import { childProcessSpawner } from '../../main/trainer-client/child-process.ts';
import { TrainerClient } from '../../main/trainer-client/client.ts';
import { SplitTrainer } from '../../main/trainer-client/split-trainer.ts';
import {
  type BuiltEntries,
  type BuiltWindow,
  buildEntries,
  buildTrainerWindow,
} from '../main/support/built.ts';
import { skippedFor } from '../support/skipped.ts';
import { chromiumWindows } from './chromium-window.ts';
import { fakeElectron } from './fakes.ts';

const REQUEST: TrainRequestInput = {
  model: 'tiny-residual',
  batch: 2,
  input: 8,
  strategy: 'optimal',
  iterations: 1,
};

const executablePath = findChromium();
const why = executablePath === undefined ? NO_CHROMIUM : '';

/**
 * The desktop's trainer but for Electron: the real service, its spawner and its port, the built page, its
 * preload script and its policy, in Chromium on a software GPU behind a stand-in for Electron's window.
 */
describe.skipIf(why !== '')(`the desktop's trainer with its page in Chromium${skippedFor(why)}`, () => {
  let browser: Browser;
  let page: BuiltWindow;
  let built: BuiltEntries;
  let windows: Awaited<ReturnType<typeof chromiumWindows>>;
  let trainer: SplitTrainer;

  beforeAll(async () => {
    [page, built] = await Promise.all([
      buildTrainerWindow(),
      buildEntries({ trainer: 'main/trainer/process.ts' }),
    ]);
    browser = await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        '--no-sandbox',
        '--enable-unsafe-webgpu',
        '--use-webgpu-adapter=swiftshader',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
    const electron = fakeElectron();
    windows = await chromiumWindows(browser, electron.trainerSession);
    const parts = { ...electron.asElectron, BrowserWindow: windows.BrowserWindow };
    trainer = new SplitTrainer({
      process: new TrainerClient(childProcessSpawner(built.file('trainer'))),
      window: new TrainerClient(trainerWindowSpawner(parts, page)),
    });
  });

  afterAll(async () => {
    await trainer?.close();
    await browser?.close();
    windows?.close();
    page?.remove();
    built?.remove();
  });

  async function train(
    change: Partial<TrainRequestInput>,
    onEvent: (event: TrainEvent) => void | Promise<void> = () => undefined,
    signal?: AbortSignal,
  ): Promise<TrainEvent[]> {
    const events: TrainEvent[] = [];
    for await (const event of trainer.train(trainRequestSchema.parse({ ...REQUEST, ...change }), signal)) {
      events.push(trainEventSchema.parse(event));
      await onEvent(event);
    }
    return events;
  }

  function startOf(events: readonly TrainEvent[]) {
    const start = events.find((event) => event.event === 'start');
    if (start?.event !== 'start') throw new Error('the run did not start');
    return start;
  }

  it('trains on webgpu with the predicted bytes', async () => {
    const events = await train({ backend: 'webgpu' });
    const start = startOf(events);
    expect(start).toMatchObject({ backend: 'webgpu', backendReason: 'webgpu: asked for' });
    const measured = events.flatMap((event) => (event.event === 'steps' ? event.bytes : []));
    const { perSample, fixed } = start.timeline.live;
    expect(measured).toEqual(perSample.map((bytes, i) => 2 * bytes + fixed[i]!));
    expect(events.at(-1)).toMatchObject({ event: 'done', backend: 'webgpu' });
    expect(windows.refused).toEqual([]);
  });

  it('skips the emulated GPU for a faster backend on the processor, and says so', async () => {
    expect(startOf(await train({})).backendReason).toMatch(
      /^(tensorflow: [^;]+; )?webgpu: [^;]*swiftshader[^;]* is no GPU but the processor, which wasm uses better; using (tensorflow|wasm)$/i,
    );
  });

  it('measures the largest batch below a cap', async () => {
    const events = await train({
      backend: 'webgpu',
      model: 'chain-4',
      input: 16,
      strategy: 'regular',
      largestBatch: true,
      memoryCapBytes: 100_000,
    });
    // Parameters, their gradients and momentum, then four activations and one gradient of a sample.
    const batch = Math.floor((100_000 - 3 * 3 * 84 * 4) / (3072 * 5));
    expect(events.at(-1)).toEqual({ event: 'largest', batch, isMost: false });
  });

  it('refuses a folder with one sentence', async () => {
    await expect(train({ backend: 'webgpu', dataFolder: '/data' })).rejects.toMatchObject({
      failure: { code: 'BAD_INPUT', message: expect.stringMatching(/train on wasm$/) },
    });
  });

  it('cancels, and trains again in the same window', async () => {
    const before = windows.pages.length;
    const controller = new AbortController();
    const stop = ({ event }: TrainEvent) => {
      if (event === 'iteration') controller.abort();
    };
    const endless = train({ backend: 'webgpu', iterations: 100_000 }, stop, controller.signal);
    await expect(endless).rejects.toThrow('cancelled');
    expect((await train({ backend: 'webgpu' })).at(-1)?.event).toBe('done');
    expect(windows.pages).toHaveLength(before);
  });

  it('has no network', async () => {
    const isReached = (url: string) =>
      fetch(url)
        .then(() => true)
        .catch(() => false);
    expect(await windows.pages.at(-1)?.evaluate(isReached, `${windows.origin}/window.html`)).toBe(false);
  });

  it.each<[string, (last: Browser) => Promise<void>, object]>([
    [
      'the loss of its GPU',
      () => windows.pages.at(-1)!.evaluate(() => (globalThis as unknown as { gpu: GPUDevice }).gpu.destroy()),
      {
        code: 'INTERNAL',
        message: expect.stringMatching(/^the GPU was lost \(.+\); the next run opens it again$/),
      },
    ],
    [
      'a crash of its page',
      async () => {
        const crashing = windows.pages.at(-1)!;
        const session = await crashing.context().newCDPSession(crashing);
        void session.send('Page.crash').catch(() => undefined);
      },
      { code: 'WORKER_DIED', data: { worker: 'trainer', reason: 'its window crashed' } },
    ],
  ])(
    'reports %s, and trains again in a new window',
    async (_what, happen, failure) => {
      const before = windows.pages.length;
      let hasHappened = false;
      const run = train({ backend: 'webgpu', iterations: 100_000 }, async ({ event }) => {
        if (event !== 'iteration' || hasHappened) return;
        hasHappened = true;
        await happen(browser);
      });
      const error = await run.then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(LabFailure);
      expect((error as LabFailure).failure).toMatchObject(failure);
      // The page that lost its GPU closes itself once it has said so.
      await expect.poll(() => windows.pages.at(-1)?.isClosed()).toBe(true);
      expect((await train({ backend: 'webgpu' })).at(-1)?.event).toBe('done');
      expect(windows.pages).toHaveLength(before + 1);
    },
    120_000,
  );
});
