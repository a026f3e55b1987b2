import { Button } from '@mantine/core';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { useCatalog, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { type KnownBargain, STRATEGY_OF_BARGAIN, withBargain } from './bargain.ts';

/** The next step to the bargain: its plan among those that are compared, and in front. */
export function BargainButton({ bargain }: { readonly bargain: KnownBargain }) {
  const { experiment: store } = useWorkspace();
  const { strategies } = useCatalog();
  const { budgetBytes } = bargain;
  if (budgetBytes === null) return null;
  const take = (): void => {
    const order = strategies.map(({ name }) => name);
    store.change(withBargain(store.get().experiment, budgetBytes, order));
    store.select(STRATEGY_OF_BARGAIN);
  };
  return (
    <Button
      size="compact-sm"
      h={28}
      variant="default"
      title={`Sets the budget to ${formatBytes(budgetBytes)} of activations and brings its plan to the front`}
      onClick={take}
    >
      Make it the budget
    </Button>
  );
}
