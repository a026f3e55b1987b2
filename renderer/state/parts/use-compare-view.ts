import { useMemo } from 'react';
import { measuredOverheads } from '../runs/measured.ts';
import { useStore } from '../../shared/store.ts';
import { useCatalog, useLabView, useWorkspace } from '../workspace/use-workspace.ts';
import type { ComparisonState } from '../comparison/comparison.ts';
import { frontRow, regularVerdict, type StrategyRow, strategyRows } from '../comparison/rows.ts';

export interface CompareView {
  readonly state: ComparisonState;
  readonly rows: readonly StrategyRow[];
  readonly front: StrategyRow | null;
  /** The results on screen are those of another network, until the wanted ones come. */
  readonly stale: boolean;
}

/** The comparison at the experiment's batch size: figures and curves are scaled here, not solved again. */
export function useCompareView(): CompareView {
  const { comparison, runs } = useWorkspace();
  const { experiment, selected, budgetLimit } = useLabView();
  const { titles, models } = useCatalog();
  const state = useStore(comparison);
  const sessionRuns = useStore(runs, (all) => all.runs);
  const defaultInput = models.find(({ name }) => name === experiment.model)?.defaultInput ?? null;

  const measured = useMemo(
    () => measuredOverheads(sessionRuns, experiment, defaultInput),
    [sessionRuns, experiment, defaultInput],
  );
  const rows = useMemo(
    () => strategyRows({ results: state.shown, experiment, budgetLimit, titles, measured }),
    [state.shown, experiment, budgetLimit, titles, measured],
  );
  const front = useMemo(() => {
    const regularFits = state.shown === null ? undefined : regularVerdict(state.shown, experiment)?.fits;
    return frontRow(rows, selected, regularFits);
  }, [rows, selected, state.shown, experiment]);
  return { state, rows, front, stale: state.shown !== null && state.shown.key !== state.wanted };
}
