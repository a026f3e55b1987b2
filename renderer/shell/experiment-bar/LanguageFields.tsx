import { Flex } from '@mantine/core';
import { withoutEffect } from '../../../app/contract/setup-notes.ts';
import { LANGUAGE_OPTIONS, type OptionName } from '../../../engine/options/options.ts';
import { OPTIONS } from '../../../engine/options/table.ts';
import { PIPELINE_SCHEDULE_TITLES, PIPELINE_SCHEDULES } from '../../../engine/training-memory/pipeline.ts';
import { SHARD_TITLES, SHARDS } from '../../../engine/training-memory/setup.ts';
import { asSentence } from '../../shared/format/sentence.ts';
import layout from '../../shared/layout/layout.module.css';
import {
  isLanguageModel,
  withLora,
  withOption,
  withPipeline,
  withTensor,
} from '../../state/experiment/experiment.ts';
import { useCatalog, useLabPart, useWorkspace } from '../../state/workspace/use-workspace.ts';
import classes from './experiment.module.css';
import { OptionField } from './OptionField.tsx';
import { SelectField } from './SelectField.tsx';

const NAMES: readonly OptionName[] = [...LANGUAGE_OPTIONS, 'gpus', 'shard'];
const WIDTH = 144;
/** Wider, so that its longest value is read whole. */
const MASK_WIDTH = 168;
/** Narrower, so that the stage stands beside it. */
const SCHEDULE_WIDTH = 104;
const TARGETS = [
  { value: 'usual', label: 'usual of peft' },
  { value: 'attention', label: 'attention' },
  { value: 'all-linear', label: 'all linear' },
];
const FROZEN = [
  { value: 'own', label: 'own precision' },
  { value: '4', label: '4 bits (QLoRA)' },
];
const SEQUENCE = ['off', 'on'].map((value) => ({ value, label: value }));
const MASKS = [
  { value: 'off', label: 'none' },
  { value: 'on', label: 'padded, packed' },
];
const SCHEDULES = PIPELINE_SCHEDULES.map((value) => ({ value, label: PIPELINE_SCHEDULE_TITLES[value] }));
const SHARDINGS = SHARDS.map((value) => ({ value, label: SHARD_TITLES[value] }));

interface ChoiceProps {
  readonly name: OptionName;
  /** The first is the default. */
  readonly data: readonly { readonly value: string; readonly label: string }[];
  readonly label?: string;
  readonly w?: number;
}

function ChoiceField({ name, data, label = OPTIONS[name].label, w = WIDTH }: ChoiceProps) {
  const { experiment: store } = useWorkspace();
  const value = useLabPart((view) => view.experiment[name]);
  const first = data[0]?.value;
  const change = (next: string): void =>
    store.change(withOption(store.get().experiment, name, (next === first ? undefined : next) as never));
  return <SelectField w={w} label={label} value={String(value ?? first)} data={data} onValue={change} />;
}

/** Adapters and several GPUs: for language models, and where a link has set one of them. */
export function LanguageFields() {
  const { experiment: store } = useWorkspace();
  const { models } = useCatalog();
  const experiment = useLabPart((view) => view.experiment);
  const row = models.find(({ name }) => name === experiment.model);
  if (!isLanguageModel(row) && NAMES.every((name) => experiment[name] === undefined)) return null;
  const { lora, loraTargets, loraDropout, baseBits, gpus, shard, tensor, sequenceParallel } = experiment;
  const { expertParallel, contextParallel, pipeline, pipelineSchedule, pipelineStage } = experiment;
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
          <ChoiceField name="loraTargets" data={TARGETS} />
        )}
        {(lora !== undefined || loraDropout !== undefined) && <OptionField name="loraDropout" />}
        {(lora !== undefined || baseBits !== undefined) && (
          <ChoiceField name="baseBits" data={FROZEN} label="Frozen weights" />
        )}
        <OptionField name="lossChunk" />
        <ChoiceField name="attentionMask" data={MASKS} w={MASK_WIDTH} />
      </Flex>
      <Flex wrap="wrap" gap={16}>
        <OptionField name="gpus" />
        {(gpus !== undefined || shard !== undefined) && <ChoiceField name="shard" data={SHARDINGS} />}
        {(gpus !== undefined || expertParallel !== undefined) && <OptionField name="expertParallel" />}
        {(gpus !== undefined || contextParallel !== undefined) && <OptionField name="contextParallel" />}
        <OptionField
          name="tensor"
          onValue={(gpus) =>
            store.change(withTensor(store.get().experiment, gpus as number | undefined), 'tensor')
          }
        />
        {(tensor !== undefined || sequenceParallel !== undefined) && (
          <ChoiceField name="sequenceParallel" data={SEQUENCE} />
        )}
      </Flex>
      <Flex wrap="wrap" gap={16}>
        <OptionField
          name="pipeline"
          onValue={(stages) =>
            store.change(withPipeline(store.get().experiment, stages as number | undefined), 'pipeline')
          }
        />
        {(pipeline !== undefined || pipelineSchedule !== undefined) && (
          <ChoiceField name="pipelineSchedule" data={SCHEDULES} w={SCHEDULE_WIDTH} />
        )}
        {(pipeline !== undefined || pipelineStage !== undefined) && <OptionField name="pipelineStage" />}
      </Flex>
      {(none ?? gpus ?? expertParallel ?? contextParallel ?? tensor ?? pipeline) !== undefined && (
        <p className={`${layout['note']} ${classes['under']}`}>
          {none === undefined
            ? 'Batch and memory are those of one GPU. Time does not count waits between GPUs.'
            : asSentence(`No effect: ${none}`)}
          {pipeline !== undefined &&
            pipelineStage === undefined &&
            ' Memory needed is that of the fullest stage; plans and drawings are those of stage 1.'}
        </p>
      )}
    </>
  );
}
