import { useEffect, useMemo } from 'react';
import { useStore } from '../../../shared/store.ts';
import { keyOf, missingStrategies } from '../../../state/comparison/comparison.ts';
import { strategyRows } from '../../../state/comparison/rows.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import { useCatalog, useKept, useLabView } from '../../../state/workspace/use-workspace.ts';
import { WITHIN_BUDGET } from '../../../../engine/strategies/default-strategy.ts';
import { limitSession } from '../pareto/limit-session.ts';

/** The view with the plan that the handle is at as the row `budget`, until that budget has its own answer. */
export function useDraggedView(view: CompareView): CompareView {
  const { limit, plans, follow } = useKept(limitSession);
  const plan = useStore(plans);
  const isHeld = useStore(limit, (bytes) => bytes !== null);
  const { experiment } = useLabView();
  const { titles } = useCatalog();
  const { rows, state, stale } = view;
  const { shown, running, failure, cancelled } = state;
  const isAnswered =
    running === null && shown !== null && !missingStrategies(experiment, shown).includes(WITHIN_BUDGET);
  const isOver = !isHeld && (isAnswered || failure !== null || cancelled);
  useEffect(() => {
    if (isOver) plans.clear();
  }, [plans, isOver]);
  const network = `${keyOf(experiment)} ${experiment.batch}`;
  useEffect(() => follow(network), [follow, network]);
  return useMemo(() => {
    if (plan === null || isOver || shown === null || stale) return view;
    const solved = new Map(shown.solved);
    solved.set(WITHIN_BUDGET, plan);
    const [row] = strategyRows({
      results: { ...shown, solved },
      experiment: { ...experiment, strategies: [WITHIN_BUDGET] },
      titles,
    });
    if (row === undefined) return view;
    const others = rows.filter(({ identity }) => identity.name !== WITHIN_BUDGET);
    const isThere = others.length < rows.length;
    const replaced = rows.map((one) => (one.identity.name === WITHIN_BUDGET ? row : one));
    return { ...view, rows: isThere ? replaced : [...rows, row], front: row };
  }, [plan, isOver, shown, stale, view, rows, experiment, titles]);
}
