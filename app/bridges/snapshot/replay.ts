import { ReadBudget } from '../../../engine/exchange/read-limits.ts';
import { Layout } from './layout.ts';
import {
  ALLOC,
  type DeviceRecording,
  FREE_COMPLETED,
  FREE_REQUESTED,
  SEGMENT_ADD,
  SEGMENT_REMOVE,
} from './snapshot-file.ts';

/** Bytes after each event, and before the first. */
export interface Replay {
  /** As they were asked for. */
  readonly requested: Float64Array;
  /** As the allocator gave them: `torch.cuda.memory_allocated`. */
  readonly allocated: Float64Array;
  readonly reserved: Float64Array;
  /** Library workspaces among the requested bytes; null when no stack names one. */
  readonly workspace: Float64Array | null;
  readonly start: { readonly requested: number; readonly allocated: number; readonly reserved: number };
}

interface Live {
  readonly requested: number;
  /** Null when the file does not say. */
  readonly given: number | null;
}

/**
 * Plays a recording backwards from what is held at its end, as `_memory_viz` does, so that what was lost at its
 * beginning changes no byte; and recomputes from what that finds at the start, as how much a block takes follows
 * from what lies behind it (layout.ts). Freed is what was asked to be freed, as `memory_allocated` counts; where these
 * events were skipped, what was. Time O(events log blocks), space O(events).
 */
export function replay(recording: DeviceRecording, budget = new ReadBudget()): Replay {
  const { trace, settings } = recording;
  const { count, action, address, size } = trace;
  const freed = hasAction(action, count, FREE_REQUESTED) ? FREE_REQUESTED : FREE_COMPLETED;
  const gone = hasAction(action, count, FREE_COMPLETED) ? FREE_COMPLETED : FREE_REQUESTED;
  const column = (): Float64Array => new Float64Array(count);
  const [requested, allocated, reserved] = [column(), column(), column()];

  const live = new Map<number, Live>();
  const segments = new Map(recording.segments.map(({ address: at, size: bytes }) => [at, bytes]));
  const final = new Map<number, number>();
  let [nowRequested, nowReserved] = [0, recording.segments.reduce((sum, { size: bytes }) => sum + bytes, 0)];
  for (const { address: at, size: given, requested: asked, isAllocated } of recording.blocks) {
    final.set(at, given);
    live.set(at, { requested: asked, given });
    if (isAllocated) nowRequested += asked;
  }
  const lastAllocation = new Map<number, number>();
  for (let i = count - 1; i >= 0; i--) {
    requested[i] = nowRequested;
    reserved[i] = nowReserved;
    const [at, bytes] = [address[i]!, size[i]!];
    if (action[i] === ALLOC) {
      nowRequested -= bytes;
      if (live.delete(at) && final.has(at) && !lastAllocation.has(at)) lastAllocation.set(at, i);
    } else if (action[i] === SEGMENT_ADD) {
      nowReserved -= bytes;
      segments.delete(at);
    } else if (action[i] === SEGMENT_REMOVE) {
      nowReserved += bytes;
      segments.set(at, bytes);
    }
    if (action[i] === freed) nowRequested += bytes;
    // Blocks freed during the recording: only the requested size is known.
    if (action[i] === gone) live.set(at, { requested: bytes, given: null });
  }

  const mostSplit = Number(settings?.get('max_split_size') ?? -1);
  const layout = new Layout(
    recording.isExpandable,
    mostSplit > 0 ? mostSplit : Number.POSITIVE_INFINITY,
    budget,
  );
  for (const [at, bytes] of segments) layout.addSegment(at, bytes);
  for (const [at, block] of live) layout.put(at, block.requested);
  const extents = new Map<number, number>();
  let now = 0;
  for (const [at, { requested: asked, given }] of live) {
    const extent = given ?? layout.extentOf(at, asked);
    extents.set(at, extent);
    now += extent;
  }
  // Blocks that waited for another stream at the start are not counted: they were freed before.
  now -= waitingAtStart(recording, extents, freed, gone);
  const startAllocated = now;
  // Blocks from before the recording have a stack only if they are live at its end.
  const spaces = new Map<number, number>();
  for (const { address: at, requested: asked, isWorkspace } of recording.blocks)
    if (isWorkspace && live.get(at)?.given != null) spaces.set(at, asked);
  const workspace = column();
  let nowWorkspace = [...spaces.values()].reduce((sum, bytes) => sum + bytes, 0);
  let isSeen = spaces.size > 0;
  for (let i = 0; i < count; i++) {
    const [at, bytes] = [address[i]!, size[i]!];
    if (action[i] === ALLOC) {
      const isFinal = lastAllocation.get(at) === i;
      const extent = (isFinal ? final.get(at) : undefined) ?? layout.extentOf(at, bytes);
      layout.put(at, bytes);
      extents.set(at, extent);
      now += extent;
      if (trace.workspace[i] === 1) {
        spaces.set(at, bytes);
        nowWorkspace += bytes;
        isSeen = true;
      }
    } else if (action[i] === SEGMENT_ADD) layout.addSegment(at, bytes);
    else if (action[i] === SEGMENT_REMOVE) layout.removeSegment(at);
    if (action[i] === freed) {
      now -= extents.get(at) ?? bytes;
      nowWorkspace -= spaces.get(at) ?? 0;
      spaces.delete(at);
    }
    if (action[i] === gone) {
      layout.remove(at, bytes);
      extents.delete(at);
    }
    allocated[i] = now;
    workspace[i] = nowWorkspace;
  }
  return {
    requested,
    allocated,
    reserved,
    workspace: isSeen ? workspace : null,
    start: { requested: nowRequested, allocated: startAllocated, reserved: nowReserved },
  };
}

function hasAction(action: Uint8Array, count: number, wanted: number): boolean {
  for (let i = 0; i < count; i++) if (action[i] === wanted) return true;
  return false;
}

/** Bytes of the blocks whose first event is that their free was completed, and of those that wait at the end since before the start. */
function waitingAtStart(
  { trace, blocks }: DeviceRecording,
  extents: ReadonlyMap<number, number>,
  freed: number,
  gone: number,
): number {
  if (freed === gone) return 0;
  const seen = new Set<number>();
  let bytes = 0;
  for (let i = 0; i < trace.count; i++) {
    const at = trace.address[i]!;
    const code = trace.action[i]!;
    if ((code !== ALLOC && code !== freed && code !== gone) || seen.has(at)) continue;
    seen.add(at);
    if (code === gone) bytes += extents.get(at) ?? 0;
  }
  for (const { address, isAllocated } of blocks)
    if (!isAllocated && !seen.has(address)) bytes += extents.get(address) ?? 0;
  return bytes;
}
