import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesSource } from '../../../engine/exchange/byte-source.ts';
import { readPickle } from '../../../app/bridges/snapshot/pickle.ts';
import { readMeasured } from '../../../app/bridges/snapshot/read-measured.ts';
import { replay } from '../../../app/bridges/snapshot/replay.ts';
import { readSnapshot } from '../../../app/bridges/snapshot/snapshot-file.ts';
import { PHASES } from '../../../engine/explain/measured.ts';
import { pickled } from '../../support/pickles.ts';

const MIB = 2 ** 20;
const BASE = 0x7f0000000000;

interface Event {
  readonly action: string;
  readonly addr: number;
  readonly size: number;
  readonly frames?: readonly object[];
  readonly time_us?: number;
}
interface Counted {
  readonly requested: number;
  readonly allocated: number;
  readonly reserved: number;
}

interface Segment {
  readonly start: number;
  readonly size: number;
  readonly blocks: { start: number; size: number; asked: number }[];
}

/** The least of a caching allocator: one pool of large segments, first fit, no unsplit rests below 1 MiB hidden. */
class Model {
  readonly events: Event[] = [];
  readonly after: Counted[] = [];
  readonly #segments: Segment[] = [];

  alloc(asked: number): number {
    const rounded = Math.ceil(asked / 512) * 512;
    for (const segment of this.#segments) {
      const ends = segment.blocks.map(({ start, size }) => start + size);
      const starts = [segment.start, ...ends].sort((a, b) => a - b);
      for (const start of starts) {
        const next = Math.min(
          ...segment.blocks.filter((block) => block.start >= start).map((block) => block.start),
          segment.start + segment.size,
        );
        const room = next - start;
        if (room < rounded || segment.blocks.some((b) => b.start <= start && start < b.start + b.size))
          continue;
        // The allocator splits nothing off that is not larger than 1 MiB.
        const size = room - rounded > MIB ? rounded : room;
        segment.blocks.push({ start, size, asked });
        this.#tell('alloc', start, asked);
        return start;
      }
    }
    const start = BASE + this.#segments.length * 1024 * MIB;
    const size = asked < 10 * MIB ? 20 * MIB : Math.ceil(asked / (2 * MIB)) * 2 * MIB;
    this.#segments.push({ start, size, blocks: [] });
    this.#tell('segment_alloc', start, size);
    return this.alloc(asked);
  }

  free(address: number): void {
    for (const segment of this.#segments) {
      const at = segment.blocks.findIndex(({ start }) => start === address);
      if (at < 0) continue;
      const [block] = segment.blocks.splice(at, 1);
      this.#tell('free_requested', address, block!.asked);
      this.#tell('free_completed', address, block!.asked);
    }
  }

  get live(): number[] {
    return this.#segments.flatMap(({ blocks }) => blocks.map(({ start }) => start));
  }

  snapshot(lost: number): unknown {
    const segments = this.#segments.map(({ start, size, blocks }) => {
      const sorted = blocks.toSorted((a, b) => a.start - b.start);
      const all: object[] = [];
      let at = start;
      const gap = (end: number): void => {
        if (end > at)
          all.push({ address: at, size: end - at, requested_size: 0, state: 'inactive', frames: [] });
      };
      for (const block of sorted) {
        gap(block.start);
        all.push({
          address: block.start,
          size: block.size,
          requested_size: block.asked,
          state: 'active_allocated',
          frames: [],
        });
        at = block.start + block.size;
      }
      gap(start + size);
      return { device: 0, address: start, total_size: size, stream: 0, is_expandable: false, blocks: all };
    });
    return { segments, device_traces: [this.events.slice(lost)] };
  }

  #tell(action: string, addr: number, size: number): void {
    this.events.push({ action, addr, size });
    const sum = (of: (segment: Segment) => number): number =>
      this.#segments.reduce((total, segment) => total + of(segment), 0);
    this.after.push({
      requested: sum(({ blocks }) => blocks.reduce((n, { asked }) => n + asked, 0)),
      allocated: sum(({ blocks }) => blocks.reduce((n, { size: given }) => n + given, 0)),
      reserved: sum(({ size: given }) => given),
    });
  }
}

/** State after each event of a recording, one event a line. */
const recordingOf = (document: unknown) => readSnapshot(readPickle(bytesSource(pickled(document))))[0]!;

describe('the replay of a recording', () => {
  it('counts what the allocator counted, even with a lost beginning', () => {
    const size = fc.integer({ min: MIB + 1, max: 40 * MIB });
    const step = fc.oneof(fc.record({ asked: size }), fc.record({ freed: fc.nat(1000) }));
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), fc.nat(100), (steps, lost) => {
        const model = new Model();
        for (const one of steps) {
          if ('asked' in one) model.alloc(one.asked);
          else {
            const { live } = model;
            if (live.length > 0) model.free(live[one.freed % live.length]!);
          }
        }
        const cut = Math.min(lost, model.events.length - 1);
        if (cut < 0) return;
        const { requested, allocated, reserved } = replay(recordingOf(model.snapshot(cut)));
        model.after.slice(cut).forEach((expected, i) => {
          // `free_requested` counts already, in the model with the one after it.
          expect({ requested: requested[i], allocated: allocated[i], reserved: reserved[i] }).toEqual(
            expected,
          );
        });
      }),
      { numRuns: 200 },
    );
  });

  const block = (address: number, size: number, requested: number, state = 'active_allocated') => ({
    address,
    size,
    requested_size: requested,
    state,
  });
  const segment = (device: number, blocks: readonly object[], more: object = {}) => ({
    device,
    address: BASE,
    total_size: 20 * MIB,
    blocks,
    ...more,
  });
  const alloc = (size: number, addr = BASE): Event => ({ action: 'alloc', addr, size });

  it('tells devices apart', () => {
    const measured = readMeasured(
      pickled({
        segments: [segment(1, [block(BASE, 512, 100)]), segment(3, [block(BASE, 2 * MIB, 2 * MIB - 5)])],
        device_traces: [[], [alloc(100)], [], [alloc(2 * MIB - 5)]],
      }),
    );
    if (measured.kind !== 'snapshot') throw new Error('a snapshot was expected');
    expect(measured.devices.map(({ device, step }) => [device, step.peak.allocatedBytes])).toEqual([
      [1, 512],
      [3, 2 * MIB],
    ]);
  });

  it('skips blocks that wait for another stream, and counts growing blocks as split', () => {
    const waiting = recordingOf({
      segments: [segment(0, [block(BASE, 1024, 1000, 'active_awaiting_free')])],
      device_traces: [[alloc(1000), { action: 'free_requested', addr: BASE, size: 1000 }]],
    });
    expect([...replay(waiting).allocated]).toEqual([1024, 0]);
    const expandable = recordingOf({
      segments: [segment(0, [], { is_expandable: true })],
      device_traces: [[alloc(19.5 * MIB), { action: 'free_completed', addr: BASE, size: 19.5 * MIB }]],
    });
    expect([...replay(expandable).allocated]).toEqual([19.5 * MIB, 0]);
    const whole = recordingOf({
      segments: [segment(0, [])],
      device_traces: [[alloc(19.5 * MIB), { action: 'free_completed', addr: BASE, size: 19.5 * MIB }]],
    });
    expect([...replay(whole).allocated]).toEqual([20 * MIB, 0]);
  });

  it('recognizes workspaces by the C++ functions that request them', () => {
    const frames = [{ name: 'at::cuda::getCurrentCUDABlasHandle(bool)', filename: '??', line: 0 }];
    const conv = [{ name: 'at::native::run_conv_plan(cudnnContext*)', filename: '??', line: 0 }];
    const free = { action: 'free_requested', addr: BASE + 4096, size: 900 };
    const document = {
      // The first lies there since before the recording.
      segments: [segment(0, [{ ...block(BASE, 1024, 1000), frames }])],
      device_traces: [[{ ...alloc(900, BASE + 4096), frames: conv }, alloc(512, BASE + 8192), free]],
    };
    expect([...replay(recordingOf(document)).workspace!]).toEqual([1900, 1900, 1000]);
    const plain = { segments: [segment(0, [])], device_traces: [[alloc(900, BASE + 4096), free]] };
    expect(replay(recordingOf(plain)).workspace).toBeNull();
  });

  it('refuses events that free more than was allocated', () => {
    const document = { segments: [segment(0, [])], device_traces: [[alloc(100), alloc(100)]] };
    expect(() => readMeasured(pickled(document))).toThrow(
      /free more than they allocate|edited or is damaged/,
    );
  });

  it.each([
    [{ segments: [], device_traces: [[]] }, /has no history/],
    [{ segments: [], device_traces: [[3]] }, /device_traces\[0\]\[0\]: expected an event/],
    [
      { segments: [], device_traces: [[{ action: 'alloc', addr: 1, size: -5 }]] },
      /size: expected a number of bytes/,
    ],
    [
      { segments: [{ device: 0, total_size: 1 }], device_traces: [[alloc(1)]] },
      /segments\[0\]\.blocks: expected a list/,
    ],
  ])('refuses %j', (document, says) => {
    expect(() => readMeasured(pickled(document))).toThrow(says);
  });
});

describe('phases', () => {
  const frames = (name: string, filename: string) => [{ name, filename, line: 1 }];
  const FORWARD = frames('forward', 'train.py');
  const BACKWARD = frames('torch::autograd::Engine::evaluate_function', '/src/engine.cpp');
  const STEP = frames('wrapper', '/x/torch/optim/optimizer.py');
  const SETUP = frames('_apply', '/x/torch/nn/modules/module.py');
  const phasesOf = (kinds: readonly (readonly object[])[]) => {
    const events = kinds.map((own, i) => ({ action: 'alloc', addr: BASE + 512 * i, size: 512, frames: own }));
    const blocks = kinds.map((_, i) => ({
      address: BASE + 512 * i,
      size: 512,
      requested_size: 512,
      state: 'active_allocated',
    }));
    const segments = [{ device: 0, address: BASE, total_size: 512 * kinds.length, blocks }];
    const measured = readMeasured(pickled({ segments, device_traces: [events] }));
    if (measured.kind !== 'snapshot') throw new Error('a snapshot was expected');
    return measured.devices[0]!;
  };
  const times = <T>(count: number, value: T): T[] => new Array<T>(count).fill(value);

  it('finds steps, leaves out the model’s construction, and assigns strays to their surroundings', () => {
    const pass = [...times(30, FORWARD), ...times(20, BACKWARD), FORWARD, ...times(20, BACKWARD)];
    const found = phasesOf([...times(10, SETUP), ...pass, FORWARD, ...times(5, STEP), ...pass]);
    expect(found.steps).toBe(2);
    expect(found.lostBeginning).toBeNull();
    expect(found.step.number).toBe(2);
    expect(found.step.phases.map(({ phase, events }) => [phase, events])).toEqual([
      ['forward', 30],
      ['backward', 41],
    ]);
    expect(PHASES).toContain(found.step.peak.phase);
  });

  it('counts memory between backward and the optimizer as part of the step', () => {
    const { step } = phasesOf([...times(3, FORWARD), ...times(3, BACKWARD), FORWARD, ...times(2, STEP)]);
    expect(step.phases.map(({ phase, events }) => [phase, events])).toEqual([
      ['forward', 3],
      ['backward', 3],
      ['optimizer', 3],
    ]);
  });

  it('adds up the gradients of several steps before one update', () => {
    const pass = [...times(9, FORWARD), ...times(9, BACKWARD)];
    expect(phasesOf([...pass, ...pass, ...STEP.map(() => STEP)]).steps).toBe(2);
  });

  it('notices a recording that starts midway', () => {
    expect(phasesOf([...times(3, BACKWARD), STEP]).lostBeginning).toMatch(/backward pass/);
    expect(phasesOf([STEP, ...times(3, FORWARD), ...times(3, BACKWARD)]).lostBeginning).toMatch(/optimizer/);
  });
});
