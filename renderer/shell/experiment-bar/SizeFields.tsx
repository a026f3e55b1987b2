import { ActionIcon } from '@mantine/core';
import { isFileNetwork } from '../../../app/contract/opened-file.ts';
import { useCatalog, useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';
import { PrecisionField } from './PrecisionField.tsx';
import { OPTIONS } from '../../../engine/options/table.ts';
import { doubled, halved } from '../../state/experiment/experiment.ts';
import { NumberField } from '../../shared/fields/NumberField.tsx';

/** CSS pixels of the input's size with its unit. */
const WIDTHS = { px: 88, tokens: 112, features: 128 } as const;

/** Batch, input size and precision. */
export function SizeFields() {
  const { experiment: store } = useWorkspace();
  const { experiment } = useLabView();
  const { models } = useCatalog();
  const { batch, input } = experiment;
  const model = models.find(({ name }) => name === experiment.model);

  const setBatch = (next: number | undefined, merge?: string): void => {
    if (next !== undefined) store.change({ ...store.get().experiment, batch: next }, merge);
  };
  const setInput = (next: number | undefined): void => {
    const { input: _old, ...rest } = store.get().experiment;
    store.change(next === undefined ? rest : { ...rest, input: next }, 'input');
  };

  return (
    <>
      <NumberField
        rule={{ ...OPTIONS.batch, whole: true }}
        value={batch}
        width={80}
        onValue={(next) => setBatch(next, 'batch')}
        before={
          <ActionIcon
            variant="default"
            size={36}
            aria-label="Halve the batch"
            title="Halve the batch ( [ )"
            disabled={batch === 1}
            onClick={() => setBatch(halved(batch))}
          >
            ÷2
          </ActionIcon>
        }
        after={
          <ActionIcon
            variant="default"
            size={36}
            aria-label="Double the batch"
            title="Double the batch ( ] )"
            disabled={batch === OPTIONS.batch.max}
            onClick={() => setBatch(doubled(batch))}
          >
            ×2
          </ActionIcon>
        }
      />
      <NumberField
        rule={{
          label: model?.inputUnit === 'tokens' ? 'Sequence' : OPTIONS.input.label,
          min: model?.minInput ?? OPTIONS.input.min,
          max: OPTIONS.input.max,
          whole: true,
        }}
        value={input}
        placeholder={model === undefined || model.defaultInput === 0 ? '' : String(model.defaultInput)}
        width={WIDTHS[model?.inputUnit ?? 'px']}
        unit={model?.inputUnit ?? 'px'}
        disabled={
          isFileNetwork(experiment.model) ? 'The file itself says how large its input is.' : undefined
        }
        delayMs={500}
        optional
        onValue={setInput}
      />
      <PrecisionField />
    </>
  );
}
