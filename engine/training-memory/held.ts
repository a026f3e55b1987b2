import { BadInputError, InternalError } from '../errors.ts';
import { given } from '../given.ts';
import type { Graph } from '../graph/graph.ts';
import { batchWithin, type ByteLine, highestOf } from '../limits/peak-lines.ts';
import type { MemoryModel } from '../ops/memory-model.ts';
import type { Schedule } from '../schedule/schedule.ts';
import { CHECKPOINT, type Lifetimes, RECOMPUTED } from '../simulate/lifetime-log.ts';
import { simulateWithLifetimes, type Timeline } from '../simulate/simulate.ts';
import { MAX_BATCH } from '../options/sizes.ts';
import { ALLOCATION_BYTES, CUBLAS_WORKSPACE_BYTES, roundingOf } from './allocator.ts';
import type { AutocastDevice } from './autocast.ts';
import { type LossTensors, lossOf } from './loss.ts';
import { inFlight, microBatchesInFlight } from './pipeline.ts';
import { gatheredOf } from './sharding.ts';
import { keepsGradients, type TrainingSetup } from './setup.ts';
import { addChunkedLoss, addUnpacked, fillCopies, fillGradients } from './weights-at-steps.ts';
import { type Weights, weightsOf } from './weights.ts';

/**
 * All that a device holds while a network is trained, by what holds it. The one sum: the header, Limits, the command line
 * and reports show it and nothing else.
 */
export const TERMS = [
  'weights',
  'copies',
  'gradients',
  'optimizer',
  'activations',
  'inFlight',
  'loss',
  'workspace',
  'rounding',
  'context',
] as const;
export type Term = (typeof TERMS)[number];
/** A device's additions are no part of a plan. */
export type StepTerm = Exclude<Term, 'context'>;
export const STEP_TERMS = TERMS.filter((term): term is StepTerm => term !== 'context');

/** When a step holds the most. */
export type Instant = 'forward' | 'loss' | 'backward' | 'optimizer';

/** Everything held at one instant against the batch, and each term of it; the context apart. */
export interface HeldLine extends ByteLine {
  readonly instant: Instant;
  /** Pipeline stage; absent where there is one. */
  readonly stage?: number;
  readonly terms: Readonly<Record<StepTerm, ByteLine>>;
}

/** Memory held at the instant of the most; the terms add up to `totalBytes`. */
export interface Held {
  readonly totalBytes: number;
  readonly instant: Instant;
  /** Pipeline stage that holds it; absent where there is one. */
  readonly stage?: number;
  readonly terms: Readonly<Record<Term, number>>;
}

/** A network at one batch, in its precision (`inPrecision`). */
export interface Sized {
  readonly graph: Graph;
  readonly memory: MemoryModel;
}

/**
 * Everything that training under a schedule holds, as a function of the batch: the instants that are highest somewhere.
 * Each step of the schedule is one (the live bytes that the simulator counts, the weights' gradients made so far, the
 * output that the loop still names), and so are the loss between forward and backward, and the optimizer's step.
 * Time O(steps log steps).
 *
 * @param one the network at batch 1
 * @param two at batch 2; `one` again where only that batch is asked about
 * @param device whose autocast it is
 */
export function heldLines(
  one: Sized,
  two: Sized,
  schedule: Schedule,
  setup: TrainingSetup,
  device: AutocastDevice = 'cuda',
): HeldLine[] {
  return heldStep(one, two, schedule, setup, device).lines;
}

/** Memory of a device at each step of a schedule, without the context. */
export interface HeldSteps {
  /** Bytes at each step against the batch, then at the loss and at the optimizer's step. */
  readonly total: { readonly perSample: number[]; readonly fixed: number[] };
  /** Gradients of weights at the same instants. */
  readonly gradients: number[];
  /** Activations at the two instants that are no step. */
  readonly lossActivations: ByteLine;
  readonly optimizerActivations: ByteLine;
  /** Part of `total` that every instant of every plan holds: weights, the optimizer's state and what else lasts. */
  readonly constantBytes: number;
}

/** One training step under a schedule: the highest instants, every instant, and the timelines at both batches. */
export interface HeldStep {
  readonly lines: HeldLine[];
  steps(): HeldSteps;
  readonly timelines: readonly [one: Timeline, two: Timeline];
}

/** The parameters and the time are those of `heldLines`. */
export function heldStep(
  one: Sized,
  two: Sized,
  schedule: Schedule,
  setup: TrainingSetup,
  device: AutocastDevice = 'cuda',
): HeldStep {
  const weights = weightsOf(one.graph, setup);
  const small = instantsOf(one, schedule, setup, weights, device);
  const large = one === two ? small : instantsOf(two, schedule, setup, weights, device);
  if (small.activations.length !== large.activations.length || small.sizes.length !== large.sizes.length)
    throw new InternalError('a schedule has other instants at another batch');
  const rounding = roundingAt(small, large);
  const { weights: own, optimizer } = weights;
  const beside = own + optimizer + weights.rounding;
  const affine = (a: number, b: number): ByteLine => ({ perSample: b - a, fixed: 2 * a - b });
  const at = ({ activations, inFlight, copies, gradients, loss, workspace }: Instants, i: number): number =>
    activations[i]! + inFlight[i]! + copies[i]! + gradients[i]! + loss[i]! + workspace[i]!;
  const perSample = rounding.map((_, i) => at(large, i) - at(small, i));
  const fixed = rounding.map((bytes, i) => at(small, i) - perSample[i]! + beside + bytes);
  const constant = (bytes: number): ByteLine => ({ perSample: 0, fixed: bytes });
  const activations = (i: number): ByteLine => affine(small.activations[i]!, large.activations[i]!);
  const lines = highestOf(perSample, fixed).map((i) => ({
    perSample: perSample[i]!,
    fixed: fixed[i]!,
    instant: small.kindAt(i),
    terms: {
      weights: constant(own),
      copies: constant(small.copies[i]!),
      gradients: constant(small.gradients[i]!),
      optimizer: constant(optimizer),
      activations: activations(i),
      inFlight: affine(small.inFlight[i]!, large.inFlight[i]!),
      loss: affine(small.loss[i]!, large.loss[i]!),
      workspace: affine(small.workspace[i]!, large.workspace[i]!),
      rounding: constant(weights.rounding + rounding[i]!),
    },
  }));
  const steps = (): HeldSteps => ({
    total: { perSample: Array.from(perSample), fixed: Array.from(fixed) },
    gradients: Array.from(small.gradients),
    lossActivations: activations(fixed.length - 2),
    optimizerActivations: activations(fixed.length - 1),
    constantBytes: beside + CUBLAS_WORKSPACE_BYTES + (keepsGradients(setup) ? weights.gradients : 0),
  });
  return { lines, steps, timelines: [small.timeline, large.timeline] };
}

/**
 * The most that is held at a batch.
 *
 * @param contextBytes what the driver and the libraries hold before the first tensor (devices.ts)
 */
export function heldAt(lines: readonly HeldLine[], batch: number, contextBytes: number): Held {
  const bytesOf = ({ fixed, perSample }: ByteLine): number => fixed + batch * perSample;
  const [first, ...rest] = lines;
  if (first === undefined) throw new InternalError('nothing is held at no instant');
  const highest = rest.reduce((best, line) => (bytesOf(line) > bytesOf(best) ? line : best), first);
  const terms = Object.fromEntries([
    ...STEP_TERMS.map((term) => [term, bytesOf(highest.terms[term])]),
    ['context', contextBytes],
  ]) as Record<Term, number>;
  const { instant, stage } = highest;
  return { totalBytes: bytesOf(highest) + contextBytes, instant, terms, ...given({ stage }) };
}

/** The same without its terms. */
export const needsAt = (lines: readonly ByteLine[], batch: number, contextBytes: number): number =>
  lines.reduce((most, { fixed, perSample }) => Math.max(most, fixed + batch * perSample), 0) + contextBytes;

/** Everything held at each instant of a step, in their order, and each term of it. */
export interface HeldCurve {
  readonly kinds: readonly Instant[];
  readonly totals: Float64Array;
  readonly terms: Readonly<Record<StepTerm, Float64Array>>;
  /** Part of `rounding` that is there throughout: that of weights, gradients and the optimizer's state. */
  readonly lastingRounding: number;
}

/**
 * Everything that training under a schedule holds at one batch, instant by instant; the highest is that of `heldAt`.
 * Time O(steps log steps).
 */
export function heldCurve(
  sized: Sized,
  schedule: Schedule,
  setup: TrainingSetup,
  device: AutocastDevice = 'cuda',
): HeldCurve {
  const weights = weightsOf(sized.graph, setup);
  const found = instantsOf(sized, schedule, setup, weights, device);
  const rounding = roundingAt(found, found);
  const kinds = Array.from(rounding, (_, t) => found.kindAt(t));
  // The loss is computed between forward and backward, and is the last but one of the instants.
  const forward = kinds.filter((kind) => kind === 'forward').length;
  const atLoss = kinds.indexOf('loss');
  const order = kinds.map((_, i) => (i < forward ? i : i === forward ? atLoss : i <= atLoss ? i - 1 : i));
  const column = (of: (i: number) => number): Float64Array => Float64Array.from(order, of);
  const terms = {
    weights: column(() => weights.weights),
    copies: column((i) => found.copies[i]!),
    gradients: column((i) => found.gradients[i]!),
    optimizer: column(() => weights.optimizer),
    activations: column((i) => found.activations[i]!),
    inFlight: column((i) => found.inFlight[i]!),
    loss: column((i) => found.loss[i]!),
    workspace: column((i) => found.workspace[i]!),
    rounding: column((i) => weights.rounding + rounding[i]!),
  };
  const totals = Float64Array.from(order, (_, t) =>
    STEP_TERMS.reduce((sum, term) => sum + terms[term][t]!, 0),
  );
  return { kinds: order.map((i) => kinds[i]!), totals, terms, lastingRounding: weights.rounding };
}

/** The largest batch that a memory holds beside the context; 0 where not even one sample fits. */
export const largestBatch = (lines: readonly HeldLine[], memoryBytes: number, contextBytes: number): number =>
  batchWithin(lines, memoryBytes - contextBytes, MAX_BATCH);

/** Bytes at each instant: the steps of the schedule, the loss, the optimizer. */
interface Instants {
  readonly timeline: Timeline;
  readonly kindAt: (t: number) => Instant;
  readonly activations: Float64Array;
  /** Bytes of the other micro-batches of a pipeline stage. */
  readonly inFlight: Float64Array;
  readonly copies: Float64Array;
  readonly gradients: Float64Array;
  readonly loss: Float64Array;
  readonly workspace: Float64Array;
  /** Bytes of each tensor of the step, and the instants in which it lives: differences of a count. */
  readonly sizes: Float64Array;
  readonly first: Int32Array;
  readonly last: Int32Array;
  /** Micro-batches whose activations are there at once. */
  readonly microBatches: number;
}

function instantsOf(
  sized: Sized,
  schedule: Schedule,
  setup: TrainingSetup,
  weights: Weights,
  device: AutocastDevice,
): Instants {
  const { graph, memory } = sized;
  const { timeline, lifetimes } = simulateWithLifetimes(graph, memory, schedule);
  const steps = schedule.kinds.length;
  const atLoss = steps;
  const atOptimizer = steps + 1;
  const column = (): Float64Array => new Float64Array(steps + 2);
  const [activations, inFlight, copies, gradients, loss, workspace] = [
    column(),
    column(),
    column(),
    column(),
    column(),
    column(),
  ];
  const kindAt = (t: number): Instant => {
    if (t >= steps) return t === atLoss ? 'loss' : 'optimizer';
    return t < timeline.backwardStart ? 'forward' : 'backward';
  };
  activations.set(timeline.live);
  activations[atLoss] = timeline.savedBytes;
  activations[atOptimizer] = timeline.source;

  const tensors = lossOf(graph, setup.precision, device, setup.tensor !== undefined);
  const live = targetIsLive(graph, memory, lifetimes, steps);
  const end = timeline.backwardStart;
  // A stage frees an output that it has sent, and each score after its backward.
  const { pipeline } = setup;
  const isNamed =
    pipeline === undefined || pipeline.stage === pipeline.stages || setup.sharding !== undefined;
  loss.fill(tensors.labelBytes);
  for (let t = end; t < steps; t++) if (live[t] === 0 && isNamed) loss[t]! += tensors.outputBytes;
  loss[atLoss]! += tensors.peakBytes + (live[end] === 1 ? 0 : tensors.outputBytes);
  if (pipeline === undefined) loss[atOptimizer]! += tensors.outputBytes;
  fillInFlight(inFlight, timeline, setup, tensors, live[end] === 1);
  workspace.fill(CUBLAS_WORKSPACE_BYTES);
  addUnpacked(workspace, graph, schedule);
  workspace[atOptimizer] = CUBLAS_WORKSPACE_BYTES + weights.optimizerStep;
  fillGradients(gradients, graph, schedule, setup, weights);
  const gathered = gatheredOf(graph, schedule, end, setup, weights.tensors);
  if (gathered.gradients !== null) gradients.set(gathered.gradients);
  gathered.bytes.forEach((bytes, t) => {
    workspace[t]! += bytes;
  });
  addChunkedLoss(workspace, gradients, graph, schedule, setup, weights);
  fillCopies(copies, graph, schedule, weights);
  return {
    timeline,
    kindAt,
    activations,
    inFlight,
    copies,
    gradients,
    loss,
    workspace,
    microBatches: pipeline === undefined ? 1 : microBatchesInFlight(pipeline),
    sizes: lifetimes.bytes,
    first: lifetimes.first,
    last: lifetimes.last,
  };
}

/** Bytes of the other micro-batches of a pipeline stage, at each step and at the loss. */
function fillInFlight(
  bytes: Float64Array,
  { backwardStart, savedBytes, source, host }: Timeline,
  { pipeline, sharding }: TrainingSetup,
  loss: LossTensors,
  keepsOutput: boolean,
): void {
  if (pipeline === undefined) return;
  if (host !== undefined)
    throw new BadInputError(
      'a plan that sends activations to host memory is not counted with a pipeline; use another plan',
    );
  const microBatch = {
    input: source,
    output: loss.outputBytes,
    kept: savedBytes,
    keepsOutput,
    lossKept: loss.keptBytes,
    labels: loss.labelBytes,
  };
  const { forward, backward } = inFlight(pipeline, microBatch, sharding !== undefined);
  bytes.fill(forward, 0, backwardStart).fill(backward, backwardStart, bytes.length - 1);
}

/** 1 in each step that counts the output of the target already. */
function targetIsLive(graph: Graph, memory: MemoryModel, lifetimes: Lifetimes, steps: number): Uint8Array {
  const live = new Uint8Array(steps);
  const target = graph.size - 1;
  // A view lies in a storage that is counted by another name.
  if ((memory.viewOf[target] ?? -1) >= 0) return live.fill(1);
  lifetimes.vertices.forEach((v, i) => {
    const holder = lifetimes.holders[i];
    if (v !== target || (holder !== CHECKPOINT && holder !== RECOMPUTED)) return;
    live.fill(1, lifetimes.first[i], (lifetimes.last[i] ?? 0) + 1);
  });
  return live;
}

/**
 * Rounding of the allocator for the tensors that live at each instant, at any batch: nothing of one that is a multiple
 * at two batches, less than 512 bytes of any other; exact where there is one batch.
 */
function roundingAt(one: Instants, two: Instants): Float64Array {
  const count = one.activations.length;
  const changes = new Float64Array(count + 1);
  for (let i = 0; i < one.sizes.length; i++) {
    const bytes = one.sizes[i]!;
    const other = two.sizes[i] ?? 0;
    const isExact = roundingOf(bytes) === 0 && roundingOf(other) === 0;
    const most = one === two ? roundingOf(bytes) : isExact ? 0 : ALLOCATION_BYTES - 1;
    changes[one.first[i] ?? 0]! += most;
    changes[(one.last[i] ?? 0) + 1]! -= most;
  }
  const rounding = new Float64Array(count);
  let held = 0;
  let most = 0;
  for (let i = 0; i < count; i++) {
    held += changes[i]!;
    most = Math.max(most, held);
    rounding[i] = i < count - 2 ? held : most;
  }
  const { microBatches, timeline } = one;
  const kept = rounding[timeline.backwardStart - 1] ?? 0;
  return microBatches === 1 ? rounding : rounding.map((own) => own + (microBatches - 1) * kept);
}
