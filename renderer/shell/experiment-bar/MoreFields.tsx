import { Button, Flex, Popover } from '@mantine/core';
import { memo, useState } from 'react';
import type { Experiment } from '../../../app/contract/experiment.ts';
import { withoutEffect } from '../../../app/contract/setup-notes.ts';
import { optionFacts } from '../../../app/report/option-facts.ts';
import { type OptionName, optionOf } from '../../../engine/options/options.ts';
import { OPTIONS } from '../../../engine/options/table.ts';
import { DEFAULT_LIMIT_SECONDS, MILP_LIMIT_SECONDS } from '../../../engine/strategies/search/search-limit.ts';
import { asSentence } from '../../shared/format/sentence.ts';
import layout from '../../shared/layout/layout.module.css';
import { useStore } from '../../shared/store.ts';
import { dropoutMatters } from '../../state/experiment/size-rules.ts';
import { useCatalog, useLabPart, useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';
import { fieldsSet } from '../../state/experiment/fields-set.ts';
import classes from './experiment.module.css';
import { LanguageFields } from './LanguageFields.tsx';
import { LinkField } from './LinkField.tsx';
import { OptionField } from './OptionField.tsx';
import { PrecisionField } from './PrecisionField.tsx';
import { TrainingFields } from './TrainingFields.tsx';

/** Fields that most experiments leave as they are; the button counts those that are set, so that nothing is hidden. */
export const MoreFields = memo(function MoreFields() {
  const experiment = useLabPart((view) => view.experiment);
  const isRead = useIsRead(experiment.strategies);
  const set = fieldsSet(experiment, (name) => name === 'dropout' || isRead(name));
  return (
    <Popover position="bottom-end" shadow="md" width={352} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="sm"
          h={36}
          px={12}
          fw={set.length === 0 ? 400 : 600}
          title={
            set.length === 0 ? 'Precision, optimizer, accumulation and advanced settings' : set.join(', ')
          }
        >
          {set.length === 0 ? 'More' : `More: ${set.length}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes['more']}>
        <Fields />
      </Popover.Dropdown>
    </Popover>
  );
});

/** Says of an option whether a strategy that is compared reads it. */
function useIsRead(compared: readonly string[]): (name: OptionName) => boolean {
  const { strategies } = useCatalog();
  const read = strategies
    .filter(({ name }) => compared.includes(name))
    .map(({ reads }) => Object.keys(reads));
  return (name) => read.some((names) => names.includes(name));
}

const FIELDS = (Object.keys(OPTIONS) as OptionName[]).filter((name) => optionOf(name).field !== undefined);
/** Fields that few people change; they open by themselves where one of them is set. */
const ADVANCED: readonly OptionName[] = [
  'gradients',
  'checkpointing',
  'profile',
  'linkGBps',
  'linkCopies',
  'timeLimitSeconds',
];

const pick = (experiment: Experiment, names: readonly OptionName[]): Partial<Experiment> =>
  Object.fromEntries(names.map((name) => [name, experiment[name]]));

function Fields() {
  const { comparison } = useWorkspace();
  const { experiment } = useLabView();
  const { shown } = useStore(comparison);
  const isRead = useIsRead(experiment.strategies);
  const isShown = (name: OptionName): boolean =>
    !ADVANCED.includes(name) &&
    (optionOf(name).field === 'always' ||
      (name === 'dropout' ? dropoutMatters(experiment, shown) : isRead(name)));
  const others = FIELDS.filter(isShown);
  const [wasSet] = useState(() => optionFacts(pick(experiment, ADVANCED)).length > 0);
  const none = withoutEffect({ ...experiment, gradients: experiment.gradients ?? 'freed' });
  return (
    <>
      <PrecisionField />
      <TrainingFields />
      <LanguageFields />
      {others.length > 0 && (
        <Flex wrap="wrap" gap={16}>
          {others.map((name) => (
            <OptionField key={name} name={name} />
          ))}
        </Flex>
      )}
      <details className={classes['advanced']} open={wasSet}>
        <summary>Advanced</summary>
        <OptionField name="gradients" note={none.gradients && asSentence(`No effect: ${none.gradients}`)} />
        <OptionField name="checkpointing" />
        <OptionField name="profile" />
        <LinkField />
        <OptionField name="timeLimitSeconds" />
        <p className={`${layout['note']} ${classes['under']}`}>
          A search stops after this time and uses the best plan found: {DEFAULT_LIMIT_SECONDS} s by default,{' '}
          {MILP_LIMIT_SECONDS} s for MILP.
        </p>
      </details>
    </>
  );
}
