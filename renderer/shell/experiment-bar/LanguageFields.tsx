import { Flex, Select } from '@mantine/core';
import { useId } from 'react';
import { withoutEffect } from '../../../app/contract/setup-notes.ts';
import type { OptionName } from '../../../engine/options/options.ts';
import { OPTIONS } from '../../../engine/options/table.ts';
import { SHARD_TITLES } from '../../../engine/training-memory/setup.ts';
import field from '../../shared/fields/field.module.css';
import { asSentence } from '../../shared/format/sentence.ts';
import layout from '../../shared/layout/layout.module.css';
import { isLanguageModel, withLora, withOption } from '../../state/experiment/experiment.ts';
import { useCatalog, useLabPart, useWorkspace } from '../../state/workspace/use-workspace.ts';
import classes from './experiment.module.css';
import { OptionField } from './OptionField.tsx';

const NAMES = ['lora', 'loraTargets', 'baseBits', 'gpus', 'shard'] as const satisfies readonly OptionName[];

/** Adapters and several GPUs: for language models, and where a link has set one of them. */
export function LanguageFields() {
  const { experiment: store } = useWorkspace();
  const { models } = useCatalog();
  const experiment = useLabPart((view) => view.experiment);
  const row = models.find(({ name }) => name === experiment.model);
  if (!isLanguageModel(row) && NAMES.every((name) => experiment[name] === undefined)) return null;
  const { lora, loraTargets, baseBits, gpus, shard } = experiment;
  const change = (name: OptionName, value: string | undefined): void =>
    store.change(withOption(store.get().experiment, name, value as never));
  const none = withoutEffect(experiment).shard;
  return (
    <>
      <Flex wrap="wrap" gap={16}>
        <OptionField
          name="lora"
          onValue={(rank) =>
            store.change(withLora(store.get().experiment, rank as number | undefined), 'lora')
          }
        />
        {(lora !== undefined || loraTargets !== undefined) && (
          <Choice
            label={OPTIONS.loraTargets.label}
            value={loraTargets ?? 'usual'}
            choices={{ usual: 'usual of peft', 'all-linear': 'all linear' }}
            onValue={(next) => change('loraTargets', next === 'usual' ? undefined : next)}
          />
        )}
        {(lora !== undefined || baseBits !== undefined) && (
          <Choice
            label="Frozen weights"
            value={baseBits ?? 'own'}
            choices={{ own: 'own precision', '4': '4 bits (QLoRA)' }}
            onValue={(next) => change('baseBits', next === 'own' ? undefined : next)}
          />
        )}
      </Flex>
      <Flex wrap="wrap" gap={16}>
        <OptionField name="gpus" />
        {(gpus !== undefined || shard !== undefined) && (
          <Choice
            label={OPTIONS.shard.label}
            value={shard ?? 'ddp'}
            choices={SHARD_TITLES}
            onValue={(next) => change('shard', next === 'ddp' ? undefined : next)}
          />
        )}
      </Flex>
      {(none ?? gpus) !== undefined && (
        <p className={`${layout['note']} ${classes['under']}`}>
          {none === undefined
            ? 'Batch and memory are those of one GPU. Time does not count waits between GPUs.'
            : asSentence(`No effect: ${none}`)}
        </p>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly onValue: (value: string) => void;
}

function Choice({ label, value, choices, onValue }: ChoiceProps) {
  const id = useId();
  return (
    <div className={field['field']}>
      <div className={field['labelRow']}>
        <label htmlFor={id}>{label}</label>
      </div>
      <Select
        id={id}
        size="sm"
        w={144}
        value={value}
        allowDeselect={false}
        data={Object.entries(choices).map(([name, title]) => ({ value: name, label: title }))}
        comboboxProps={{ withinPortal: false }}
        onChange={(next) => next !== null && onValue(next)}
      />
    </div>
  );
}
