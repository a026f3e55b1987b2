import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TRAINER_PORT_MESSAGE } from '../../app/contract/desktop.ts';
import { trainRequestSchema } from '../../app/contract/training.ts';
import { trainerWindowSpawner } from '../../main/electron/trainer-window.ts';
import type { HostMessage, TrainerMessage } from '../../main/trainer/protocol.ts';
import { TrainerClient } from '../../main/trainer-client/client.ts';
import { FakeChannel, FakeWindow, fakeElectron } from './fakes.ts';
import { freshFolder } from '../support/fresh-folder.ts';
import { collected } from '../support/collected.ts';

const REQUEST = trainRequestSchema.parse({ model: 'vgg11', batch: 1, strategy: 'regular', iterations: 1 });
const ITERATION = { event: 'iteration', iteration: 0, ms: 1, loss: 1, measuredPeakBytes: 1 } as const;

const pageRoot = freshFolder();
writeFileSync(join(pageRoot, 'window.html'), '<html></html>');

let client: TrainerClient;
const ports: MessagePort[] = [];
beforeEach(() => {
  FakeWindow.made.length = 0;
  FakeChannel.made.length = 0;
});
afterEach(async () => {
  await client.close();
  for (const port of ports.splice(0)) port.close();
});

function trainer(root = pageRoot) {
  const electron = fakeElectron();
  const files = { trainerPageRoot: root, trainerPreload: '/dist/preload-trainer.cjs' };
  client = new TrainerClient(trainerWindowSpawner(electron.asElectron, files), { graceMs: 30 });
  const train = (signal?: AbortSignal) => collected(client.train(REQUEST, signal));
  /** Plays the page of the last window: gets its port, listens, and answers every run with these messages. */
  const answer = (...messages: object[]): HostMessage[] => {
    const received: HostMessage[] = [];
    const { webContents } = FakeWindow.made.at(-1)!;
    webContents.emit('did-finish-load');
    const [channel, , [port]] = webContents.postMessage.mock.calls[0] as [string, null, [MessagePort]];
    expect(channel).toBe(TRAINER_PORT_MESSAGE);
    ports.push(port);
    const send = (message: object) => port.postMessage(message as TrainerMessage);
    port.on('message', (message: HostMessage) => {
      received.push(message);
      if (message.type === 'run') for (const answer of messages) send({ id: message.id, ...answer });
    });
    send({ type: 'ready' });
    return received;
  };
  return { electron, train, answer };
}

describe('the trainer in a hidden window', () => {
  it('is never shown, sandboxed, not throttled, alone in a session without network', async () => {
    const { electron, train, answer } = trainer();
    const run = train();
    const received = answer({ type: 'event', event: ITERATION }, { type: 'end' });
    expect(await run).toEqual([ITERATION]);
    expect(received).toEqual([{ type: 'run', id: 1, request: REQUEST }]);

    const [window] = FakeWindow.made;
    expect(window?.options).toMatchObject({ show: false, focusable: false, skipTaskbar: true });
    expect(window?.show).not.toHaveBeenCalled();
    expect(window?.options.webPreferences).toMatchObject({
      preload: '/dist/preload-trainer.cjs',
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      backgroundThrottling: false,
      partition: 'zigzag-trainer',
    });
    expect(window?.loadURL.mock.calls).toEqual([['zigzag://trainer/window.html']]);
    expect(electron.session.fromPartition.mock.calls).toEqual([['zigzag-trainer']]);
    expect(electron.trainerSession.webRequest.onBeforeRequest).toHaveBeenCalledOnce();
    expect(electron.trainerSession.protocol.handle).toHaveBeenCalledWith('zigzag', expect.any(Function));
    expect(electron.defaultSession.protocol.handle).not.toHaveBeenCalled();
  });

  it('stays for the next run', async () => {
    const { train, answer } = trainer();
    const run = train();
    answer({ type: 'end' });
    await run;
    await train();
    expect(FakeWindow.made).toHaveLength(1);
  });

  it('ends after a lost GPU, and a new one opens for the next run', async () => {
    const { train, answer } = trainer();
    const failure = { code: 'INTERNAL', message: 'the GPU was lost', data: { detail: '' } };
    const run = train();
    answer({ type: 'error', failure, isBroken: true });
    await expect(run).rejects.toMatchObject({ failure });
    expect(FakeWindow.made[0]?.isGone).toBe(true);
    const next = train();
    answer({ type: 'end' });
    expect(await next).toEqual([]);
    expect(FakeWindow.made).toHaveLength(2);
  });

  it.each<[string, (made: FakeWindow, app: ReturnType<typeof fakeElectron>['app']) => void, string]>([
    [
      'a crash',
      ({ webContents }) => webContents.emit('render-process-gone', {}, { reason: 'crashed' }),
      'its window crashed',
    ],
    [
      'a lack of memory',
      ({ webContents }) => webContents.emit('render-process-gone', {}, { reason: 'oom' }),
      'its window ran out of memory',
    ],
    [
      'a page that hangs',
      ({ webContents }) => webContents.emit('unresponsive'),
      'its window does not respond',
    ],
    [
      'the loss of the GPU process',
      (_, app) => app.emit('child-process-gone', {}, { type: 'GPU', reason: 'crashed', exitCode: 139 }),
      'the GPU process crashed',
    ],
    [
      'a preload script that fails',
      ({ webContents }) => webContents.emit('preload-error', {}, '/dist/x.cjs', new Error('no such module')),
      'its window did not start: no such module',
    ],
    ['a page that closes itself', (window) => window.emit('closed'), 'its window closed'],
  ])('reports %s in one sentence, and opens a new window for the next run', async (_what, happen, reason) => {
    const { electron, train, answer } = trainer();
    const run = train();
    answer({ type: 'event', event: ITERATION });
    await vi.waitFor(() => expect(FakeChannel.made).toHaveLength(1));
    happen(FakeWindow.made[0]!, electron.app);
    await expect(run).rejects.toMatchObject({
      failure: {
        code: 'WORKER_DIED',
        message: `The trainer stopped unexpectedly (${reason}); the next request starts a new one.`,
      },
    });
    expect(FakeWindow.made[0]?.isGone || reason === 'its window closed').toBe(true);
    expect(electron.app.listenerCount('child-process-gone')).toBe(0);

    const next = train();
    answer({ type: 'end' });
    expect(await next).toEqual([]);
    expect(FakeWindow.made).toHaveLength(2);
  });

  it('survives the loss of any other process', async () => {
    const { electron, train, answer } = trainer();
    const run = train();
    electron.app.emit('child-process-gone', {}, { type: 'Utility', reason: 'crashed', exitCode: 1 });
    answer({ type: 'end' });
    expect(await run).toEqual([]);
  });

  it('reports a closed port', async () => {
    const { train, answer } = trainer();
    const run = train();
    answer();
    ports[0]?.close();
    await expect(run).rejects.toMatchObject({ failure: { data: { reason: 'its window hung up' } } });
  });

  it('reports a crash, although the port closes first', async () => {
    const { train, answer } = trainer();
    const run = train();
    answer();
    const { webContents } = FakeWindow.made.at(-1)!;
    ports[0]?.close();
    const { port1 } = FakeChannel.made.at(-1)!;
    port1.on('close', () => setTimeout(() => webContents.emit('render-process-gone', {}, { reason: 'oom' })));
    await expect(run).rejects.toMatchObject({
      failure: { data: { reason: 'its window ran out of memory' } },
    });
  });

  it('reports a missing page, and one that does not load', async () => {
    const missing = trainer(join(pageRoot, 'nothing'));
    await expect(missing.train()).rejects.toMatchObject({
      failure: { data: { reason: 'its page is not built' } },
    });
    expect(FakeWindow.made[0]?.loadURL).not.toHaveBeenCalled();

    const { train } = trainer();
    const load = vi.spyOn(FakeWindow.prototype, 'open').mockRejectedValueOnce(new Error('ERR_FAILED (-2)'));
    await expect(train()).rejects.toMatchObject({
      failure: { data: { reason: 'its page did not load: ERR_FAILED (-2)' } },
    });
    load.mockRestore();
  });

  it('is asked to cancel, then ended with its process', async () => {
    const { train, answer } = trainer();
    const controller = new AbortController();
    const run = train(controller.signal);
    const received = answer();
    await vi.waitFor(() => expect(received).toHaveLength(1));
    controller.abort();
    await expect(run).rejects.toThrow('cancelled');
    await vi.waitFor(() => expect(received.at(-1)).toEqual({ type: 'cancel', id: 1 }));
    const [window] = FakeWindow.made;
    await vi.waitFor(() => expect(window?.destroy).toHaveBeenCalledOnce());
    expect(window?.webContents.forcefullyCrashRenderer).toHaveBeenCalledOnce();
  });
});
