import { BadInputError } from '../../../engine/errors.ts';
import { condensed, mostIn } from '../../../engine/explain/condensed.ts';
import type {
  MeasuredDevice,
  MeasuredPeak,
  MeasuredPhase,
  MeasuredStep,
  OutOfMemory,
} from '../../../engine/explain/measured.ts';
import { ReadBudget } from '../../../engine/exchange/read-limits.ts';
import { type Phases, phasesOf, type StepRange } from './phases.ts';
import type { PickleDict } from './pickle.ts';
import { type Replay, replay } from './replay.ts';
import { type DeviceRecording, OOM } from './snapshot-file.ts';

const MAX_OOM = 8;

/**
 * Reduces the recording of one device to the figures that are drawn and compared.
 * @throws BadInputError where the events do not add up
 */
export function summariseDevice(recording: DeviceRecording, budget = new ReadBudget()): MeasuredDevice {
  const { device, trace } = recording;
  const bytes = replay(recording, budget);
  const columns = [bytes.requested, bytes.allocated, bytes.reserved];
  const isNegative = columns.some((column) => column.some((value) => value < 0));
  if (isNegative || Math.min(bytes.start.requested, bytes.start.allocated, bytes.start.reserved) < 0)
    throw new BadInputError(
      `the events of device ${device} free more than they allocate: the snapshot was edited or is damaged; record it again`,
    );
  const phases = phasesOf(recording);
  const shown = highest(phases.steps, bytes);
  return {
    device,
    events: trace.count,
    steps: phases.steps.length,
    step: stepOf(phases.steps[shown]!, shown + 1, bytes),
    evidence: phases.evidence,
    lostBeginning: phases.lostBeginning,
    outOfMemory: outOfMemory(recording, phases, bytes),
    unusual: unusual(recording.settings),
  };
}

/** The step of the highest peak, of equals the last: in the first one an optimizer may have no state yet. */
function highest(steps: readonly StepRange[], bytes: Replay): number {
  let [found, bytesFound] = [0, Number.NEGATIVE_INFINITY];
  steps.forEach(({ phases }, i) => {
    const peak = Math.max(...phases.map(({ start, end }) => mostIn(bytes.allocated, start, end)));
    if (peak >= bytesFound) [found, bytesFound] = [i, peak];
  });
  return found;
}

function stepOf({ phases }: StepRange, number: number, bytes: Replay): MeasuredStep {
  const first = phases[0]?.start ?? 0;
  let peak: MeasuredPeak | null = null;
  for (const { phase, start, end } of phases) {
    for (let i = start; i < end; i++) {
      if (peak !== null && bytes.allocated[i]! <= peak.allocatedBytes) continue;
      peak = {
        phase,
        at: (i - start) / Math.max(1, end - start - 1),
        requestedBytes: bytes.requested[i]!,
        workspaceBytes: bytes.workspace === null ? null : bytes.workspace[i]!,
        allocatedBytes: bytes.allocated[i]!,
        reservedBytes: Math.max(bytes.reserved[i]!, bytes.allocated[i]!),
      };
    }
  }
  if (peak === null) throw new BadInputError('the snapshot has a step without events');
  return {
    number,
    startBytes: first === 0 ? bytes.start.allocated : bytes.allocated[first - 1]!,
    phases: phases.map(
      ({ phase, start, end }): MeasuredPhase => ({
        phase,
        events: end - start,
        allocated: condensed(bytes.allocated, start, end),
        reserved: condensed(bytes.reserved, start, end),
      }),
    ),
    peak,
  };
}

function outOfMemory({ trace }: DeviceRecording, { steps }: Phases, bytes: Replay): OutOfMemory[] {
  const found: OutOfMemory[] = [];
  for (let i = 0; i < trace.count && found.length < MAX_OOM; i++) {
    if (trace.action[i] !== OOM) continue;
    const step = steps.findIndex(({ phases }) => phases.some(({ start, end }) => start <= i && i < end));
    const inside = steps[step]?.phases.find(({ start, end }) => start <= i && i < end);
    found.push({
      step: step < 0 ? null : step + 1,
      phase: inside?.phase ?? 'unknown',
      requestedBytes: trace.size[i]!,
      freeBytes: trace.address[i]!,
      allocatedBytes: bytes.allocated[i]!,
      reservedBytes: bytes.reserved[i]!,
    });
  }
  return found;
}

/** Settings under which sizes are rounded otherwise than to 512 bytes. */
function unusual(settings: PickleDict | null): string | null {
  const divisions = settings?.get('roundup_power2_divisions');
  const items =
    divisions !== null && typeof divisions === 'object' && 'items' in divisions ? divisions.items : [];
  const rounds = Array.isArray(items) && items.some((item) => typeof item === 'number' && item > 1);
  return rounds
    ? 'the allocator rounded sizes up to parts of powers of two (roundup_power2_divisions), which shows only in the memory at the end'
    : null;
}
