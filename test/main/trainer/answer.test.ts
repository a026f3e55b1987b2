import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TrainEvent, type TrainRequestInput, trainEventSchema } from '../../../app/contract/training.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { answer } from '../../../main/trainer/answer.ts';
import { wasmBackend } from '../../../main/trainer/backends/wasm.ts';
import { readCifar10 } from '../../../main/trainer/data/cifar10.ts';
import { supervised } from '../../../main/trainer/supervision.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

const TINY: TrainRequestInput = {
  model: 'tiny-residual',
  batch: 4,
  input: 8,
  strategy: 'optimal',
  iterations: 2,
  seed: 3,
};

async function ask(request: unknown): Promise<TrainEvent[]> {
  const events: TrainEvent[] = [];
  await answer(request, (event) => events.push(event), supervised(), {
    backends: [wasmBackend],
    readFolder: readCifar10,
  });
  return events;
}

function doneOf(events: readonly TrainEvent[]): Extract<TrainEvent, { event: 'done' }> {
  const last = events.at(-1);
  if (last?.event !== 'done') throw new Error('the run is not done');
  return last;
}

describe('the checkpoints of a request', () => {
  test('are those of manual', async () => {
    const manual = { ...TINY, strategy: 'manual', iterations: 1 };
    const startOf = ([start]: readonly TrainEvent[]): Extract<TrainEvent, { event: 'start' }> => {
      if (start?.event !== 'start') throw new Error('the run did not start');
      return start;
    };
    const events = await ask({ ...manual, checkpoints: ['block2.add'] });
    const none = startOf(await ask({ ...manual, checkpoints: [] }));
    expect(startOf(events).timeline.vertices).not.toEqual(none.timeline.vertices);
    expect(doneOf(events).measuredPeakBytes).toBe(startOf(events).predictedPeakBytes);
  });

  test('are refused by name if the network lacks them', async () => {
    const wrong = { ...TINY, strategy: 'manual', checkpoints: ['nowhere'] };
    await expect(ask(wrong)).rejects.toThrow(/nowhere/);
    await expect(ask({ ...TINY, checkpoints: [''] })).rejects.toThrow(BadInputError);
  });
});

describe('a folder of CIFAR-10', () => {
  const SIZE = 10_000 * 3073;
  const folder = freshFolder();
  beforeAll(() => {
    for (let i = 1; i <= 5; i++) {
      const file = join(folder, `data_batch_${i}.bin`);
      // Sparse: black images of the first class.
      writeFileSync(file, '');
      truncateSync(file, SIZE);
    }
  });

  test('is the training data', async () => {
    const own = doneOf(await ask({ ...TINY, dataFolder: folder }));
    const synthetic = doneOf(await ask(TINY));
    expect(own.loss[0]).not.toBe(synthetic.loss[0]);
    // One class only: the second step knows it better.
    expect(own.loss[1]).toBeLessThan(own.loss[0]!);
  });

  test.each([
    ['tiny-unet', 'CIFAR-10 has one class an image, and the network one a pixel; leave the folder out'],
    ['tiny-transformer', 'one a position; leave the folder out'],
  ])('is refused for %s, which labels more than images', async (model, sentence) => {
    await expect(ask({ ...TINY, model, dataFolder: folder })).rejects.toThrow(sentence);
  });

  test('is refused by the name of its damaged file', async () => {
    truncateSync(join(folder, 'data_batch_2.bin'), SIZE - 1);
    await expect(ask({ ...TINY, dataFolder: folder })).rejects.toThrow(
      /^[^\n]*data_batch_2\.bin is damaged: it has 30729999 bytes instead of 30730000$/,
    );
    await expect(ask({ ...TINY, dataFolder: '' })).rejects.toThrow(BadInputError);
  });

  test('is refused if it has no files', async () => {
    const request = { ...TINY, dataFolder: folder };
    await expect(answer(request, () => undefined, supervised(), { backends: [wasmBackend] })).rejects.toThrow(
      /leave the folder out, or train on wasm$/,
    );
  });
});

describe('the classic mistakes of a request', () => {
  const dropout = { ...TINY, model: 'tiny-dropout', dropout: 0.3, strategy: 'chen-sqrt', iterations: 3 };

  test('naive dropout changes the loss under recompute, from the second iteration on', async () => {
    const right = doneOf(await ask(dropout));
    const naive = doneOf(await ask({ ...dropout, naiveDropout: true }));
    expect(naive.loss[0]).toBe(right.loss[0]);
    expect(naive.loss[1]).not.toBe(right.loss[1]);
    // Without recompute there is nothing to get wrong.
    const regular = { ...dropout, strategy: 'regular' };
    expect(doneOf(await ask({ ...regular, naiveDropout: true })).loss).toEqual(
      doneOf(await ask(regular)).loss,
    );
  });

  test('naive statistics drift from the right ones under recompute only, and cost no bytes', async () => {
    const request = { ...TINY, strategy: 'chen-sqrt', naiveStatistics: true };
    const driftsOf = (events: readonly TrainEvent[]) =>
      events.flatMap((event) => (event.event === 'iteration' ? [event.statisticsDrift] : []));
    const naive = await ask(request);
    for (const drift of driftsOf(naive)) expect(drift).toBeGreaterThan(0.01);
    expect(doneOf(naive).measuredPeakBytes).toBe(doneOf(naive).predictedPeakBytes);
    expect(driftsOf(await ask({ ...request, strategy: 'regular' }))).toEqual([0, 0]);
    expect(driftsOf(await ask({ ...TINY }))).toEqual([undefined, undefined]);
  });

  test('are only switches', async () => {
    await expect(ask({ ...TINY, naiveStatistics: 'yes' })).rejects.toThrow(BadInputError);
  });
});

describe('the largest batch of a request', () => {
  const request = { ...TINY, model: 'chain-4', input: 16, strategy: 'regular', largestBatch: true };

  test('is reported trial by trial, then as the result', async () => {
    const events = await ask({ ...request, memoryCapBytes: 100_000 });
    for (const event of events) expect(trainEventSchema.parse(event)).toEqual(event);
    // The same bytes as in the test of the search itself.
    const batch = Math.floor((100_000 - 3 * 3 * 84 * 4) / (3072 * 5));
    expect(events.at(-1)).toEqual({ event: 'largest', batch, isMost: false });
    expect(events).toContainEqual({ event: 'probe', batch, ran: true, reason: null });
    expect(events).toContainEqual({
      event: 'probe',
      batch: batch + 1,
      ran: false,
      reason: expect.stringContaining('the cap allows'),
    });
  });

  test('is refused without a cap, and if not even one sample fits', async () => {
    await expect(ask(request)).rejects.toThrow(/memory cap/);
    await expect(ask({ ...request, memoryCapBytes: 1000 })).rejects.toThrow(/not even one sample runs/);
  });
});
