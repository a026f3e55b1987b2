import { Readable } from 'node:stream';
import type { UtilityProcess } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { trainRequestSchema } from '../../app/contract/training.ts';
import { endOf, utilityProcessSpawner } from '../../main/electron/utility-process.ts';
import { TrainerClient } from '../../main/trainer-client/client.ts';
import { FakeUtility } from './fakes.ts';
import { collected } from '../support/collected.ts';

const REQUEST = trainRequestSchema.parse({ model: 'vgg11', batch: 1, strategy: 'regular', iterations: 1 });
const ITERATION = { event: 'iteration', iteration: 0, ms: 1, loss: 1, measuredPeakBytes: 1 } as const;

function trainer(errors: string[] = []) {
  const children: FakeUtility[] = [];
  const fork = vi.fn(() => {
    const child = Object.assign(new FakeUtility(), { stderr: Readable.from(errors) });
    children.push(child);
    return child as unknown as UtilityProcess;
  });
  const killNow = vi.fn();
  const client = new TrainerClient(utilityProcessSpawner({ fork }, '/dist/trainer.js', killNow), {
    graceMs: 30,
  });
  const train = (signal?: AbortSignal) => collected(client.train(REQUEST, signal));
  /** Plays the process of a run: listens, and answers the request with these messages. */
  const answer = async (child: FakeUtility | undefined, ...messages: object[]) => {
    child?.emit('message', { type: 'ready' });
    await vi.waitFor(() => expect(child?.postMessage).toHaveBeenCalled());
    const { id } = child?.postMessage.mock.calls.at(-1)?.[0] ?? {};
    for (const message of messages) child?.emit('message', { id, ...message });
  };
  return { train, answer, children, fork, killNow };
}

describe('the trainer in a utility process', () => {
  it('is forked quietly and speaks the trainer protocol', async () => {
    const { train, answer, children, fork } = trainer();
    const run = train();
    await answer(children[0], { type: 'event', event: ITERATION }, { type: 'end' });
    expect(await run).toEqual([ITERATION]);
    expect(fork.mock.calls).toEqual([
      ['/dist/trainer.js', [], { serviceName: 'Zigzag trainer', stdio: ['ignore', 'ignore', 'pipe'] }],
    ]);
    expect(children[0]?.postMessage.mock.calls).toEqual([[{ type: 'run', id: 1, request: REQUEST }]]);
  });

  it('says why it died', async () => {
    const { train, children } = trainer(['FATAL ERROR: out of memory\n']);
    const run = train();
    await vi.waitFor(() => expect(children[0]?.stderr?.readableEnded).toBe(true));
    children[0]?.emit('exit', 134);
    await expect(run).rejects.toMatchObject({
      failure: { code: 'WORKER_DIED', data: { reason: 'killed by SIGABRT: FATAL ERROR: out of memory' } },
    });
  });

  it('reports a fault of the engine in it', async () => {
    const { train, children } = trainer();
    const run = train();
    children[0]?.emit('error', 'FatalError', 'v8::Array', '{}');
    children[0]?.emit('exit', 1);
    await expect(run).rejects.toMatchObject({ failure: { data: { reason: 'FatalError at v8::Array' } } });
  });

  it('is asked to cancel, then killed by its id', async () => {
    const { train, answer, children, killNow } = trainer();
    const controller = new AbortController();
    const run = train(controller.signal);
    await answer(children[0]);
    controller.abort();
    await expect(run).rejects.toThrow('cancelled');
    expect(children[0]?.postMessage.mock.calls.at(-1)).toEqual([{ type: 'cancel', id: 1 }]);
    await vi.waitFor(() => expect(killNow.mock.calls).toEqual([[4321]]));
    expect(children[0]?.kill).toHaveBeenCalledOnce();
  });
});

describe('why it ended, by the exit code', () => {
  const explain = (how: string): string => `${how}: FATAL`;

  it.each([
    [9, 'linux', 'killed by SIGKILL, probably because memory ran out'],
    [11, 'linux', 'killed by SIGSEGV: FATAL'],
    [139, 'darwin', 'killed by SIGSEGV: FATAL'],
    [1, 'linux', 'exit code 1: FATAL'],
    [0xe0000008 | 0, 'win32', 'it ran out of memory'],
    [9, 'win32', 'exit code 9: FATAL'],
  ] as const)('%d on %s', (code, platform, said) => {
    expect(endOf(code, explain, platform)).toBe(said);
  });
});
