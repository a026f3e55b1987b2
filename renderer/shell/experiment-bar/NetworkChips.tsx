import { UnstyledButton } from '@mantine/core';
import { memo } from 'react';
import { formatCount } from '../../shared/format/numbers.ts';
import { CloseIcon } from '../../shared/icons.tsx';
import { useCatalog, useLabPart, useWorkspace } from '../../state/workspace/use-workspace.ts';
import classes from './experiment.module.css';
import { networkTitle, orderedNetworks } from '../../state/experiment/network-order.ts';
import { toFront, withoutNetwork } from '../../state/experiment/networks.ts';

/**
 * The networks compared, once there are several. A click brings one to the front, where the zigzag, Graph and
 * Train look at it; the cross takes it out.
 */
export const NetworkChips = memo(function NetworkChips() {
  const { experiment: store } = useWorkspace();
  const experiment = useLabPart((view) => view.experiment);
  const { models } = useCatalog();
  if (experiment.also === undefined || experiment.also.length === 0) return null;

  return (
    <fieldset className={classes['chips']} aria-label="Networks compared">
      {orderedNetworks(experiment, models).map(({ place, single }) => {
        const title = networkTitle(single.model, models);
        const size = single.batch === experiment.batch ? '' : `, batch ${formatCount(single.batch)}`;
        return (
          <div
            key={`${place === 0 ? 'front' : place} ${single.model}`}
            className={classes['chip']}
            data-selected={place === 0 || undefined}
          >
            <UnstyledButton
              className={classes['chipName']}
              aria-pressed={place === 0}
              title={place === 0 ? `${title} is in front` : `${title}: bring to the front`}
              onClick={() => store.change(toFront(store.get().experiment, place))}
            >
              {title}
              {size}
            </UnstyledButton>
            <UnstyledButton
              className={classes['chipCross']}
              aria-label={`Remove ${title}`}
              onClick={() => store.change(withoutNetwork(store.get().experiment, place))}
            >
              <CloseIcon />
            </UnstyledButton>
          </div>
        );
      })}
    </fieldset>
  );
});
