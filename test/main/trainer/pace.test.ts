import { describe, expect, test } from 'vitest';
import { createProblem } from '../../../engine/problem.ts';
import { BACKWARD, FORWARD } from '../../../engine/schedule/schedule.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { Pace } from '../../../main/trainer/pace.ts';
import { scheduleOf } from './training.ts';

const small = createProblem(buildModel('tiny-residual', { batch: 2, input: 8 }), 'tfjs');
const large = createProblem(buildModel('vgg16', { batch: 64 }), 'tfjs');

function paceOf(problem: typeof small, finish?: () => Promise<void>) {
  const announced: number[] = [];
  const schedule = scheduleOf(problem, 'regular')!;
  const pace = new Pace(problem.graph, schedule, {
    announce: (ms) => announced.push(ms),
    ...(finish === undefined ? {} : { finish }),
  });
  return { pace, announced, steps: schedule.kinds.length, schedule };
}

async function iteration({ pace, steps }: ReturnType<typeof paceOf>, ms: number): Promise<number[]> {
  const shares: number[] = [];
  pace.begin();
  for (let t = 0; t < steps; t++) {
    pace.before(t);
    await pace.after(t, ms);
    shares.push(pace.share);
  }
  await pace.settle();
  shares.push(pace.share);
  return shares;
}

describe('the pace of a schedule', () => {
  test('announces nothing if no kernel can take long', async () => {
    const run = paceOf(small);
    await iteration(run, 1);
    expect(run.announced).toEqual([]);
  });

  test('announces a kernel with much work, until it proves fast', async () => {
    const run = paceOf(large);
    await iteration(run, 1);
    // 64 x 3.7 GFLOP in the largest layers: hours at 20 MFLOP/s.
    expect(Math.max(...run.announced)).toBeGreaterThan(3_600_000);
    // And yet not forever.
    expect(Math.max(...run.announced)).toBeLessThan(24 * 3_600_000);
    run.announced.length = 0;
    await iteration(run, 1);
    expect(run.announced).toEqual([]);
  });

  test('announces ten times the last time of a slow step', async () => {
    const run = paceOf(small);
    await iteration(run, 40_000);
    await iteration(run, 40_000);
    const kernels = Array.from(run.schedule.kinds).filter((kind) => kind === FORWARD || kind === BACKWARD);
    expect(run.announced).toEqual(kernels.map(() => 400_000));
  });

  test('shares grow to 1, by work at first and by time then', async () => {
    const run = paceOf(large);
    for (const shares of [await iteration(run, 5), await iteration(run, 5)]) {
      expect(shares).toEqual([...shares].sort((a, b) => a - b));
      expect(shares.at(-1)).toBeCloseTo(1, 9);
    }
  });

  test('waits for a device with a queue before it counts steps as done', async () => {
    let finished = 0;
    const run = paceOf(large, () => {
      finished++;
      return Promise.resolve();
    });
    run.pace.begin();
    run.pace.before(0);
    await run.pace.after(0, 0);
    const [first] = run.schedule.vertices;
    expect(run.schedule.kinds[0]).toBe(FORWARD);
    expect(large.graph.flops[first!]).toBeGreaterThan(1e8);
    // So much work that it was waited for at once.
    expect(finished).toBe(1);
    expect(run.pace.share).toBeGreaterThan(0);
    await iteration(run, 0);
    const whole = finished;
    expect(whole).toBeGreaterThan(10);
    // It turned out to be fast: once, at the end.
    await iteration(run, 0);
    expect(finished).toBe(whole + 1);
    expect(run.pace.share).toBeCloseTo(1, 9);
  });
});
