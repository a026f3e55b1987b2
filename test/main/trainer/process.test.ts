import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeConfig } from '../../../app/start/build.mjs';
import type { HostMessage, TrainerMessage } from '../../../main/trainer/protocol.ts';

const ROOT = join(import.meta.dirname, '../../..');

let folder = '';

beforeAll(async () => {
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  // Below the checkout, so that it finds its packages.
  folder = mkdtempSync(join(ROOT, 'dist', 'test-trainer-'));
  await build({
    ...nodeConfig({ trainer: join(ROOT, 'main/trainer/process.ts') }, folder),
    logLevel: 'error',
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The built trainer as the host starts it, with what it said so far. */
class Trainer {
  readonly child: ChildProcess;
  readonly received: TrainerMessage[] = [];

  constructor() {
    this.child = fork(join(folder, 'trainer.js'), [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.child.on('message', (message) => this.received.push(message as TrainerMessage));
  }

  send(message: HostMessage): void {
    this.child.send(message);
  }

  async until(matches: (message: TrainerMessage) => boolean): Promise<TrainerMessage> {
    for (;;) {
      const found = this.received.find(matches);
      if (found !== undefined) return found;
      if (this.child.exitCode !== null) throw new Error(`the trainer ended: ${this.child.stderr?.read()}`);
      const heard = new AbortController();
      const { signal } = heard;
      await Promise.race([once(this.child, 'message', { signal }), once(this.child, 'exit', { signal })]);
      heard.abort();
    }
  }

  exit(): Promise<number | null> {
    return new Promise((resolve) => this.child.once('exit', (code) => resolve(code)));
  }
}

const request = {
  model: 'tiny-residual',
  batch: 4,
  input: 8,
  strategy: 'optimal',
  iterations: 2,
  backend: 'wasm',
  seed: 1,
  learningRate: 0.01,
  momentum: 0.9,
} as const;

test('the trainer process runs, refuses, cancels and ends with its host', async () => {
  const trainer = new Trainer();
  await trainer.until(({ type }) => type === 'ready');

  trainer.send({ type: 'run', id: 1, request });
  await trainer.until((message) => message.type === 'end' && message.id === 1);
  const last = trainer.received.findLast(({ type }) => type === 'event');
  expect(last).toMatchObject({ id: 1, event: { event: 'done', backend: 'wasm' } });

  trainer.send({ type: 'run', id: 2, request: { ...request, batch: 0 } });
  expect(await trainer.until((message) => message.type === 'error' && message.id === 2)).toMatchObject({
    failure: { code: 'BAD_INPUT', data: { path: 'batch' } },
  });

  // Cancelled between two steps, not after the last iteration.
  trainer.send({ type: 'run', id: 3, request: { ...request, iterations: 100_000 } });
  await trainer.until(
    (message) => message.type === 'event' && message.id === 3 && message.event.event === 'steps',
  );
  trainer.send({ type: 'cancel', id: 3 });
  expect(await trainer.until((message) => message.type === 'error' && message.id === 3)).toMatchObject({
    failure: { code: 'CANCELLED' },
  });

  const exit = trainer.exit();
  trainer.child.disconnect();
  expect(await exit).toBe(0);
});
