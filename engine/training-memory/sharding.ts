import { BadInputError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import { BACKWARD, FORWARD, type Schedule } from '../schedule/schedule.ts';
import { FLOAT32 } from './element-bytes.ts';
import type { TrainedTensor } from './optimizers.ts';
import { type Sharding, type TrainingSetup, weightBytes } from './setup.ts';
import { ownBytes, type UsedTensor } from './trained-tensors.ts';

/** DeepSpeed's defaults, in elements: `reduce_bucket_size` and `stage3_max_live_parameters` (runtime/zero/config.py). */
const REDUCE_BUCKET = 5e8;
const MAX_LIVE = 1e9;

interface Rule {
  /** Parts of which a rank keeps its share alone. */
  readonly weights: boolean;
  readonly gradients: boolean;
  readonly states: boolean;
  /** True if it steps on a float32 copy of its share of the weights. */
  readonly copies: boolean;
}

/**
 * Parts that ranks share (Rajbhandari et al. 2020, section 5, for the stages of ZeRO; PyTorch, `fully_shard`). DeepSpeed's
 * optimizer steps on a float32 copy of its share whatever the type (runtime/zero/stage_1_and_2.py).
 */
const RULES: Readonly<Record<Sharding['way'], Rule>> = {
  ddp: { weights: false, gradients: false, states: false, copies: false },
  zero1: { weights: false, gradients: false, states: true, copies: true },
  zero2: { weights: false, gradients: true, states: true, copies: true },
  zero3: { weights: true, gradients: true, states: true, copies: true },
  fsdp2: { weights: true, gradients: true, states: true, copies: false },
};

/** The parts of one tensor that a rank keeps. */
export interface Share {
  /** Shares of its weights and of its gradient, from 0 to 1; larger where padded. */
  readonly weights: number;
  readonly gradient: number;
  /** The tensor as the optimizer sees it. */
  readonly stepped: TrainedTensor;
  /** Bytes of the copy that the optimizer steps on. */
  readonly copyBytes: number;
}

/** GPUs that have a tensor of the same numbers. Weights of experts alone have three axes in a language model. */
const ranksOf = ({ shape }: TrainedTensor, { gpus, experts = 1 }: Sharding): number =>
  shape?.length === 3 ? gpus / experts : gpus;

/** `fully_shard` cuts the first axis into equal parts and pads the last; ZeRO cuts tensors laid end to end. */
export function shareOf(tensor: TrainedTensor, sharding: Sharding | undefined): Share {
  if (sharding === undefined) return { weights: 1, gradient: 1, stepped: tensor, copyBytes: 0 };
  const { way } = sharding;
  const gpus = ranksOf(tensor, sharding);
  const [rows = tensor.elements, ...rest] = tensor.shape ?? [];
  const ownRows = Math.ceil(rows / gpus);
  const part: TrainedTensor =
    way === 'fsdp2'
      ? { shape: tensor.shape && [ownRows, ...rest], elements: (tensor.elements / rows) * ownRows }
      : { shape: null, elements: Math.ceil(tensor.elements / gpus) };
  const rule = RULES[way];
  const share = part.elements / tensor.elements;
  return {
    weights: rule.weights ? share : 1,
    gradient: rule.gradients ? share : 1,
    stepped: rule.states ? part : tensor,
    copyBytes: rule.copies ? FLOAT32 * part.elements : 0,
  };
}

/** Bytes of several ranks at each step, the loss and the optimizer's step. */
export interface Gathered {
  /** Whole weights gathered for a while, and buffers of collectives. */
  readonly bytes: Float64Array;
  /** Gradients, where they are freed part by part; null where they come as without ranks. */
  readonly gradients: Float64Array | null;
}

/**
 * @param backwardStart the first step of backward
 * @throws BadInputError for `fsdp2` of a network without decoder layers
 */
export function gatheredOf(
  graph: Graph,
  schedule: Schedule,
  backwardStart: number,
  setup: TrainingSetup,
  tensors: readonly UsedTensor[],
): Gathered {
  const { sharding, precision } = setup;
  const bytes = new Float64Array(schedule.kinds.length + 2);
  if (sharding === undefined) return { bytes, gradients: null };
  if (sharding.way === 'fsdp2') return fullyShardedOf(graph, schedule, backwardStart, setup, tensors);
  const element = weightBytes(precision);
  // Nothing is sent of experts that no other GPU has.
  const common = tensors.filter((tensor) => ranksOf(tensor, sharding) > 1);
  const trained = common.filter(({ isFrozen }) => !isFrozen);
  const sum = (some: readonly UsedTensor[], most: number): number => {
    const elements = some.reduce((total, one) => total + one.elements, 0);
    const all = some.reduce((total, one) => total + ownBytes(one, element), 0);
    return elements === 0 ? 0 : Math.round(all * Math.min(1, most / elements));
  };
  // DDP's buckets hold every gradient once more, from its first step on; those of 25 MiB only say when they are sent.
  const buckets = sum(trained, sharding.way === 'ddp' ? Number.POSITIVE_INFINITY : REDUCE_BUCKET);
  bytes.fill(buckets + (sharding.way === 'zero3' ? sum(common, MAX_LIVE) : 0));
  return { bytes, gradients: null };
}

/** Bytes of one unit of `fully_shard`, whole. */
interface Unit {
  weights: number;
  /** Part of them that other GPUs send. */
  sent: number;
  gradients: number;
  gradientShare: number;
  /** Backward steps that are still to come. */
  left: number;
}

/**
 * `fully_shard` of each decoder layer and then of the model (PyTorch 2.15, _fsdp_param_group.py), `reshard_after_forward`
 * as by default. The root, which is all beside layers, stays whole from its forward to the end of backward. In forward a layer
 * is whole while it runs, and the buffer that it was gathered in lasts until the next is. In backward the layer before is
 * gathered ahead, a layer's gradients are whole until its backward ends, and the buffer of their reduce-scatter lasts
 * until the next ends. Verified against FSDPMemTracker (test/engine/training-memory/sharding.test.ts). Time O(steps).
 */
function fullyShardedOf(
  graph: Graph,
  { kinds, vertices }: Schedule,
  backwardStart: number,
  setup: TrainingSetup,
  tensors: readonly UsedTensor[],
): Gathered {
  const steps = kinds.length;
  const bytes = new Float64Array(steps + 2);
  const gradients = new Float64Array(steps + 2);
  const [unitOf, units] = unitsOf(graph);
  const root = units.length - 1;
  const sharding = setup.sharding!;
  const made = new Float64Array(graph.size);
  const added = new Float64Array(graph.size);
  let shares = 0;
  for (const tensor of tensors) {
    const v = tensor.users[0] ?? 0;
    const unit = units[unitOf[v] ?? root]!;
    const share = ownBytes(tensor, weightBytes(setup.precision)) * shareOf(tensor, sharding).weights;
    const ranks = ranksOf(tensor, sharding);
    const sent = ranks === 1 ? 0 : share * ranks;
    unit.weights += share * ranks;
    unit.sent += sent;
    if (tensor.isFrozen) continue;
    unit.gradients += sent;
    unit.gradientShare += share;
    shares += share;
    // The last user runs backward first.
    const own = ownBytes(tensor, weightBytes(setup.precision));
    made[tensor.users.at(-1) ?? v]! += own;
    // Gradients of a shared tensor are added into a third.
    for (const user of tensor.users.slice(0, -1)) added[user]! += 2 * own;
  }
  kinds.forEach((kind, t) => {
    if (kind === BACKWARD) units[unitOf[vertices[t] ?? 0]!]!.left++;
  });
  const whole = (unit: number): number => (unit === root ? 0 : (units[unit]?.weights ?? 0));
  const received = (unit: number): number => (unit === root ? 0 : (units[unit]?.sent ?? 0));
  const rootBytes = units[root]!.weights;
  const keeps = setup.accumulate > 1 || !setup.freesGradients;
  let current = root;
  let buffer = rootBytes;
  let sent = 0;
  let closed = keeps ? shares : 0;
  let open = 0;
  const opened = new Float64Array(units.length);
  for (let t = 0; t < steps; t++) {
    const v = vertices[t] ?? 0;
    const unit = unitOf[v] ?? root;
    const runs = kinds[t] === FORWARD || kinds[t] === BACKWARD;
    if (runs && t < backwardStart && unit !== root) buffer = received(unit);
    if (runs) current = unit;
    if (t >= backwardStart)
      buffer = current === root ? (sent === 0 ? received(root - 1) : 0) : received(current - 1);
    bytes[t] = rootBytes + whole(current) + buffer + sent;
    if (kinds[t] === BACKWARD) {
      open += made[v]!;
      opened[unit]! += made[v]!;
    }
    gradients[t] = closed + open + (kinds[t] === BACKWARD ? added[v]! : 0);
    if (kinds[t] !== BACKWARD || --units[unit]!.left > 0) continue;
    open -= opened[unit]!;
    if (!keeps) closed += units[unit]!.gradientShare;
    sent = units[unit]!.gradients;
    current = root;
  }
  bytes[steps] = rootBytes;
  gradients[steps] = keeps ? shares : 0;
  gradients[steps + 1] = shares;
  return { bytes, gradients };
}

/** Unit of each vertex by its id: decoder layers in their order, and the root as the last. */
function unitsOf(graph: Graph): [unitOf: Int32Array, units: Unit[]] {
  const layers = graph.ids.map((id) => Number(/^layers\.(\d+)\./.exec(id)?.[1] ?? -1));
  const count = Math.max(...layers) + 1;
  if (count === 0) {
    throw new BadInputError(
      '--shard fsdp2 counts a unit for each decoder layer, and this network has none; use --shard ddp or a stage of zero',
    );
  }
  const unit = (): Unit => ({ weights: 0, sent: 0, gradients: 0, gradientShare: 0, left: 0 });
  const units = Array.from({ length: count + 1 }, unit);
  return [Int32Array.from(layers, (layer) => (layer < 0 ? count : layer)), units];
}
