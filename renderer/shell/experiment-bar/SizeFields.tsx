import { ActionIcon } from '@mantine/core';
import { isFileNetwork } from '../../../app/contract/opened-file.ts';
import { useCatalog, useLabPart, useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';
import { OPTIONS } from '../../../engine/options/table.ts';
import classes from './experiment.module.css';
import { doubled, halved } from '../../state/experiment/experiment.ts';
import { NumberField } from '../../shared/fields/NumberField.tsx';

/** CSS pixels of the input's size with its unit. */
const WIDTHS = { px: 88, tokens: 112, features: 128 } as const;

/** The batch; buttons that halve and double it lie in the field and show when it is pointed at. */
export function BatchField() {
  const { experiment: store } = useWorkspace();
  const batch = useLabPart(({ experiment }) => experiment.batch);
  const setBatch = (next: number | undefined, merge?: string): void => {
    if (next !== undefined) store.change({ ...store.get().experiment, batch: next }, merge);
  };
  const step = (name: string, key: string, sign: string, next: number) => (
    <ActionIcon
      size={30}
      aria-label={name}
      title={`${name} ( ${key} )`}
      disabled={next === batch}
      onClick={() => setBatch(next)}
    >
      {sign}
    </ActionIcon>
  );
  return (
    <NumberField
      rule={{ ...OPTIONS.batch, whole: true }}
      value={batch}
      width={128}
      onValue={(next) => setBatch(next, 'batch')}
      after={
        <div className={classes['halving']}>
          {step('Halve the batch', '[', '÷2', halved(batch))}
          {step('Double the batch', ']', '×2', doubled(batch))}
        </div>
      }
    />
  );
}

export function InputField() {
  const { experiment: store } = useWorkspace();
  const { experiment } = useLabView();
  const { models } = useCatalog();
  const model = models.find(({ name }) => name === experiment.model);
  const setInput = (next: number | undefined): void => {
    const { input: _old, ...rest } = store.get().experiment;
    store.change(next === undefined ? rest : { ...rest, input: next }, 'input');
  };
  return (
    <NumberField
      rule={{
        label: model?.inputUnit === 'tokens' ? 'Sequence' : OPTIONS.input.label,
        min: model?.minInput ?? OPTIONS.input.min,
        max: OPTIONS.input.max,
        whole: true,
      }}
      value={experiment.input}
      placeholder={model === undefined || model.defaultInput === 0 ? '' : String(model.defaultInput)}
      width={WIDTHS[model?.inputUnit ?? 'px']}
      // A file's input of 0 is no picture: tokens or features.
      unit={
        isFileNetwork(experiment.model) && model?.defaultInput === 0 ? undefined : (model?.inputUnit ?? 'px')
      }
      disabled={
        isFileNetwork(experiment.model) && model?.inputUnit === undefined
          ? 'The file sets its input size.'
          : undefined
      }
      delayMs={500}
      optional
      onValue={setInput}
    />
  );
}
