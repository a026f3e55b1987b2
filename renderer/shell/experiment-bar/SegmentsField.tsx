import { MAX_SEGMENTS } from '../../../app/contract/experiment.ts';
import { NumberField } from '../../shared/fields/NumberField.tsx';
import { useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';

/** Into how many segments `sequential` cuts the network; the best number where empty. */
export function SegmentsField() {
  const { experiment: store } = useWorkspace();
  const { experiment } = useLabView();
  const take = (next: number | undefined): void => {
    const { segments: _old, ...rest } = store.get().experiment;
    store.change(next === undefined ? rest : { ...rest, segments: next }, 'segments');
  };
  return (
    <NumberField
      rule={{ label: 'Segments', min: 1, max: MAX_SEGMENTS, whole: true }}
      value={experiment.segments}
      placeholder="best"
      width={80}
      delayMs={500}
      optional
      onValue={take}
    />
  );
}
