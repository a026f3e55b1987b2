import { Button } from '@mantine/core';
import { cheapestThatFits } from '../../../../app/report/verdict-sentence.ts';
import type { Verdict } from '../../../../engine/training-memory/verdict.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import type { judgedPlans } from '../../../state/comparison/rows.ts';
import { withStrategy } from '../../../state/experiment/experiment.ts';
import { useCatalog, useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { openInTorch } from '../../../state/parts/open-in-torch.ts';
import { isTaken, type KnownBargain, STRATEGY_OF_BARGAIN, withBargain } from './bargain.ts';

interface NextStepProps {
  readonly regular: Verdict;
  readonly plans: ReturnType<typeof judgedPlans>;
  readonly bargain: KnownBargain | null | undefined;
  readonly isSearching: boolean;
}

/**
 * The button that the verdict leads to: where training does not fit the plan that does, in front and with its lines
 * for PyTorch, or a search for one; where it fits, the best trade of memory for time.
 */
export function NextStep({ regular, plans, bargain, isSearching }: NextStepProps) {
  const workspace = useWorkspace();
  const { experiment: store } = workspace;
  const { experiment, selected } = useLabView();
  const { strategies } = useCatalog();
  const order = strategies.map(({ name }) => name);
  if (!regular.fits) {
    const best = cheapestThatFits(plans);
    if (best !== null) {
      const use = (): void => {
        store.select(best.row.identity.name);
        openInTorch(best.row, workspace);
      };
      return <Step title={`Selects ${best.title} and shows how to use it in PyTorch`} run={use} />;
    }
    if (isSearching || experiment.strategies.includes(STRATEGY_OF_BARGAIN)) return null;
    const find = (): void => store.change(withStrategy(experiment, STRATEGY_OF_BARGAIN, true, order));
    return (
      <Step
        name="Find a plan that fits"
        title="Searches for the least recompute that fits the device"
        run={find}
      />
    );
  }
  if (!bargain || bargain.budgetBytes === null || isTaken(bargain, experiment, selected)) return null;
  const { budgetBytes, totalBytes } = bargain;
  const take = (): void => {
    store.change(withBargain(store.get().experiment, budgetBytes, order));
    store.select(STRATEGY_OF_BARGAIN);
  };
  const title = `Sets the budget to ${formatBytes(totalBytes)} and selects its plan`;
  return <Step title={title} run={take} />;
}

interface StepProps {
  readonly name?: string;
  readonly title: string;
  readonly run: () => void;
}

const Step = ({ name = 'Use this plan', title, run }: StepProps) => (
  <Button size="compact-sm" h={28} variant="default" title={title} onClick={run}>
    {name}
  </Button>
);
