import { networkTitle } from '../../../state/experiment/network-order.ts';
import { withStrategy } from '../../../state/experiment/experiment.ts';
import { savePlan } from '../../../state/parts/save-file.ts';
import { commandOf } from '../../../state/comparison/report-of.ts';
import { openTrain } from '../../../state/parts/next-run.ts';
import type { Workspace } from '../../../state/workspace/workspace.ts';
import { type StrategyRow, withLeftBudget } from '../../../state/comparison/rows.ts';

export interface RowAction {
  readonly name: string;
  /** Why it cannot be done now. */
  readonly unavailable: string | null;
  readonly run: () => void;
}

export function rowActions(row: StrategyRow, workspace: Workspace): RowAction[] {
  const { experiment: store, catalog, page } = workspace;
  const { name } = row.identity;
  const { experiment } = store.get();
  const noPlan = row.state === 'solved' ? null : 'There is no plan.';
  const place = (): void => {
    store.change({ ...store.get().experiment, checkpoints: [...row.checkpoints] });
    store.goTo('graph');
    store.setView({ panel: 'yours' });
  };
  const useAsBudget = (): void => {
    const order = catalog.get().strategies.map((strategy) => strategy.name);
    const now = store.get().experiment;
    store.change({
      ...withStrategy(now, 'budget', true, order),
      budgetBytes: Math.ceil(row.peakBytes ?? 0),
    });
  };
  const copy = (): void => {
    const { models, strategies } = catalog.get();
    const info = strategies.find((strategy) => strategy.name === name);
    const line = commandOf(withLeftBudget(experiment, row), networkTitle(experiment.model, models), info);
    navigator.clipboard
      .writeText(line)
      .catch(() => store.settle(store.get().experiment, [`Copy it from here: ${line}`]));
  };
  return [
    {
      name: 'Use in PyTorch…',
      unavailable: noPlan,
      run: () =>
        page.openInTorch({
          experiment: withLeftBudget(experiment, row),
          strategy: name,
          title: row.identity.title,
          peakBytes: row.peakBytes,
        }),
    },
    { name: 'Save plan…', unavailable: noPlan, run: () => void savePlan(workspace, name) },
    {
      name: 'Place in Graph',
      unavailable: noPlan ?? (row.checkpoints.length === 0 ? 'It keeps no checkpoints.' : null),
      run: place,
    },
    { name: 'Train this', unavailable: noPlan, run: () => openTrain(workspace, name) },
    { name: 'Use its peak as the budget', unavailable: noPlan, run: useAsBudget },
    { name: 'Copy command line', unavailable: null, run: copy },
  ];
}
