import { Button } from '@mantine/core';
import { namedIn } from '../comparison/named-in.ts';
import { useCatalog, useLabView, useWorkspace } from '../workspace/use-workspace.ts';

export function UseDefaults({ message }: { readonly message: string }) {
  const { experiment: store } = useWorkspace();
  const { experiment } = useLabView();
  const { models } = useCatalog();
  const model = models.find(({ name }) => name === experiment.model) ?? namedIn(message, models) ?? models[0];
  if (model === undefined) return null;
  const reset = (): void => {
    const { input: _input, dropout: _dropout, ...rest } = store.get().experiment;
    store.change({ ...rest, model: model.name });
  };
  return (
    <Button variant="default" flex="none" onClick={reset}>
      Use the default batch and input of {model.title}
    </Button>
  );
}
