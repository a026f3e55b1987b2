import type { Workspace } from '../workspace/workspace.ts';
import { type StrategyRow, withLeftBudget } from '../comparison/rows.ts';

/** Opens the panel with a plan's file and the lines that use it in PyTorch. */
export function openInTorch(row: StrategyRow, { experiment, page }: Workspace): void {
  const { name, title } = row.identity;
  page.openInTorch({
    experiment: withLeftBudget(experiment.get().experiment, row),
    strategy: name,
    title,
    peakBytes: row.peakBytes,
  });
}
