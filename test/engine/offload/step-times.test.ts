import { describe, expect, it } from 'vitest';
import { deviceOf, DEVICES, speedOf } from '../../../engine/devices/devices.ts';
import { type DeviceSpeed, stepSeconds } from '../../../engine/limits/throughput.ts';
import type { Link } from '../../../engine/offload/link.ts';
import { stepTimes } from '../../../engine/offload/step-times.ts';
import { needsOf } from '../../../engine/ops/memory-model.ts';
import { predecessorsOf } from '../../../engine/graph/graph.ts';
import {
  BACKWARD,
  FETCH,
  FORWARD,
  FREE,
  hasTransfers,
  type Schedule,
  SEND,
} from '../../../engine/schedule/schedule.ts';
import { simulate, simulateWithLifetimes } from '../../../engine/simulate/simulate.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { fewest } from '../../support/draws.ts';
import { measuredProblem } from '../../support/measured-graphs.ts';
import { randomProblems } from '../../support/problems.ts';
import { randomSchedule, withTransfers } from '../../support/random-schedules.ts';
import { createRng } from '../../support/rng.ts';
import { steps } from '../../support/schedule-text.ts';

const none = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };
/** Forwards of 2, 3 and 1 s, backwards twice that; 10, 20 and 5 bytes. */
const CHAIN = measuredProblem([
  { bytes: 1, flops: 0, inputs: [] },
  { bytes: 10, flops: 2, inputs: [0], keeps: none },
  { bytes: 20, flops: 3, inputs: [1], keeps: { ...none, inputs: [0] } },
  { bytes: 5, flops: 1, inputs: [2], keeps: { ...none, inputs: [0] } },
]);
const ONE_A_SECOND: DeviceSpeed = { flopsPerSecond: 1, secondsPerOperation: 0 };
const linked = (bytesPerSecond: number, overlaps = true, speed = ONE_A_SECOND) => ({
  speed,
  link: { bytesPerSecond, overlaps },
});
const times = (drawing: string, bytesPerSecond: number, overlaps = true) => {
  const schedule = steps(drawing);
  simulate(CHAIN.graph, CHAIN.memory, schedule);
  return stepTimes(CHAIN.graph, CHAIN.memory, schedule, linked(bytesPerSecond, overlaps));
};

describe('times of a step, by hand', () => {
  it('[O1] are those of the computing alone without transfers', () => {
    const { seconds, stalledSeconds, start, end } = times('F1 F2 F3 X3 B3 X2 B2 X1 B1', 1);
    expect([seconds, stalledSeconds]).toEqual([18, 0]);
    expect([...start]).toEqual([0, 2, 5, 6, 6, 8, 8, 14, 14]);
    expect([...end]).toEqual([2, 5, 6, 6, 8, 8, 14, 14, 18]);
  });

  it('[O2] [O4] [O5] hide a copy behind what is computed meanwhile', () => {
    const fast = times('F1 F2 S1 X1 F3 X3 R1 B3 X2 B2 X1 B1', 10);
    // The free waits for the copy, a second long; the fetch is there before backward of v3 has ended.
    expect(fast).toMatchObject({ seconds: 19, stalledSeconds: 1, sendingSeconds: 1, fetchingSeconds: 1 });
    // Freed a step later, the copy is hidden as well.
    const late = times('F1 F2 S1 F3 X1 X3 R1 B3 X2 B2 X1 B1', 10);
    expect(late).toMatchObject({ seconds: 18, stalledSeconds: 0 });
    expect([late.start[2], late.end[2]]).toEqual([5, 6]);
    // Fetched only where it is needed, backward waits for it.
    expect(times('F1 F2 S1 F3 X1 X3 B3 X2 R1 B2 X1 B1', 10)).toMatchObject({
      seconds: 19,
      stalledSeconds: 1,
    });
  });

  it('[O2] [O3] queue copies of a direction, and no copy comes back before it has gone', () => {
    const slow = times('F1 S1 F2 S2 F3 X1 X2 X3 R2 R1 B3 X2 B2 X1 B1', 2);
    // v1 leaves from 2 to 7, v2 from 7 to 17; both frees wait; v2 is back at 27, v1 at 32.
    expect([slow.start[1], slow.end[1], slow.start[3], slow.end[3]]).toEqual([2, 7, 7, 17]);
    expect([slow.start[8], slow.end[8], slow.start[9], slow.end[9]]).toEqual([17, 27, 27, 32]);
    expect(slow).toMatchObject({ seconds: 42, stalledSeconds: 24 });
  });

  it('[O6] add up where copies do not overlap', () => {
    const alone = times('F1 F2 S1 F3 X1 X3 R1 B3 X2 B2 X1 B1', 10, false);
    expect(alone).toMatchObject({ seconds: 20, stalledSeconds: 2 });
  });

  it('[O5] keep an operation in place from overwriting what is still copied', () => {
    const problem = measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 10, flops: 2, inputs: [0], keeps: none },
      { bytes: 10, flops: 1, inputs: [1], keeps: { ...none, output: true }, alias: 'inplace' },
      { bytes: 5, flops: 1, inputs: [2], keeps: none },
    ]);
    const schedule = steps('F1 S1 F2 F3 X3 X2 B3 R1 F2 B2 X2 B1');
    simulate(problem.graph, problem.memory, schedule);
    const { start, stalledSeconds } = stepTimes(problem.graph, problem.memory, schedule, linked(5));
    expect(start[2]).toBe(4);
    expect(stalledSeconds).toBe(2 + 2);
  });
});

/** Checks that every step starts at the earliest moment that O1 to O5 allow, told from the finished table of times. */
function requireEarliest({ graph, memory }: Problem, schedule: Schedule, link: Link): void {
  const { kinds, vertices } = schedule;
  const speed = { flopsPerSecond: 3, secondsPerOperation: 0.5 };
  const { start, end } = stepTimes(graph, memory, schedule, { speed, link });
  const { lifetimes } = simulateWithLifetimes(graph, memory, schedule);
  const lastOf = (t: number, which: (s: number) => boolean): number => {
    for (let s = t - 1; s >= 0; s--) if (which(s)) return s;
    return -1;
  };
  const isOnDevice = (s: number): boolean => kinds[s] !== SEND && kinds[s] !== FETCH;
  const makes = (s: number, v: number): boolean =>
    (kinds[s] === FORWARD || kinds[s] === FETCH) && vertices[s] === v;
  kinds.forEach((kind, t) => {
    const v = vertices[t]!;
    // Last step of the device; without overlap, copies count too.
    const before = lastOf(t, (s) => !link.overlaps || isOnDevice(s));
    const reached = before < 0 ? 0 : end[before]!;
    const arrival = (u: number): number => {
      // A view is there with what it is a view of, what was taken over with what is overwritten.
      const made = lastOf(t, (s) => makes(s, u));
      return made < 0 ? 0 : end[made]!;
    };
    if (kind === FORWARD || kind === BACKWARD) {
      const reads = kind === FORWARD ? predecessorsOf(graph, v) : needsOf(memory, v);
      let earliest = reached;
      for (const u of reads) earliest = Math.max(earliest, arrival(u));
      const taken = kind === FORWARD ? (memory.takesOver[v] ?? -1) : -1;
      const sent = taken < 0 ? -1 : lastOf(t, (s) => kinds[s] === SEND && vertices[s] === taken);
      if (sent > lastOf(t, (s) => makes(s, taken))) earliest = Math.max(earliest, end[sent]!);
      expect(start[t]).toBeCloseTo(earliest, 9);
    } else if (kind === SEND || kind === FETCH) {
      const queued = lastOf(t, (s) => kinds[s] === kind);
      const sent = kind === FETCH ? lastOf(t, (s) => kinds[s] === SEND && vertices[s] === v) : -1;
      const earliest = Math.max(reached, queued < 0 ? 0 : end[queued]!, sent < 0 ? 0 : end[sent]!);
      expect(start[t]).toBeCloseTo(earliest, 9);
      const tensor = lifetimes.vertices.findIndex((u, i) => u === v && lifetimes.holders[i]! <= 2);
      const bytes = tensor < 0 ? 0 : lifetimes.bytes[tensor]!;
      expect(end[t]! - start[t]!).toBeCloseTo(bytes / link.bytesPerSecond, 9);
    } else if (kind === FREE) {
      const sent = lastOf(t, (s) => kinds[s] === SEND && vertices[s] === v);
      const isOfThis = sent > lastOf(t, (s) => makes(s, v));
      const ends = [...memory.viewOf].every((u) => u !== v);
      if (isOfThis && ends) expect(end[t]).toBeGreaterThanOrEqual(end[sent]!);
    }
  });
}

it('times of a step on random graphs [O1] [O2] [O3] [O4] [O5] [O6] start every step as early as the statements allow', () => {
  const rng = createRng(8);
  let offloading = 0;
  for (const [name, problem] of randomProblems(700, 29)) {
    const schedule = withTransfers(rng, problem, randomSchedule(rng, problem));
    if (hasTransfers(schedule)) offloading++;
    const { graph, memory } = problem;
    for (const overlaps of [true, false]) {
      requireEarliest(problem, schedule, { bytesPerSecond: 1 + rng.below(40), overlaps });
    }
    const speed = { flopsPerSecond: 3, secondsPerOperation: 0.5 };
    const { forwardWork, recomputeWork, backwardWork } = simulate(graph, memory, schedule);
    const hasFlops = graph.flops.some((flops) => flops > 0);
    const work = {
      operations: schedule.kinds.filter((kind) => kind <= BACKWARD).length,
      flopsPerSample: hasFlops ? forwardWork + recomputeWork + backwardWork : 0,
    };
    const computing = stepSeconds(work, speed, 1);
    const at = (bytesPerSecond: number, overlaps = true) =>
      stepTimes(graph, memory, schedule, { speed, link: { bytesPerSecond, overlaps } });
    const slow = at(3);
    expect(slow.seconds - slow.stalledSeconds, name).toBeCloseTo(computing, 6);
    expect(at(30).seconds, name).toBeLessThanOrEqual(slow.seconds + 1e-9);
    const alone = at(3, false);
    expect(alone.seconds, name).toBeGreaterThanOrEqual(slow.seconds - 1e-9);
    expect(alone.stalledSeconds, name).toBeCloseTo(alone.sendingSeconds + alone.fetchingSeconds, 6);
  }
  expect(offloading).toBeGreaterThan(fewest(300));
});

it('links of devices are stated where a device has memory apart from its host', () => {
  for (const { name, group, hostGBps } of DEVICES) {
    expect(hostGBps === null, name).toBe(group === 'Apple');
  }
  expect(deviceOf('rtx-2080-ti')?.hostGBps).toBe(12);
  expect(speedOf({ peakTeraflops: 10 })).toEqual({ flopsPerSecond: 4e12, secondsPerOperation: 2e-5 });
});
