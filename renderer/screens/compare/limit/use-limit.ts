import { useMemo } from 'react';
import { useStore } from '../../../shared/store.ts';
import { withStrategy } from '../../../state/experiment/experiment.ts';
import { budgetAt, shownBudget } from '../../../state/comparison/budget-limit.ts';
import { roomOf } from '../../../state/experiment/device.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import { useCatalog, useKept, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { WITHIN_BUDGET } from '../../../../engine/strategies/default-strategy.ts';
import type { PlanPoint } from '../pareto/pareto-plot.ts';
import { paretoRequest, useFrontLine } from '../pareto/use-pareto-front.ts';
import type { ShownMemory } from '../../../state/comparison/shown-memory.ts';
import { type LimitRange, limitRange, plansAround, planWithin } from '../pareto/limit-range.ts';
import { limitSession } from '../pareto/limit-session.ts';

export interface HeldLimit {
  readonly range: LimitRange;
  /** Bytes at the handle, and the plan there. */
  readonly at: number;
  readonly point: PlanPoint;
  readonly isHeld: boolean;
  /** A budget of the user's own, not the device's memory. */
  readonly isOwn: boolean;
  moveTo(limit: number): void;
  /** Requests the plans that the next moves may reach. */
  prefetch(): void;
  /** Makes the limit the experiment's budget. */
  commit(): void;
  cancel(): void;
}

/** The limit on the zigzag as something to move; null while no front is known. */
export function useLimit(view: CompareView, memory: ShownMemory): HeldLimit | null {
  const { experiment: store } = useWorkspace();
  const { limit, plans } = useKept(limitSession);
  const held = useStore(limit);
  const { strategies } = useCatalog();
  const line = useFrontLine(view, memory);
  const range = useMemo(() => limitRange(line), [line]);
  if (range === null || view.stale) return null;
  const room = memory === 'device' ? roomOf(store.get().experiment).memoryBytes : range.high;
  const rest = shownBudget(store.get(), view.state.shown, memory) ?? room;
  const at = Math.min(Math.max(held ?? rest, range.low), range.high);
  const point = planWithin(line, at);
  if (point === null) return null;

  const cancel = (): void => {
    limit.set(null);
    plans.clear();
  };
  const requestOf = ({ peakBytes }: PlanPoint) => ({ ...paretoRequest(store.get().experiment), peakBytes });
  const prefetchAt = (bytes: number): void => plans.prefetch(plansAround(line, bytes).map(requestOf));
  return {
    range,
    at,
    point,
    isHeld: held !== null,
    isOwn: store.get().experiment.budgetBytes !== undefined,
    cancel,
    prefetch: () => prefetchAt(point.bytes),
    moveTo: (next) => {
      const to = Math.min(Math.max(next, range.low), range.high);
      limit.set(to);
      const plan = planWithin(line, to);
      if (plan === null) return;
      if (plan.strategy === null) {
        plans.ask(requestOf(plan));
        prefetchAt(plan.bytes);
      } else {
        const solved = view.state.shown?.solved.get(plan.strategy);
        if (solved !== undefined) plans.show(solved);
      }
    },
    commit: () => {
      const last = limit.get();
      const plan = last === null ? null : planWithin(line, last);
      if (last === null || plan === null) return;
      const now = store.get().experiment;
      const order = strategies.map(({ name }) => name);
      store.change({
        ...withStrategy(now, WITHIN_BUDGET, true, order),
        budgetBytes: budgetAt(last, plan),
      });
      if (memory === 'device') store.wantLimit(last);
      store.select(WITHIN_BUDGET);
      limit.set(null);
    },
  };
}
