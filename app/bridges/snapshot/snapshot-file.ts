import { BadInputError } from '../../../engine/errors.ts';
import { ReadBudget } from '../../../engine/exchange/read-limits.ts';
import { PickleDict } from './pickle.ts';
import { isWorkspace, NO_STACK, stackLabel } from './stack-label.ts';

/** Effects of an event on memory. Other events are left out. */
export const ALLOC = 0;
export const FREE_REQUESTED = 1;
export const FREE_COMPLETED = 2;
export const SEGMENT_ADD = 3;
export const SEGMENT_REMOVE = 4;
export const OOM = 5;

/** Devices of one machine that PyTorch can number. */
const MAX_DEVICES = 255;
/** Fields that are looked for in a dict, each from its beginning. */
const FIELDS = 6;
/** Words that an event or block takes in columns and in what follows from them. */
const WORDS_OF_EVENT = 12;

const ACTIONS: ReadonlyMap<unknown, number> = new Map([
  ['alloc', ALLOC],
  ['free_requested', FREE_REQUESTED],
  ['free_completed', FREE_COMPLETED],
  ['segment_alloc', SEGMENT_ADD],
  ['segment_map', SEGMENT_ADD],
  ['segment_free', SEGMENT_REMOVE],
  ['segment_unmap', SEGMENT_REMOVE],
  ['oom', OOM],
]);

/** The recording of one device as columns: an event a row, the oldest first. */
export interface Trace {
  readonly count: number;
  readonly action: Uint8Array;
  /** Address of the block or segment; for `oom`, the bytes that the driver still had. */
  readonly address: Float64Array;
  /** As it was asked for; segments as they were given. */
  readonly size: Float64Array;
  /** Microseconds; 0 where the file has none. */
  readonly time: Float64Array;
  /** Label of the stack (stack-label.ts). */
  readonly label: Uint8Array;
  /** 1 where a library asked for a workspace. */
  readonly workspace: Uint8Array;
}

export interface FinalBlock {
  readonly address: number;
  /** Allocated bytes; `requested` is the size that was asked for. */
  readonly size: number;
  readonly requested: number;
  /** A block that waits for another stream is no longer counted as allocated. */
  readonly isAllocated: boolean;
  readonly isWorkspace: boolean;
}

/** A name that the user, or an optimizer, gave a stretch of time by `record_function`. */
export interface Annotation {
  readonly name: string;
  readonly isStart: boolean;
  readonly time: number;
}

export interface DeviceRecording {
  readonly device: number;
  readonly trace: Trace;
  /** Blocks that were live when the snapshot was taken. */
  readonly blocks: readonly FinalBlock[];
  /** Segments that the driver gave and that were not returned. */
  readonly segments: readonly { readonly address: number; readonly size: number }[];
  /** True when segments grow (`expandable_segments`); then every block is split to 512 bytes. */
  readonly isExpandable: boolean;
  readonly annotations: readonly Annotation[];
  readonly settings: PickleDict | null;
}

/**
 * The devices of a memory snapshot that recorded anything (torch/cuda/memory.py, `_snapshot`; the C++ writer
 * torch/csrc/cuda/Module.cpp): `segments` with blocks as they are when it was taken, and `device_traces`, what happened
 * before. Keys that are not needed may be missing, as older versions have fewer.
 *
 * @throws BadInputError in one sentence for what is no snapshot
 */
export function readSnapshot(document: unknown, budget = new ReadBudget()): DeviceRecording[] {
  const segments = document instanceof PickleDict ? document.get('segments') : undefined;
  const traces = document instanceof PickleDict ? document.get('device_traces') : undefined;
  if (!(document instanceof PickleDict) || !Array.isArray(segments))
    throw new BadInputError(
      'the pickle is not a memory snapshot, which has segments and device_traces; write one with torch.cuda.memory._dump_snapshot("snapshot.pickle")',
    );
  if (!Array.isArray(traces) || !traces.some((trace) => Array.isArray(trace) && trace.length > 0))
    throw new BadInputError(
      'the snapshot has no history, only the memory at its end; call torch.cuda.memory._record_memory_history() before the training step',
    );
  if (traces.length > MAX_DEVICES)
    throw new BadInputError(`the snapshot has more than ${MAX_DEVICES} devices; it was edited or is damaged`);
  // All at once: devices may share one list.
  for (const trace of traces) if (Array.isArray(trace)) budget.values(WORDS_OF_EVENT * trace.length);
  const annotations = document.get('external_annotations');
  const settings = document.get('allocator_settings');
  return traces.flatMap((trace, device) =>
    Array.isArray(trace) && trace.length > 0
      ? [
          {
            device,
            trace: readTrace(trace, `device_traces[${device}]`, budget),
            ...readSegments(segments, device, budget),
            annotations: readAnnotations(annotations, device, budget),
            settings: settings instanceof PickleDict ? settings : null,
          },
        ]
      : [],
  );
}

function readTrace(entries: readonly unknown[], path: string, budget: ReadBudget): Trace {
  const { length } = entries;
  const action = new Uint8Array(length);
  const [address, size, time] = [
    new Float64Array(length),
    new Float64Array(length),
    new Float64Array(length),
  ];
  const [label, workspace] = [new Uint8Array(length), new Uint8Array(length)];
  const labels = new Map<unknown, readonly [label: number, workspace: number]>();
  let count = 0;
  entries.forEach((entry, i) => {
    const at = `${path}[${i}]`;
    if (!(entry instanceof PickleDict)) throw new BadInputError(`${at}: expected an event, which is a dict`);
    budget.work(FIELDS * entry.items.length);
    const code = ACTIONS.get(entry.get('action'));
    // Snapshots, annotations, and what later versions add.
    if (code === undefined) return;
    action[count] = code;
    size[count] = bytesOf(entry.get('size'), `${at}.size`);
    address[count] = Number(entry.get(code === OOM ? 'device_free' : 'addr') ?? 0);
    time[count] = Number(entry.get('time_us') ?? 0);
    const frames = entry.get('frames');
    let known = labels.get(frames);
    if (known === undefined) {
      if (Array.isArray(frames)) chargeFrames(frames, budget);
      known = Array.isArray(frames) ? [stackLabel(frames), Number(isWorkspace(frames))] : [NO_STACK, 0];
      labels.set(frames, known);
    }
    [label[count], workspace[count]] = known;
    count++;
  });
  return { count, action, address, size, time, label, workspace };
}

function readSegments(
  segments: readonly unknown[],
  device: number,
  budget: ReadBudget,
): Pick<DeviceRecording, 'blocks' | 'segments' | 'isExpandable'> {
  const blocks: FinalBlock[] = [];
  const found: { address: number; size: number }[] = [];
  let isExpandable = false;
  segments.forEach((segment, i) => {
    const path = `segments[${i}]`;
    if (!(segment instanceof PickleDict))
      throw new BadInputError(`${path}: expected a segment, which is a dict`);
    budget.work(FIELDS * segment.items.length);
    if (Number(segment.get('device') ?? 0) !== device) return;
    budget.values(2);
    // Blocks lie one behind the other; older versions do not say where.
    let address = Number(segment.get('address') ?? 0);
    found.push({ address, size: bytesOf(segment.get('total_size'), `${path}.total_size`) });
    if (segment.get('is_expandable') === true) isExpandable = true;
    const own = segment.get('blocks');
    if (!Array.isArray(own)) throw new BadInputError(`${path}.blocks: expected a list`);
    own.forEach((block, k) => {
      const at = `${path}.blocks[${k}]`;
      if (!(block instanceof PickleDict)) throw new BadInputError(`${at}: expected a block, which is a dict`);
      budget.work(FIELDS * block.items.length);
      budget.values(WORDS_OF_EVENT);
      const size = bytesOf(block.get('size'), `${at}.size`);
      const state = block.get('state');
      const frames = block.get('frames');
      if (Array.isArray(frames)) chargeFrames(frames, budget);
      if (state !== 'inactive')
        blocks.push({
          address: Number(block.get('address') ?? address),
          size,
          requested: Math.min(size, bytesOf(block.get('requested_size') ?? size, `${at}.requested_size`)),
          isAllocated: state === 'active_allocated',
          isWorkspace: Array.isArray(frames) && isWorkspace(frames),
        });
      address += size;
    });
  });
  return { blocks, segments: found, isExpandable };
}

function readAnnotations(entries: unknown, device: number, budget: ReadBudget): Annotation[] {
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry) => {
    if (!(entry instanceof PickleDict)) return [];
    const [name, stage] = [entry.get('name'), entry.get('stage')];
    budget.work(FIELDS * entry.items.length + textLength(name));
    budget.values(WORDS_OF_EVENT);
    if (typeof name !== 'string' || (stage !== 'START' && stage !== 'END')) return [];
    if (Number(entry.get('device') ?? device) !== device) return [];
    return [{ name, isStart: stage === 'START', time: Number(entry.get('time_us') ?? 0) }];
  });
}

/** Frames that were charged: their texts are looked through once, however many lists share them. */
const charged = new WeakSet<PickleDict>();

function chargeFrames(frames: readonly unknown[], budget: ReadBudget): void {
  budget.work(WORK_OF_REFERENCE * frames.length);
  for (const frame of frames) {
    if (!(frame instanceof PickleDict) || charged.has(frame)) continue;
    charged.add(frame);
    budget.work(
      FIELDS * frame.items.length + textLength(frame.get('name')) + textLength(frame.get('filename')),
    );
  }
}

/** A look into the table of frames. */
const WORK_OF_REFERENCE = 8;

const textLength = (value: unknown): number => (typeof value === 'string' ? value.length : 0);

function bytesOf(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new BadInputError(`${path}: expected a number of bytes`);
  return value;
}
