import { Button } from '@mantine/core';
import { namedIn } from '../comparison/named-in.ts';
import { withDefaults } from '../experiment/experiment.ts';
import { useCatalog, useLabView, useWorkspace } from '../workspace/use-workspace.ts';

export function UseDefaults({ message }: { readonly message: string }) {
  const { experiment: store } = useWorkspace();
  const { experiment } = useLabView();
  const { models } = useCatalog();
  const model = models.find(({ name }) => name === experiment.model) ?? namedIn(message, models) ?? models[0];
  if (model === undefined) return null;
  const reset = (): void => store.change(withDefaults(store.get().experiment, model.name));
  return (
    <Button variant="default" flex="none" onClick={reset}>
      Use the defaults of {model.title}
    </Button>
  );
}
