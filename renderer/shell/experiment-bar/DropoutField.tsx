import { NumberField } from '../../shared/fields/NumberField.tsx';
import { useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';

/** The rate of the network's dropouts; 0, as the papers measured, where empty. */
export function DropoutField() {
  const { experiment: store } = useWorkspace();
  const { experiment } = useLabView();
  const take = (next: number | undefined): void => {
    const { dropout: _old, ...rest } = store.get().experiment;
    store.change(next === undefined ? rest : { ...rest, dropout: next }, 'dropout');
  };
  return (
    <NumberField
      rule={{ label: 'Dropout', min: 0, max: 0.95, whole: false }}
      value={experiment.dropout}
      placeholder="usual"
      width={80}
      delayMs={500}
      optional
      onValue={take}
    />
  );
}
