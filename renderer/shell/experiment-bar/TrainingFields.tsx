import { Flex } from '@mantine/core';
import { useId } from 'react';
import { setupOf } from '../../../app/contract/training-setup.ts';
import { withoutEffect } from '../../../app/contract/setup-notes.ts';
import { OPTIMIZERS, optimizerOf } from '../../../engine/training-memory/optimizers.ts';
import { asSentence } from '../../shared/format/sentence.ts';
import layout from '../../shared/layout/layout.module.css';
import { withOptimizerState, withOption } from '../../state/experiment/experiment.ts';
import { useLabPart, useWorkspace } from '../../state/workspace/use-workspace.ts';
import classes from './experiment.module.css';
import { OptionField } from './OptionField.tsx';
import { SelectField } from './SelectField.tsx';

/** How the network is trained: what lies in memory beside the activations. */
export function TrainingFields() {
  const id = useId();
  const { experiment: store } = useWorkspace();
  const experiment = useLabPart((view) => view.experiment);
  const setup = setupOf(experiment);
  const none = withoutEffect(experiment);
  // Asked where it would change something, or was.
  const hasState =
    experiment.optimizerState !== undefined ||
    withoutEffect({ ...experiment, optimizerState: 'float32' }).optimizerState === undefined;
  const says = optimizerOf(setup.optimizer).says;

  return (
    <>
      <Flex wrap="wrap" gap={16}>
        <SelectField
          label="Optimizer"
          w={160}
          value={setup.optimizer}
          data={OPTIMIZERS.map(({ name, title }) => ({ value: name, label: title }))}
          aria-describedby={`${id}-says`}
          onValue={(next) => {
            const optimizer = OPTIMIZERS.find(({ name }) => name === next)?.name;
            store.change(withOption(store.get().experiment, 'optimizer', optimizer));
          }}
        />
        <OptionField name="accumulate" effective={setup.accumulate} />
      </Flex>
      <p id={`${id}-says`} className={`${layout['note']} ${classes['under']}`}>
        {says === null ? 'It keeps no state' : `It keeps ${says} of each weight`}
        {setup.accumulate > 1
          ? `; gradients of ${setup.accumulate} steps add up to ${experiment.batch * setup.accumulate} samples an update.`
          : '.'}
      </p>
      {hasState && (
        <OptionField
          name="optimizerState"
          effective={setup.stateInFloat32 ? 'float32' : 'weights'}
          note={none.optimizerState && asSentence(`No effect: ${none.optimizerState}`)}
          onValue={(state) =>
            store.change(withOptimizerState(store.get().experiment, state as 'weights' | 'float32'))
          }
        />
      )}
    </>
  );
}
