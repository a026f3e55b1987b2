import type { Evidence, Phase } from '../../../engine/explain/measured.ts';
import { ALLOC, type Annotation, type DeviceRecording, type Trace } from './snapshot-file.ts';
import { IN_BACKWARD, IN_OPTIMIZER, IN_SETUP, NO_STACK } from './stack-label.ts';

/** Events from `start` to before `end` that belong to one phase. */
export interface PhaseRange {
  readonly phase: Phase;
  readonly start: number;
  readonly end: number;
}

export interface StepRange {
  readonly phases: readonly PhaseRange[];
}

export interface Phases {
  readonly steps: readonly StepRange[];
  readonly evidence: Evidence | null;
  readonly lostBeginning: string | null;
}

type Kind = Exclude<Phase, 'unknown'> | 'setup';
interface Run {
  kind: Kind;
  readonly start: number;
  allocations: number;
}

/** A run of allocations this much smaller than the largest of its kind is no pass of its own: a hook, a metric. */
const STRAY = 0.05;

/**
 * The training steps of a recording and the phases of each, told apart by the allocations: names that
 * `record_function` gave a stretch of time come first, then stacks. Where stacks are Python's only, those of autograd's
 * own thread are empty, and an allocation without one beside others that have one counts as backward's. Where nothing
 * tells, all is one step of an unknown phase. Time O(events + annotations log annotations).
 */
export function phasesOf({ trace, annotations }: DeviceRecording): Phases {
  const named = namedStretches(annotations);
  const kinds = new Array<Kind | null>(trace.count).fill(null);
  const [first = 0] = trace.time;
  let hasStacks = false;
  for (let i = 0; i < trace.count; i++)
    if (trace.action[i] === ALLOC && trace.label[i] !== NO_STACK) hasStacks = true;
  let [byName, inBackward, inOptimizer, byThread] = [0, 0, 0, 0];
  let stretch = 0;
  for (let i = 0; i < trace.count; i++) {
    if (trace.action[i] !== ALLOC) continue;
    const time = trace.time[i]!;
    while (stretch < named.length && named[stretch]!.end < time) stretch++;
    const inside = named[stretch];
    if (inside !== undefined && inside.start <= time) {
      kinds[i] = inside.kind;
      byName++;
    } else if (hasStacks) {
      const label = trace.label[i]!;
      kinds[i] = ofLabel(label);
      if (label === NO_STACK) byThread++;
      else if (label === IN_BACKWARD) inBackward++;
      else if (label === IN_OPTIMIZER) inOptimizer++;
    } else if (named.length > 0) {
      kinds[i] = 'forward';
    }
  }
  // The first allocation of a backward always has a stack; the phases follow the evidence that most events have.
  const byStack = inBackward >= byThread && inBackward + inOptimizer > 0;
  const evidence = byName > 0 ? 'annotations' : byStack ? 'stacks' : byThread > 0 ? 'threads' : null;
  if (evidence === null) {
    const whole: PhaseRange = { phase: 'unknown', start: 0, end: trace.count };
    return { steps: [{ phases: [whole] }], evidence, lostBeginning: null };
  }
  const runs = runsOf(trace, kinds);
  const steps = stepsOf(runs, trace.count);
  return { steps, evidence, lostBeginning: lostBeginning(steps, named, first) };
}

function ofLabel(label: number): Kind {
  if (label === IN_OPTIMIZER) return 'optimizer';
  if (label === IN_BACKWARD || label === NO_STACK) return 'backward';
  return label === IN_SETUP ? 'setup' : 'forward';
}

interface Stretch {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
}

/** Outermost of nested stretches, in the order of time. A stretch without an end is left out. */
function namedStretches(annotations: readonly Annotation[]): Stretch[] {
  const open = new Map<string, number[]>();
  const found: Stretch[] = [];
  for (const { name, isStart, time } of annotations.toSorted((a, b) => a.time - b.time)) {
    const kind = kindOfName(name);
    if (kind === null) continue;
    const starts = open.get(name) ?? [];
    open.set(name, starts);
    if (isStart) starts.push(time);
    else {
      const start = starts.pop();
      if (start !== undefined) found.push({ kind, start, end: time });
    }
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const outer: Stretch[] = [];
  for (const stretch of found) if (stretch.start >= (outer.at(-1)?.end ?? -1)) outer.push(stretch);
  return outer;
}

/** `Optimizer.step#AdamW.step` is PyTorch's own; `zero_grad` asks for nothing. */
function kindOfName(name: string): Kind | null {
  const words = name.toLowerCase();
  if (words.includes('zero_grad')) return null;
  if (/(^|[^a-z])optimi[sz]er?([^a-z]|$)/.test(words)) return 'optimizer';
  if (/(^|[^a-z])backward([^a-z]|$)/.test(words)) return 'backward';
  return /(^|[^a-z])forward([^a-z]|$)/.test(words) ? 'forward' : null;
}

/** Allocations of one kind in a row; strays go to what surrounds them. */
function runsOf(trace: Trace, kinds: readonly (Kind | null)[]): Run[] {
  const raw: Run[] = [];
  for (let i = 0; i < trace.count; i++) {
    const kind = kinds[i];
    if (kind === null || kind === undefined) continue;
    const last = raw.at(-1);
    if (last?.kind === kind) last.allocations++;
    else raw.push({ kind, start: i, allocations: 1 });
  }
  const most = (kind: Kind): number =>
    raw.reduce((found, run) => (run.kind === kind ? Math.max(found, run.allocations) : found), 0);
  const largest = { forward: most('forward'), backward: most('backward') };
  const runs: Run[] = [];
  raw.forEach((run, i) => {
    const last = runs.at(-1);
    const next = raw[i + 1];
    const isStray =
      last !== undefined &&
      ((run.kind === 'setup' && last.kind !== 'setup') ||
        (run.kind === 'forward' &&
          last.kind === 'backward' &&
          // Between two backwards a hook; before the optimizer what clips gradients: part of the latter.
          next?.kind === 'backward' &&
          run.allocations < STRAY * largest.forward) ||
        (run.kind === 'backward' &&
          last.kind === 'forward' &&
          next?.kind === 'forward' &&
          run.allocations < STRAY * largest.backward));
    if (isStray || last?.kind === run.kind) last!.allocations += run.allocations;
    else if (run.kind === 'forward' && last?.kind === 'backward' && next?.kind === 'optimizer')
      runs.push({ ...run, kind: 'optimizer' });
    else runs.push({ ...run });
  });
  return runs;
}

/** A step is a forward, a backward and, where there is one, the optimizer's step after it. */
function stepsOf(runs: readonly Run[], count: number): StepRange[] {
  const steps: PhaseRange[][] = [];
  runs.forEach(({ kind, start }, i) => {
    if (kind === 'setup') return;
    const end = runs[i + 1]?.start ?? count;
    const step = steps.at(-1);
    const before = step?.at(-1)?.phase;
    const goesOn =
      (kind === 'backward' && before === 'forward') ||
      (kind === 'optimizer' && (before === 'backward' || before === 'optimizer'));
    // Frees after the last allocation of a phase belong to it; so do events between two runs.
    if (goesOn && step !== undefined) step.push({ phase: kind, start, end });
    else steps.push([{ phase: kind, start, end }]);
  });
  return steps.map((phases) => ({ phases }));
}

/** A ring buffer overwrites the oldest events; the bytes are right all the same, as they are counted from the end. */
function lostBeginning(
  steps: readonly StepRange[],
  named: readonly Stretch[],
  firstTime: number,
): string | null {
  const first = steps[0]?.phases[0]?.phase;
  if (first === 'backward') return 'its first event lies in a backward pass';
  if (first === 'optimizer') return "its first event lies in the optimizer's step";
  const early = named.filter(({ end }) => end < firstTime);
  if (early.length === 0) return null;
  return `${early.length} named stretch${early.length === 1 ? '' : 'es'} of it ended before its first event`;
}
