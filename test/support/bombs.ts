import { deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import { bytesSource } from '../../engine/exchange/byte-source.ts';
import { parseCostsFile } from '../../app/bridges/costs-file.ts';
import { importFile, importPlan } from '../../app/bridges/import-file.ts';
import { jsonText } from '../../app/bridges/json-guard.ts';
import { readMeasured } from '../../app/bridges/snapshot/read-measured.ts';
import { shardOf } from '../../app/cli/sweep/shard-file.ts';
import { readMeasurements } from '../../app/contract/measurements.ts';
import { BadInputError } from '../../engine/errors.ts';
import {
  MAX_COSTS_FILE_BYTES,
  MAX_MEASUREMENTS_BYTES,
  MAX_SNAPSHOT_BYTES,
} from '../../engine/exchange/read-limits.ts';
import { runsInFile } from '../../main/history/runs-file.ts';
import { unpackText } from '../../renderer/shared/packed-text.ts';
import { between, pick, type Rng } from './rng.ts';

/** Small files that ask their readers for much: for memory, for depth, or for work without end. */

const KIB = 1024;
const MIB = KIB * KIB;
/** Bytes that a network may carry in a link, unpacked. */
const LINK_BYTES = 4 * MIB;

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const repeated = (unit: Uint8Array, bytes: number): Uint8Array =>
  Buffer.alloc(Math.max(unit.length, bytes), unit);

/** Opcodes of a pickle (Lib/pickletools.py). */
const OP = {
  none: 0x4e,
  list: 0x5d,
  dict: 0x7d,
  append: 0x61,
  appends: 0x65,
  mark: 0x28,
  setItems: 0x75,
  memoize: 0x94,
  int: 0x4b,
  longGet: 0x6a,
  end: 0x2e,
} as const;

/** Writes a pickle in which parts are shared. */
class PickleText {
  readonly #parts: Uint8Array[] = [Uint8Array.of(0x80, 4)];
  #memos = 0;

  raw(...bytes: number[]): this {
    this.#parts.push(Uint8Array.from(bytes));
    return this;
  }

  name(value: string): this {
    const bytes = text(value);
    const head = Buffer.alloc(5);
    head[0] = 0x58;
    head.writeUInt32LE(bytes.length, 1);
    this.#parts.push(head, bytes);
    return this;
  }

  /** Notes what was written last. @returns its number */
  memo(): number {
    this.raw(OP.memoize);
    return this.#memos++;
  }

  /** The same value so many times. */
  again(memo: number, count: number): this {
    const unit = Buffer.alloc(5);
    unit[0] = OP.longGet;
    unit.writeUInt32LE(memo, 1);
    this.#parts.push(repeated(unit, unit.length * count));
    return this;
  }

  /** A list of one value many times. @returns its number */
  listOf(memo: number, count: number): number {
    this.raw(OP.list);
    const number = this.memo();
    this.raw(OP.mark).again(memo, count).raw(OP.appends, 0x30);
    return number;
  }

  /** A dict that stays in the memo alone. @returns its number */
  dictOf(fields: Readonly<Record<string, number | string | { readonly memo: number }>>): number {
    this.raw(OP.dict);
    const number = this.memo();
    this.raw(OP.mark);
    for (const [name, value] of Object.entries(fields)) {
      this.name(name);
      if (typeof value === 'string') this.name(value);
      else if (typeof value === 'number') this.raw(OP.int, value);
      else this.again(value.memo, 1);
    }
    this.raw(OP.setItems, 0x30);
    return number;
  }

  end(memo: number): Uint8Array {
    this.again(memo, 1).raw(OP.end);
    return Buffer.concat(this.#parts);
  }
}

/** A snapshot of shared parts: so many devices, events, frames and letters, each the same one. */
export function sharedSnapshot(devices: number, events: number, frames: number, letters: number): Uint8Array {
  const file = new PickleText();
  const frame = file.dictOf({ name: 'x'.repeat(letters), filename: 'y'.repeat(letters) });
  const stack = file.listOf(frame, frames);
  const event = file.dictOf({ action: 'alloc', addr: 1, size: 8, time_us: 1, frames: { memo: stack } });
  const trace = file.listOf(event, events);
  const block = file.dictOf({ size: 8, state: 'active_allocated', frames: { memo: stack } });
  const blocks = file.listOf(block, events);
  const segment = file.dictOf({ device: 0, address: 1, total_size: 8, blocks: { memo: blocks } });
  const segments = file.listOf(segment, devices);
  const traces = file.listOf(trace, devices);
  const note = file.dictOf({ name: 'forward'.repeat(letters), stage: 'START', time_us: 1 });
  const notes = file.listOf(note, events);
  return file.end(
    file.dictOf({
      segments: { memo: segments },
      device_traces: { memo: traces },
      external_annotations: { memo: notes },
    }),
  );
}

const SNAPSHOTS: Readonly<Record<string, (rng: Rng) => Uint8Array>> = {
  memos: (rng) => framed([OP.none], Uint8Array.of(OP.memoize), between(rng, 1, 200) * MIB),
  appends: (rng) => framed([OP.list], Uint8Array.of(OP.none, OP.append), between(rng, 1, 200) * MIB),
  dicts: (rng) => framed([], Uint8Array.of(OP.dict), between(rng, 1, 200) * MIB),
  marks: (rng) => framed([], Uint8Array.of(OP.mark), between(rng, 1, 64) * MIB),
  lists: (rng) =>
    framed(
      [OP.mark],
      Uint8Array.of(OP.list, OP.mark, ...Array<number>(99).fill(OP.none), OP.appends),
      between(rng, 1, 200) * MIB,
    ),
  devices: (rng) => sharedSnapshot(pick(rng, [2, 255, 2000, 100_000]), between(rng, 1, 200_000), 1, 1),
  frames: (rng) => sharedSnapshot(2, between(rng, 1, 100_000), between(rng, 1, 1_000_000), 1),
  letters: (rng) => sharedSnapshot(1, between(rng, 1, 1000), between(rng, 1, 100_000), between(rng, 1, MIB)),
};

/** A pickle that repeats some opcodes. */
export const framed = (start: readonly number[], unit: Uint8Array, bytes: number): Uint8Array =>
  Buffer.concat([Uint8Array.of(0x80, 4, ...start), repeated(unit, bytes), Uint8Array.of(OP.end)]);

/** JSON in which one thing is too much; `start` and `end` make it the format that a reader looks for. */
function jsonBomb(rng: Rng, start: string, end: string, most: number): Uint8Array {
  const unit = pick(rng, [
    '0,',
    '[],',
    '{},',
    '{"a":0},',
    '[',
    '{"a":',
    '"",',
    '1e999,',
    '"\\u0000",',
    '[[[[[[[[0]]]]]]]],',
  ]);
  const bytes = between(rng, KIB, most);
  const names = pick(rng, [false, false, true])
    ? `{${Array.from({ length: Math.min(bytes, 8 * MIB) / 16 }, (_, i) => `"n${i}":0`).join(',')}},`
    : '';
  return Buffer.concat([text(start + names), repeated(text(unit), bytes), text(`0${end}`)]);
}

/** Protocol buffers: fields of a model's graph that are many, deep or longer than the file. */
function onnxBomb(rng: Rng): Uint8Array {
  const unit = pick(rng, [
    [0x0a, 0],
    [0x12, 0],
    [0x2a, 0],
    [0x0a, 2, 0x0a, 0],
    [0x7a, 0xff, 0xff, 0xff, 0x7f],
    [0x08, 1],
  ]);
  const graph = repeated(Uint8Array.from(unit), between(rng, 1, 64) * MIB);
  const length: number[] = [];
  for (let left = graph.length; ; left = Math.floor(left / 128)) {
    length.push((left % 128) + (left >= 128 ? 128 : 0));
    if (left < 128) break;
  }
  return Buffer.concat([Uint8Array.of(0x08, 8, 0x3a, ...length), graph]);
}

interface Bomb {
  readonly draw: (rng: Rng) => Uint8Array;
  /** Reads it as the lab or the command line does. @throws BadInputError in one sentence */
  readonly read: (bytes: Uint8Array) => unknown;
}

const costs = '{"format":"zigzag-costs","version":1,"model":"m","operations":[';
const HEADER = {
  format: 'zigzag-sweep/1',
  shard: { number: 1, of: 1 },
  plan: { networks: [{ target: 'chain-4' }], batches: [1], strategies: ['regular'], budgets: ['90%'] },
};

/** Formats that a file from elsewhere can have. */
export const BOMBS: Readonly<Record<string, Bomb>> = {
  pickle: {
    draw: (rng) => SNAPSHOTS[pick(rng, Object.keys(SNAPSHOTS))]!(rng),
    read: readMeasured,
  },
  gzip: {
    draw: (rng) => gzipSync(SNAPSHOTS[pick(rng, ['memos', 'appends', 'dicts'])]!(rng), { level: 1 }),
    read: (bytes) => readMeasured(unpacked(() => gunzipSync(bytes, { maxOutputLength: MAX_SNAPSHOT_BYTES }))),
  },
  graph: {
    draw: (rng) =>
      jsonBomb(
        rng,
        '{"format":"zigzag-graph","version":1,"name":"b","vertices":[',
        '],"edges":[]}',
        64 * MIB,
      ),
    read: importFile,
  },
  keras: {
    draw: (rng) => jsonBomb(rng, '{"class_name":"Functional","config":{"layers":[', ']}}', 64 * MIB),
    read: importFile,
  },
  onnx: { draw: onnxBomb, read: importFile },
  plan: {
    draw: (rng) => jsonBomb(rng, '{"format":"zigzag-plan","version":1,"steps":[', ']}', 64 * MIB),
    read: importPlan,
  },
  costs: {
    draw: (rng) => jsonBomb(rng, costs, ']}', 64 * MIB),
    read: (bytes) =>
      parseCostsFile(jsonText(bytesSource(bytes), MAX_COSTS_FILE_BYTES, 'the costs are too large')),
  },
  measurements: {
    draw: (rng) => jsonBomb(rng, '{"format":"zigzag-measurements","version":1,"columns":[', ']}', 16 * MIB),
    read: (bytes) =>
      readMeasurements(
        jsonText(bytesSource(bytes), MAX_MEASUREMENTS_BYTES, 'the measurements are too large'),
      ),
  },
  result: {
    draw: (rng) => jsonBomb(rng, '{"device":"cpu","peakBytes":1,"more":[', ']}', MIB),
    read: readMeasured,
  },
  runs: {
    draw: (rng) => jsonBomb(rng, '{"format":"zigzag-runs","version":1,"runs":[', ']}', 64 * MIB),
    read: (bytes) => [...runsInFile(bytes)].length,
  },
  shard: {
    draw: (rng) => {
      const rows = jsonBomb(rng, '', '', 64 * MIB);
      const unit = pick(rng, ['{"cell":0}\n', '\n', '0\n', '']);
      return Buffer.concat([
        text(`${JSON.stringify(HEADER)}\n`),
        unit === '' ? rows : repeated(text(unit), rows.length),
      ]);
    },
    read: (bytes) => shardOf(bytesSource(bytes), 'shard-1-of-1.jsonl'),
  },
  link: {
    draw: (rng) =>
      text(
        deflateRawSync(repeated(text(pick(rng, ['0,', '[', 'a'])), between(rng, 1, 64) * MIB)).toString(
          'base64url',
        ),
      ),
    read: async (bytes) => {
      const network = await unpackText(new TextDecoder().decode(bytes), LINK_BYTES).catch((error: Error) => {
        throw new BadInputError(error.message);
      });
      return importFile(text(network));
    },
  },
};

function unpacked(unpack: () => Uint8Array): Uint8Array {
  try {
    return unpack();
  } catch {
    throw new BadInputError('the file cannot be gunzipped');
  }
}
