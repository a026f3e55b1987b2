import { expect, test } from 'vitest';
import { type TrainEvent, trainEventSchema } from '../../../app/contract/training.ts';
import { Progress } from '../../../main/trainer/progress.ts';

function progressOf() {
  const events: Extract<TrainEvent, { event: 'progress' }>[] = [];
  let now = 1000;
  const emit = (event: TrainEvent): void => {
    if (event.event === 'progress') events.push(event);
  };
  return {
    events,
    progress: new Progress(emit, () => now),
    wait: (ms: number) => {
      now += ms;
    },
  };
}

test('a very short phase reports nothing', () => {
  const { progress, events, wait } = progressOf();
  progress.begin('iterations', 10);
  for (let done = 1; done <= 10; done++) {
    wait(150);
    progress.at(done);
  }
  expect(events).toEqual([]);
});

test('a long phase reports progress a few times a second, and its end once', () => {
  const { progress, events, wait } = progressOf();
  progress.begin('pairs', 4);
  for (let done = 0.01; done < 4; done += 0.01) {
    wait(25);
    progress.at(done);
  }
  progress.at(4);
  for (const event of events) expect(trainEventSchema.parse(event)).toEqual(event);
  // 10 seconds in steps of 25 ms.
  expect(events.length).toBeGreaterThan(20);
  expect(events.length).toBeLessThan(40);
  const half = events.find(({ done }) => done >= 2);
  expect(half).toMatchObject({ phase: 'pairs', of: 4 });
  expect(half?.leftMs).toBeGreaterThan(4500);
  expect(half?.leftMs).toBeLessThan(5500);
  expect(events.map(({ done }) => done)).toEqual([...events.map(({ done }) => done)].sort((a, b) => a - b));
  expect(events.at(-1)).toMatchObject({ done: 4, leftMs: 0 });
  expect(events.filter(({ done }) => done === 4)).toHaveLength(1);
});

test('no remaining time is estimated if steps differ in length', () => {
  const { progress, events, wait } = progressOf();
  progress.begin('probes', 8, false);
  wait(3000);
  progress.at(1);
  progress.reckon(5);
  wait(3000);
  progress.at(2.5);
  expect(events).toEqual([
    { event: 'progress', phase: 'probes', done: 1, of: 8, leftMs: null },
    { event: 'progress', phase: 'probes', done: 2.5, of: 5, leftMs: null },
  ]);
});
