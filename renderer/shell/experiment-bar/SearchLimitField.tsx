import { LEAST_LIMIT_S, MOST_LIMIT_S } from '../../../app/contract/experiment.ts';
import { DEFAULT_LIMIT_SECONDS } from '../../../engine/strategies/search/search-limit.ts';
import { NumberField } from '../../shared/fields/NumberField.tsx';
import { useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';

/** How long strategies that search may take; the best that they found by then is the answer, and its row says so. */
export function SearchLimitField() {
  const { experiment: store } = useWorkspace();
  const { experiment } = useLabView();
  const take = (next: number | undefined): void => {
    const { timeLimitSeconds: _old, ...rest } = store.get().experiment;
    store.change(next === undefined ? rest : { ...rest, timeLimitSeconds: next }, 'timeLimitSeconds');
  };
  return (
    <NumberField
      rule={{ label: 'Search limit', min: LEAST_LIMIT_S, max: MOST_LIMIT_S, whole: false }}
      value={experiment.timeLimitSeconds}
      placeholder={String(DEFAULT_LIMIT_SECONDS)}
      unit="s"
      width={104}
      delayMs={800}
      optional
      onValue={take}
    />
  );
}
