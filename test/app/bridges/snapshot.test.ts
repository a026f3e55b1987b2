import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { fileSource } from '../../../app/bridges/file-source.ts';
import { PickleDict, readPickle } from '../../../app/bridges/snapshot/pickle.ts';
import { readMeasured } from '../../../app/bridges/snapshot/read-measured.ts';
import { bytesSource } from '../../../engine/exchange/byte-source.ts';
import { looksMeasured } from '../../../app/contract/measured.ts';
import { BadInputError } from '../../../engine/errors.ts';
import type { MeasuredDevice } from '../../../engine/explain/measured.ts';
import { framed, sharedSnapshot } from '../../support/bombs.ts';
import { isSentence } from '../../support/sentence.ts';
import { skippedFor } from '../../support/skipped.ts';
import { snapshotFile } from '../../support/snapshots.ts';
import { runReference, torchPythons } from './python.ts';

/** One value as Python 3.11 wrote it under protocols 2 to 5. */
const WRITTEN: Readonly<Record<number, string>> = {
  2: 'gAJ9cQAoWAQAAABub25lcQFOWAUAAABib29sc3ECiImGcQNYBAAAAGludHNxBF1xBShLAEr/////S/9N//9K////f0oAAACAigYAAAAAAAGKBgAAAAAA/4oJAAAAAAAAAABAZVgFAAAAZmxvYXRxBkc/+AAAAAAAAFgFAAAAdGV4dHNxB11xCChYAgAAAMOpcQlYLAEAAHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHEKWAAAAABxC2VYBgAAAHR1cGxlc3EMXXENKClLAYVxDksBSwKGcQ9LAUsCSwOHcRAoSwFLAksDSwR0cRFlWAYAAABzaGFyZWRxEl1xEyhdcRQoSwFLAmVoFGVYBQAAAGVtcHR5cRV9cRZ1Lg==',
  3: 'gAN9cQAoWAQAAABub25lcQFOWAUAAABib29sc3ECiImGcQNYBAAAAGludHNxBF1xBShLAEr/////S/9N//9K////f0oAAACAigYAAAAAAAGKBgAAAAAA/4oJAAAAAAAAAABAZVgFAAAAZmxvYXRxBkc/+AAAAAAAAFgFAAAAdGV4dHNxB11xCChYAgAAAMOpcQlYLAEAAHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHEKWAAAAABxC2VYBgAAAHR1cGxlc3EMXXENKClLAYVxDksBSwKGcQ9LAUsCSwOHcRAoSwFLAksDSwR0cRFlWAYAAABzaGFyZWRxEl1xEyhdcRQoSwFLAmVoFGVYBQAAAGVtcHR5cRV9cRZ1Lg==',
  4: 'gASV+AEAAAAAAAB9lCiMBG5vbmWUTowFYm9vbHOUiImGlIwEaW50c5RdlChLAEr/////S/9N//9K////f0oAAACAigYAAAAAAAGKBgAAAAAA/4oJAAAAAAAAAABAZYwFZmxvYXSURz/4AAAAAAAAjAV0ZXh0c5RdlCiMAsOplFgsAQAAeHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4lIwAlGWMBnR1cGxlc5RdlCgpSwGFlEsBSwKGlEsBSwJLA4eUKEsBSwJLA0sEdJRljAZzaGFyZWSUXZQoXZQoSwFLAmVoFGWMBWVtcHR5lH2UdS4=',
  5: 'gAWV+AEAAAAAAAB9lCiMBG5vbmWUTowFYm9vbHOUiImGlIwEaW50c5RdlChLAEr/////S/9N//9K////f0oAAACAigYAAAAAAAGKBgAAAAAA/4oJAAAAAAAAAABAZYwFZmxvYXSURz/4AAAAAAAAjAV0ZXh0c5RdlCiMAsOplFgsAQAAeHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4lIwAlGWMBnR1cGxlc5RdlCgpSwGFlEsBSwKGlEsBSwJLA4eUKEsBSwJLA0sEdJRljAZzaGFyZWSUXZQoXZQoSwFLAmVoFGWMBWVtcHR5lH2UdS4=',
};

const ascii = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0));
const pickle = (...body: number[]): Uint8Array => Uint8Array.from([0x80, 4, ...body, 0x2e]);
const plain = (value: unknown): unknown => {
  if (value instanceof PickleDict) {
    const entries: [unknown, unknown][] = [];
    for (let i = 0; i < value.items.length; i += 2) entries.push([value.items[i], plain(value.items[i + 1])]);
    return Object.fromEntries(entries);
  }
  return Array.isArray(value) ? value.map(plain) : value;
};
const read = (bytes: Uint8Array): unknown => readPickle(bytesSource(bytes));
const refusal = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (error instanceof BadInputError && isSentence(error.message)) return error.message;
    throw error;
  }
  throw new Error('it was not refused');
};
const only = (bytes: Uint8Array): MeasuredDevice => {
  const measured = readMeasured(bytes);
  if (measured.kind !== 'snapshot' || measured.devices.length !== 1)
    throw new Error('one device was expected');
  return measured.devices[0]!;
};

describe('plain pickles', () => {
  it.each([2, 3, 4, 5])('protocol %i', (protocol) => {
    const value = read(Buffer.from(WRITTEN[protocol] ?? '', 'base64'));
    expect(plain(value)).toEqual({
      none: null,
      bools: [true, false],
      ints: [0, -1, 255, 65535, 2 ** 31 - 1, -(2 ** 31), 2 ** 40, -(2 ** 40), 2n ** 70n],
      float: 1.5,
      texts: ['é', 'x'.repeat(300), ''],
      tuples: [[], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4]],
      shared: [
        [1, 2],
        [1, 2],
      ],
      empty: {},
    });
    const shared = value instanceof PickleDict ? value.get('shared') : null;
    expect(Array.isArray(shared) && shared[0] === shared[1]).toBe(true);
  });

  it.each([
    [
      'GLOBAL and REDUCE',
      [0x63, ...ascii('os\nsystem\n'), 0x8c, 2, ...ascii('ls'), 0x85, 0x52],
      /GLOBAL of os\.system/,
    ],
    [
      'STACK_GLOBAL',
      [0x8c, 2, ...ascii('os'), 0x8c, 6, ...ascii('system'), 0x93],
      /STACK_GLOBAL of os\.system/,
    ],
    ['INST', [0x28, 0x69, ...ascii('os\nsystem\n')], /INST of os\.system/],
    ['OBJ', [0x28, 0x6f], /OBJ/],
    ['REDUCE', [0x4e, 0x29, 0x52], /REDUCE/],
    ['BUILD', [0x7d, 0x7d, 0x62], /BUILD/],
    ['NEWOBJ', [0x4e, 0x29, 0x81], /NEWOBJ/],
    ['NEWOBJ_EX', [0x4e, 0x29, 0x7d, 0x92], /NEWOBJ_EX/],
    ['PERSID', [0x50, ...ascii('a\n')], /PERSID/],
    ['BINPERSID', [0x4e, 0x51], /BINPERSID/],
    ['EXT1', [0x82, 1], /EXT1/],
  ])('%s is refused, by name', (_, body, says) => {
    expect(refusal(() => read(pickle(...body)))).toMatch(says);
    expect(refusal(() => read(pickle(...body)))).toContain('would make Python run code');
  });

  it.each([
    ['cut off', [0x58, 200, 0, 0, 0], 'the file is incomplete'],
    ['a text of 4 GB', [0x58, 255, 255, 255, 255], 'too many bytes in one text'],
    ['a number of 255 bytes', [0x8a, 255], 'too many digits'],
    ['marks without end', new Array(600).fill(0x28), 'too many levels'],
    ['a memo that was never filled', [0x68, 7], 'damaged'],
    ['a memo far away', [0x4e, 0x72, 255, 255, 255, 127], 'damaged'],
    ['an append to a number', [0x4b, 1, 0x4b, 2, 0x61], 'damaged'],
    ['half an entry', [0x7d, 0x28, 0x4b, 1, 0x75], 'damaged'],
    ['nothing', [], 'damaged'],
    ['a set', [0x8f], 'more than data'],
  ])('%s', (_, body, says) => {
    expect(refusal(() => read(pickle(...body)))).toContain(says);
  });

  it.each([
    ['dicts', [], [0x7d], 10e6],
    ['memos', [0x4e], [0x94], 10e6],
    ['appends', [0x5d], [0x4e, 0x61], 20e6],
  ])('refuses a file of %s before it takes all memory', (_, start, unit, length) => {
    expect(refusal(() => read(framed(start, Uint8Array.from(unit), length)))).toContain('too many');
  });

  it.each([
    ['devices', sharedSnapshot(2000, 100, 1, 1), 'more than 255 devices'],
    ['events', sharedSnapshot(255, 200_000, 1, 1), 'too many words of values'],
    ['letters', sharedSnapshot(1, 10_000, 100, 500_000), 'repeats its parts endlessly'],
  ])('refuses a snapshot whose %s share one object without end', (_, bytes, says) => {
    expect(refusal(() => readMeasured(bytes))).toContain(says);
  });

  it('reads stacks with shared long frames, counting each frame once', () => {
    expect(readMeasured(sharedSnapshot(1, 100, 10_000, 500_000))).toBeDefined();
  });

  it('reads numbers across the boundaries of read chunks', () => {
    const ONE = [0x4a, 1, 0, 0, 0];
    const TWO = [0x4d, 2, 0];
    const HALF = [0x47, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0];
    for (const [unit, value] of [
      [ONE, 1],
      [TWO, 2],
      [HALF, 0.5],
    ] as const) {
      const count = 300_000;
      const units = framed([0x5d, 0x28], Uint8Array.from(unit), unit.length * count).slice(0, -1);
      const list = read(Buffer.concat([units, Uint8Array.of(0x65, 0x2e)]));
      expect(list).toHaveLength(count);
      expect(new Set(list as number[])).toEqual(new Set([value]));
    }
  });

  it('reads arbitrary opcodes, or refuses them in a sentence', () => {
    const opcodes = [
      0x4e, 0x88, 0x4b, 0x28, 0x29, 0x5d, 0x7d, 0x61, 0x65, 0x73, 0x75, 0x74, 0x85, 0x86, 0x87,
    ];
    const more = [
      0x94, 0x68, 0x71, 0x6a, 0x72, 0x30, 0x31, 0x8c, 0x58, 0x8a, 0x95, 0x47, 0x63, 0x52, 0x93, 0x62,
    ];
    const byte = fc.oneof(fc.constantFrom(...opcodes, ...more), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 60 }), (body) => {
        try {
          read(pickle(...body));
        } catch (error) {
          expect(error).toBeInstanceOf(BadInputError);
          expect(isSentence((error as Error).message)).toBe(true);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('survives changed, cut and repeated bytes of a snapshot', () => {
    const whole = snapshotFile('tiny-gpt-annotations');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.option(fc.nat(whole.length), { freq: 8 }),
        (changes, end) => {
          const bytes = whole.slice(0, end ?? whole.length);
          for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
          try {
            readMeasured(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(BadInputError);
            expect(isSentence((error as Error).message)).toBe(true);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('snapshots', () => {
  it('replays to what the allocator itself counted', () => {
    const { step, evidence, lostBeginning, steps, outOfMemory, events } = only(
      snapshotFile('resnet18-stacks'),
    );
    expect({ steps, evidence, lostBeginning, outOfMemory, events }).toEqual({
      steps: 2,
      evidence: 'stacks',
      lostBeginning: null,
      outOfMemory: [],
      events: 1400,
    });
    expect(step.number).toBe(2);
    // SGD's second step works in place: it asks for nothing.
    expect(step.phases.map(({ phase }) => phase)).toEqual(['forward', 'backward']);
    expect(step.peak).toMatchObject({
      phase: 'backward',
      allocatedBytes: 154_797_568,
      requestedBytes: 151_612_872,
      reservedBytes: 167_772_160,
    });
    // Weights, buffers and momentum of 11,689,512 parameters, rounded up.
    expect(step.startBytes / (8 * 11_689_512)).toBeCloseTo(1, 1);
    const drawn = step.phases.flatMap(({ allocated }) => [...allocated]);
    expect(Math.max(...drawn)).toBe(step.peak.allocatedBytes);
  });

  it('separates phases by threads and names as by stacks', () => {
    const events = (name: Parameters<typeof snapshotFile>[0]) => {
      const { step, evidence } = only(snapshotFile(name));
      return [evidence, step.phases.map(({ phase }) => phase), step.peak.allocatedBytes];
    };
    expect(events('resnet18-threads')).toEqual(['threads', ['forward', 'backward'], 154_797_568]);
    const byNames = only(snapshotFile('tiny-gpt-annotations'));
    expect(byNames.evidence).toBe('annotations');
    expect(byNames.step.phases.map(({ phase }) => phase)).toEqual(['forward', 'backward', 'optimizer']);
    expect(byNames.step.peak.allocatedBytes).toBe(5_720_576);
  });

  it('notices that the ring buffer lost its beginning, and counts the same bytes', () => {
    const ring = only(snapshotFile('tiny-gpt-ring'));
    const whole = only(snapshotFile('tiny-gpt-annotations'));
    expect(ring.lostBeginning).toMatch(/first event lies in/);
    expect(ring.events).toBeLessThan(whole.events);
    expect(ring.step.peak).toMatchObject({ allocatedBytes: 5_720_576, requestedBytes: 5_688_184 });
  });

  it('says that phases are unknown without any sign of them', () => {
    const { step, evidence } = only(snapshotFile('tiny-gpt-none'));
    expect(evidence).toBeNull();
    expect(step.phases.map(({ phase }) => phase)).toEqual(['unknown']);
    expect(step.peak.allocatedBytes).toBe(5_720_576);
  });

  it('shows where memory ran out', () => {
    const { outOfMemory, step } = only(snapshotFile('resnet18-out-of-memory'));
    expect(outOfMemory).toMatchObject([{ step: 1, phase: 'optimizer', requestedBytes: 9_437_184 }]);
    // A block of this size comes from a segment of 20 MiB.
    expect(outOfMemory[0]?.freeBytes).toBeLessThan(20 * 2 ** 20);
    expect(outOfMemory[0]?.allocatedBytes).toBe(step.peak.allocatedBytes);
  });

  it('reads from a disk as from memory', () => {
    const folder = mkdtempSync(join(tmpdir(), 'zigzag-snapshot-'));
    try {
      const bytes = snapshotFile('resnet18-stacks');
      const path = join(folder, 'snapshot.pickle');
      writeFileSync(path, bytes);
      expect(readMeasured(fileSource(path))).toEqual(readMeasured(bytes));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    ['a zip', Uint8Array.from(ascii('PK\x03\x04')), 'torch.save'],
    ['another pickle', pickle(0x7d), 'not a memory snapshot'],
    ['a text', Uint8Array.from(ascii('hello')), 'neither a memory snapshot'],
    ['other JSON', Uint8Array.from(ascii('{"a": 1}')), 'not a result of measure'],
    ['no file at all', new Uint8Array(0), 'empty'],
    ['a negative peak', Uint8Array.from(ascii('{"device":"cpu","peakBytes":-1}')), 'peakBytes'],
  ])('refuses %s in a sentence', (_, bytes, says) => {
    expect(refusal(() => readMeasured(bytes))).toContain(says);
  });

  it('reads what measure returns', () => {
    const text = '{"device": "cuda", "seconds": 0.1, "peakBytes": 1000, "parameters": 10, "batch": 4}';
    expect(readMeasured(Uint8Array.from(ascii(text)))).toEqual({
      kind: 'measure',
      device: 'cuda',
      peakBytes: 1000,
      parameters: 10,
      batch: 4,
    });
    expect(looksMeasured(Uint8Array.from(ascii(text)), 'a.json')).toBe(true);
    expect(looksMeasured(Uint8Array.from(ascii('{"format": "zigzag-graph"')), 'a.json')).toBe(false);
    expect(looksMeasured(Uint8Array.from([0x08, 7]), 'net.onnx')).toBe(false);
    expect(looksMeasured(Uint8Array.from([0x1f, 0x8b]), 'snapshot.pickle.gz')).toBe(true);
  });
});

const { python, reason } = torchPythons()[1]!;

describe.skipIf(reason !== '')(`snapshots of a run that is recorded now${skippedFor(reason)}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'zigzag-snapshots-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['tiny-gpt', 2],
    ['resnet18', 5],
  ])('%s under protocol %i', (name, protocol) => {
    const path = join(folder, `${name}.pickle`);
    const printed = runReference('torch_snapshots.py', [name, path, String(protocol)], 300_000, python);
    const counted = JSON.parse(printed.trim().split('\n').at(-1) ?? '{}');
    const { step, events } = only(readFileSync(path));
    expect(step.peak).toMatchObject({
      allocatedBytes: counted.peakAllocated,
      requestedBytes: counted.peakRequested,
      reservedBytes: counted.peakReserved,
    });
    expect(events).toBe(counted.events);
  });
});
