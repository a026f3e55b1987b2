import { type Graph, idOf, predecessorsOf, trainedParameters } from '../graph/graph.ts';
import { definitionOf, operationName } from '../ops/operation.ts';
import type { LinkedDevice } from '../offload/link.ts';
import { optionsThatChange, type OptionValues } from '../options/options.ts';
import { FREE_AUX, hasTransfers, type Schedule, STEP_KINDS } from '../schedule/schedule.ts';
import type { MemoryModel } from '../ops/memory-model.ts';
import type { Timeline } from '../simulate/simulate.ts';
import { operationAttributes } from './operation-fields.ts';

/** zigzag-plan (SPEC, file formats): what a strategy decided, for use elsewhere. */
export interface PlanFile {
  readonly format: 'zigzag-plan';
  /** 2 where steps send and fetch, so that who knows 1 alone refuses it; 1 everywhere else. */
  readonly version: 1 | 2;
  readonly model: string;
  /** Hash of the graph, so that a plan is not applied to another one. */
  readonly graphHash: string;
  readonly strategy: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly checkpoints: readonly string[];
  /** ["forward", id] | ["backward", id] | ["free", id] | ["free", id, "aux"] | ["hold-gradient", id] | ["free-gradient", id] | ["send", id] | ["fetch", id] */
  readonly steps: readonly (readonly string[])[];
  readonly peakBytes: number;
  /** Peak of the same step without a plan, for anyone who applies it; absent in older files. */
  readonly regularPeakBytes?: number;
  readonly recomputeFraction: number;
  /** Number of trained parameters, so that a plan is not applied to a wider network of the same operations; absent in older files. */
  readonly parameters?: number;
  /** Facts of the vertices, for anyone who has to find them in a model under other names. */
  readonly operations?: readonly PlanOperation[];
}

/** One vertex of a plan's network. */
export interface PlanOperation {
  readonly id: string;
  readonly op: string;
  readonly shape: readonly number[];
  readonly attrs?: Readonly<Record<string, unknown>>;
  /** True if its tensor lies in the storage of its first input. */
  readonly view?: true;
  readonly inputs: readonly string[];
}

/** A plan's own options, in the order of the table; a plan that was followed is no option of the next. */
const ASKED = optionsThatChange('plan').filter((name) => name !== 'plan');

/** Provenance of every plan; the same text for every caller. */
export function planOptions(
  { graph, memory }: { readonly graph: Graph; readonly memory: MemoryModel },
  asked: OptionValues & { readonly link?: LinkedDevice | undefined },
): Readonly<Record<string, unknown>> {
  const given = ASKED.filter((name) => asked[name] !== undefined);
  return {
    ...Object.fromEntries(given.map((name) => [name, asked[name]])),
    ...(asked.link === undefined ? {} : { link: asked.link }),
    profile: memory.profile,
    dtype: graph.bytesPerElement === 2 ? 'float16' : 'float32',
    batch: asked.batch,
    input: graph.shapes[0]?.[2] ?? 0,
  };
}

export function planFile(
  graph: Graph,
  plan: {
    readonly strategy: string;
    readonly options: Readonly<Record<string, unknown>>;
    readonly checkpoints: readonly string[];
    readonly schedule: Schedule;
    readonly timeline: Timeline;
    readonly regularPeakBytes?: number;
    readonly operations?: readonly PlanOperation[];
  },
): PlanFile {
  const { kinds, vertices } = plan.schedule;
  const steps = Array.from(kinds, (kind, i) => {
    const id = idOf(graph, vertices[i] ?? 0);
    return kind === FREE_AUX ? ['free', id, 'aux'] : [STEP_KINDS[kind] ?? 'forward', id];
  });
  return {
    format: 'zigzag-plan',
    version: hasTransfers(plan.schedule) ? 2 : 1,
    model: graph.name,
    graphHash: graphHash(graph),
    strategy: plan.strategy,
    options: plan.options,
    checkpoints: plan.checkpoints,
    steps,
    peakBytes: plan.timeline.peakBytes,
    ...(plan.regularPeakBytes === undefined ? {} : { regularPeakBytes: plan.regularPeakBytes }),
    recomputeFraction: plan.timeline.recomputeFraction,
    parameters: trainedParameters(graph),
    ...(plan.operations === undefined ? {} : { operations: plan.operations }),
  };
}

/** Kind of each vertex, views under the `pytorch` profile told apart. O(V + E) */
export function planOperations(graph: Graph): PlanOperation[] {
  return graph.ids.map((id, v) => {
    const op = graph.operations[v];
    const isOurs = op !== undefined && op.kind !== 'opaque';
    return {
      id,
      op: op === undefined ? 'unknown' : operationName(op),
      shape: [...(graph.shapes[v] ?? [])],
      ...(isOurs ? { attrs: operationAttributes(op) } : {}),
      ...(isOurs && definitionOf(op).aliasing(op, 'pytorch') === 'view' ? { view: true as const } : {}),
      inputs: Array.from(predecessorsOf(graph, v), (u) => idOf(graph, u)),
    };
  });
}

/** 64-bit FNV-1a over ids, bytes and edges, as 16 hexadecimal digits. Tells graphs apart; no secret. */
export function graphHash(graph: Graph): string {
  let low = 0x84222325;
  let high = 0xcbf29ce4;
  const mix = (text: string): void => {
    for (let i = 0; i < text.length; i++) {
      low ^= text.charCodeAt(i);
      // Multiply by the prime 0x100000001b3 in two 32-bit halves.
      const product = (low >>> 0) * 0x1b3;
      const carry = Math.floor(product / 0x100000000);
      high = (Math.imul(high, 0x1b3) + carry + (low << 8)) | 0;
      low = product | 0;
    }
  };
  for (let v = 0; v < graph.size; v++) {
    mix(`${idOf(graph, v)}:${graph.bytes[v]}<`);
    for (let e = graph.predecessorOffsets[v] ?? 0; e < (graph.predecessorOffsets[v + 1] ?? 0); e++) {
      mix(`${graph.predecessors[e]},`);
    }
  }
  const hex = (half: number): string => (half >>> 0).toString(16).padStart(8, '0');
  return hex(high) + hex(low);
}
