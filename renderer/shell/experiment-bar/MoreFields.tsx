import { Button, Popover } from '@mantine/core';
import { memo } from 'react';
import { DEFAULT_LIMIT_SECONDS, MILP_LIMIT_SECONDS } from '../../../engine/strategies/search/search-limit.ts';
import layout from '../../shared/layout/layout.module.css';
import { useStore } from '../../shared/store.ts';
import { dropoutMatters } from '../../state/experiment/size-rules.ts';
import { useLabPart, useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';
import { fieldsSet } from '../../state/experiment/fields-set.ts';
import { ChoiceField } from './ChoiceField.tsx';
import { DropoutField } from './DropoutField.tsx';
import classes from './experiment.module.css';
import { LinkField } from './LinkField.tsx';
import { SearchLimitField } from './SearchLimitField.tsx';
import { SegmentsField } from './SegmentsField.tsx';
import { TrainingFields } from './TrainingFields.tsx';

/** What most experiments leave as it is; the button says how much of it is not, so that nothing is hidden. */
export const MoreFields = memo(function MoreFields() {
  const set = fieldsSet(useLabPart(({ experiment }) => experiment));
  return (
    <Popover position="bottom-end" shadow="md" width={352} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          h={36}
          px={12}
          fw={set.length === 0 ? 400 : 600}
          title={
            set.length === 0
              ? 'The optimizer, gradients, how segments run, the profile and more'
              : set.join(', ')
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

function Fields() {
  const { experiment: store, comparison } = useWorkspace();
  const { experiment } = useLabView();
  const { shown } = useStore(comparison);
  const hasSegments = experiment.strategies.includes('sequential');
  const hasDropout = dropoutMatters(experiment, shown);
  return (
    <>
      <TrainingFields />
      <ChoiceField
        label="Segments run"
        value={experiment.checkpointing ?? 'non-reentrant'}
        says={SEGMENTS_RUN}
        onValue={(checkpointing) => {
          const { checkpointing: _old, ...rest } = store.get().experiment;
          store.change(checkpointing === 'non-reentrant' ? rest : { ...rest, checkpointing });
        }}
      />
      <ChoiceField
        label="Profile"
        value={experiment.profile}
        says={PROFILES}
        onValue={(profile) => store.change({ ...store.get().experiment, profile })}
      />
      <LinkField />
      <div className={classes['moreRow']}>
        <SearchLimitField />
        {hasSegments && <SegmentsField />}
        {hasDropout && <DropoutField />}
      </div>
      <p className={`${layout['note']} ${classes['under']}`}>
        Searches answer with the best so far by then: {DEFAULT_LIMIT_SECONDS} s where nothing is said,{' '}
        {MILP_LIMIT_SECONDS} s for MILP.
      </p>
    </>
  );
}

const SEGMENTS_RUN = {
  'non-reentrant':
    'use_reentrant=False: in backward only what is missing is forwarded again, and freed after its last use.',
  reentrant:
    'use_reentrant=True: in backward a segment is forwarded again as a whole; its output and the gradient of it are held until its backward has ended.',
};
const PROFILES = {
  pytorch: 'What PyTorch’s operations keep for backward.',
  'pytorch-1.5':
    'PyTorch of 2018 to 2021, as the papers used it: a ReLU that is not in place saves its input, softmax its input and result.',
  tfjs: 'What the kernels of this lab’s trainer keep for backward; Train follows it whatever is chosen here.',
};
