import { idOf } from '../../../../engine/graph/graph.ts';
import { paperCost } from '../../../../engine/paper/paper-cost.ts';
import { insertFrees } from '../../../../engine/schedule/liveness.ts';
import { BACKWARD, FORWARD, type Schedule, ScheduleBuilder } from '../../../../engine/schedule/schedule.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import type { Plan, Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { Replay } from './replay.ts';

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
  const { peakBytes } = simulate(graph, memory, plan.schedule);
  const apart = { ...memory, takesOver: new Int32Array(graph.size).fill(-1) };
  const schedule = insertFrees(graph, apart, withoutFrees(plan.schedule));
  const { peakStep } = simulate(graph, apart, schedule);
  const replay = new Replay(graph, apart, schedule);
  replay.goTo(peakStep);

  const chosen = new Set(plan.checkpoints.map((v) => view.tensorOf[v]!));
  const cost = paperCost(view.tensors, chosen);
  const theory = cost.ok ? cost : { cost: 0, checkpointCost: 0, maxTerm: 0 };
  const bytes = new Map<BarName, number>(BAR_NAMES.map((name) => [name, 0]));
  const add = (name: BarName, amount: number): void => {
    bytes.set(name, bytes.get(name)! + amount);
  };
  add('theory', theory.cost);
  add('source', replay.storageBytes[0]!);
  add('checkpoints', -theory.checkpointCost);
  add('segment', -theory.maxTerm);
  for (let v = 1; v < graph.size; v++) {
    if (replay.gradientBytes[v]! > 0) add('gradients', replay.gradientBytes[v]!);
    if (replay.auxiliaryLive[v] === 1) {
      add(AUXILIARIES[graph.operations[v]!.kind] ?? 'others', memory.auxBytes[v]!);
    }
    // Storages once each; values below may share them.
    if (replay.readers[v]! > 0) add('sharing', replay.storageBytes[v]!);
    const storage = replay.storage[v]!;
    if (storage <= 0) continue;
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

function withoutFrees({ kinds, vertices }: Schedule): Schedule {
  const builder = new ScheduleBuilder();
  kinds.forEach((kind, t) => {
    if (kind === FORWARD || kind === BACKWARD) builder.push(kind, vertices[t]!);
  });
  return builder.build();
}
