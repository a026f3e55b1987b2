import { Select } from '@mantine/core';
import { useId } from 'react';
import { setupOf } from '../../../app/contract/training-setup.ts';
import { withoutEffect } from '../../../app/contract/setup-notes.ts';
import { OPTIMIZERS, optimizerOf } from '../../../engine/training-memory/optimizers.ts';
import { MAX_ACCUMULATE } from '../../../engine/training-memory/setup.ts';
import { NumberField } from '../../shared/fields/NumberField.tsx';
import field from '../../shared/fields/field.module.css';
import { asSentence } from '../../shared/format/sentence.ts';
import layout from '../../shared/layout/layout.module.css';
import { withTraining } from '../../state/experiment/experiment.ts';
import { useLabPart, useWorkspace } from '../../state/workspace/use-workspace.ts';
import { ChoiceField } from './ChoiceField.tsx';
import classes from './experiment.module.css';

/** How the network is trained: what lies in memory beside the activations. */
export function TrainingFields() {
  const id = useId();
  const { experiment: store } = useWorkspace();
  const experiment = useLabPart((view) => view.experiment);
  const setup = setupOf(experiment);
  const none = withoutEffect({ ...experiment, gradients: experiment.gradients ?? 'freed' });
  // Asked where it would change something, or was.
  const hasState =
    experiment.optimizerState !== undefined ||
    withoutEffect({ ...experiment, optimizerState: 'float32' }).optimizerState === undefined;
  const take = (part: Parameters<typeof withTraining>[1], merge?: string): void =>
    store.change(withTraining(store.get().experiment, part), merge);
  const says = optimizerOf(setup.optimizer).says;

  return (
    <>
      <div className={classes['moreRow']}>
        <div className={field['field']}>
          <div className={field['labelRow']}>
            <label htmlFor={id}>Optimizer</label>
          </div>
          <Select
            id={id}
            size="sm"
            w={160}
            value={setup.optimizer}
            allowDeselect={false}
            data={OPTIMIZERS.map(({ name, title }) => ({ value: name, label: title }))}
            aria-describedby={`${id}-says`}
            comboboxProps={{ withinPortal: false }}
            onChange={(next) => take({ optimizer: OPTIMIZERS.find(({ name }) => name === next)?.name })}
          />
        </div>
        <NumberField
          rule={{ label: 'Accumulation', min: 1, max: MAX_ACCUMULATE, whole: true }}
          value={setup.accumulate}
          width={104}
          delayMs={500}
          onValue={(accumulate) => take({ accumulate }, 'accumulate')}
        />
      </div>
      <p id={`${id}-says`} className={`${layout['note']} ${classes['under']}`}>
        {says === null ? 'It keeps no state' : `It keeps ${says} of each weight`}
        {setup.accumulate > 1
          ? `; gradients of ${setup.accumulate} steps add up to ${experiment.batch * setup.accumulate} samples an update.`
          : '.'}
      </p>
      {hasState && (
        <ChoiceField
          label="Optimizer’s state"
          value={experiment.optimizerState ?? (setup.stateInFloat32 ? 'float32' : 'weights')}
          says={STATES}
          note={none.optimizerState && asSentence(`No effect: ${none.optimizerState}`)}
          onValue={(optimizerState) => take({ optimizerState })}
        />
      )}
      <ChoiceField
        label="Gradients between steps"
        value={experiment.gradients ?? 'freed'}
        says={GRADIENTS}
        note={none.gradients && asSentence(`No effect: ${none.gradients}`)}
        onValue={(gradients) => take({ gradients })}
      />
    </>
  );
}

const STATES = {
  weights: 'In the type of the weights, as PyTorch’s optimizers keep it.',
  float32: 'In float32, whatever type the weights have.',
};
const GRADIENTS = {
  freed: 'zero_grad(set_to_none=True), PyTorch’s default: each is made in backward.',
  kept: 'zero_grad(set_to_none=False): all of them are there in the forward too.',
};
