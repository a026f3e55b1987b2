import { idOf } from '../../../../engine/graph/graph.ts';
import { paperCost } from '../../../../engine/paper/paper-cost.ts';
import { insertFrees } from '../../../../engine/schedule/liveness.ts';
import type { MemoryModel } from '../../../../engine/ops/memory-model.ts';
import {
  BACKWARD,
  FETCH,
  FORWARD,
  FREE,
  type Schedule,
  ScheduleBuilder,
} from '../../../../engine/schedule/schedule.ts';
import { AUXILIARY, GRADIENT, INPUT } from '../../../../engine/simulate/lifetime-log.ts';
import { simulateTotals, simulateWithLifetimes } from '../../../../engine/simulate/simulate.ts';
import type { Plan, Problem } from '../../../../engine/strategies/strategy/strategy.ts';

export const BAR_NAMES = [
  'theory',
  'source',
  'checkpoints',
  'segment',
  'undrawn',
  'gradients',
  'statistics',
  'indices',
  'masks',
  'others',
  'sharing',
] as const;
export type BarName = (typeof BAR_NAMES)[number];

export interface WaterfallBar {
  readonly name: BarName;
  /** Signed; the bars add up to the peak, to the byte. */
  readonly bytes: number;
  readonly from: number;
}

export interface Waterfall {
  readonly bars: readonly WaterfallBar[];
  readonly peakBytes: number;
  readonly instant: { readonly kind: 'forward' | 'backward'; readonly operation: string };
}

const AUXILIARIES: Readonly<Record<string, BarName>> = {
  'batch-norm': 'statistics',
  'max-pool': 'indices',
  dropout: 'masks',
};

/**
 * From Eq. 2 to the peak of the same plan: what is live at the instant of the peak, tensor by tensor, against
 * what the theory charges. The instant is that of the step without in-place operations, so that the last bar
 * can say what these, and tensors that share a storage, save. Time that of two simulations.
 *
 * @param plan of a strategy that chooses checkpoints on the papers' graph
 */
export function waterfallOf(problem: Problem, plan: Plan): Waterfall {
  const { graph, memory, view } = problem;
  const { peakBytes } = simulateTotals(graph, memory, plan.schedule);
  const apart = { ...memory, takesOver: new Int32Array(graph.size).fill(-1) };
  const schedule = insertFrees(graph, apart, withoutFrees(plan.schedule));
  const { timeline, lifetimes } = simulateWithLifetimes(graph, apart, schedule);
  const { peakStep } = timeline;

  const chosen = new Set(plan.checkpoints.map((v) => view.tensorOf[v]!));
  const cost = paperCost(view.tensors, chosen);
  const theory = cost.ok ? cost : { cost: 0, checkpointCost: 0, maxTerm: 0 };
  const bytes = new Map<BarName, number>(BAR_NAMES.map((name) => [name, 0]));
  const add = (name: BarName, amount: number): void => {
    bytes.set(name, bytes.get(name)! + amount);
  };
  add('theory', theory.cost);
  add('checkpoints', -theory.checkpointCost);
  add('segment', -theory.maxTerm);
  lifetimes.vertices.forEach((v, i) => {
    if (peakStep < lifetimes.first[i]! || peakStep > lifetimes.last[i]!) return;
    const holder = lifetimes.holders[i];
    const ofKind = AUXILIARIES[graph.operations[v]!.kind] ?? 'others';
    // Storages once each; values below may share them.
    const bar =
      holder === INPUT
        ? 'source'
        : holder === GRADIENT
          ? 'gradients'
          : holder === AUXILIARY
            ? ofKind
            : 'sharing';
    add(bar, lifetimes.bytes[i]!);
  });
  for (const v of liveValues(schedule, peakStep)) {
    if (isViewOfSource(memory, v)) continue;
    add('sharing', -graph.bytes[v]!);
    const tensor = view.tensorOf[v]!;
    const isDrawn = tensor >= 0 && view.representative[tensor] === v;
    add(!isDrawn ? 'undrawn' : chosen.has(tensor) ? 'checkpoints' : 'segment', graph.bytes[v]!);
  }
  let sum = 0;
  for (const amount of bytes.values()) sum += amount;
  add('sharing', peakBytes - sum);

  const bars: WaterfallBar[] = [];
  let from = 0;
  for (const name of BAR_NAMES) {
    const amount = bytes.get(name)!;
    bars.push({ name, bytes: amount, from });
    from += amount;
  }
  const kind = schedule.kinds[peakStep] === BACKWARD ? 'backward' : 'forward';
  return { bars, peakBytes, instant: { kind, operation: idOf(graph, schedule.vertices[peakStep]!) } };
}

/** Values that are there at a step, views too. */
function liveValues({ kinds, vertices }: Schedule, step: number): ReadonlySet<number> {
  const live = new Set<number>();
  for (let t = 0; t <= step; t++) {
    if (kinds[t] === FORWARD || kinds[t] === FETCH) live.add(vertices[t]!);
    else if (kinds[t] === FREE) live.delete(vertices[t]!);
  }
  return live;
}

const isViewOfSource = (memory: MemoryModel, v: number): boolean =>
  v === 0 || (memory.viewOf[v]! >= 0 && isViewOfSource(memory, memory.viewOf[v]!));

function withoutFrees({ kinds, vertices }: Schedule): Schedule {
  const builder = new ScheduleBuilder();
  kinds.forEach((kind, t) => {
    if (kind === FORWARD || kind === BACKWARD) builder.push(kind, vertices[t]!);
  });
  return builder.build();
}
