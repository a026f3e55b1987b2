import { UnstyledButton } from '@mantine/core';
import { formatCount } from '../../shared/format/numbers.ts';
import layout from '../../shared/layout/layout.module.css';
import { chosenDevice } from '../../state/experiment/device.ts';
import { networkTitle } from '../../state/experiment/network-order.ts';
import { useCatalog, useLabPart } from '../../state/workspace/use-workspace.ts';
import classes from './experiment.module.css';

export interface ExperimentLineProps {
  /** Network and batch stand beside it. */
  readonly isShort: boolean;
  readonly isOpen: boolean;
  /** Id of what it opens. */
  readonly controls: string;
  readonly onToggle: () => void;
}

/** The experiment in one line, which opens its fields. */
export function ExperimentLine({ isShort, isOpen, controls, onToggle }: ExperimentLineProps) {
  const experiment = useLabPart((view) => view.experiment);
  const { models } = useCatalog();
  const { model, also = [], batch, strategies } = experiment;
  const more = also.length === 0 ? '' : ` and ${also.length} more`;
  const count = strategies.length === 1 ? '1 strategy' : `${strategies.length} strategies`;
  return (
    <UnstyledButton
      className={classes['summary']}
      aria-expanded={isOpen}
      aria-controls={controls}
      title={isOpen ? 'Hide the experiment' : 'Change the experiment'}
      onClick={onToggle}
    >
      <i className={classes['fold']} aria-hidden="true" data-open={isOpen || undefined} />
      <span className={layout['cut']}>
        {!isShort && (
          <>
            <strong>{networkTitle(model, models)}</strong>
            {more}, batch {formatCount(batch)},{' '}
          </>
        )}
        {chosenDevice(experiment).title}, {count}
      </span>
    </UnstyledButton>
  );
}
