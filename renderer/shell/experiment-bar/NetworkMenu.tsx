import { Button, Checkbox, Popover, TextInput } from '@mantine/core';
import { memo, useMemo, useState } from 'react';
import { MAX_NETWORKS } from '../../../app/contract/experiment.ts';
import { PlusIcon } from '../../shared/icons.tsx';
import { useCatalog, useLabPart, useWorkspace } from '../../state/workspace/use-workspace.ts';
import layout from '../../shared/layout/layout.module.css';
import classes from './experiment.module.css';
import { networkGroups, searchNetworks } from './network-rows.ts';
import { withNetwork } from '../../state/experiment/networks.ts';

/** All networks of the lab, to compare beside the one in front. */
export const NetworkMenu = memo(function NetworkMenu() {
  return (
    <Popover position="bottom-start" shadow="md" width={400} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="subtle" color="gray" leftSection={<PlusIcon />} h={32}>
          Networks
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes['menu']}>
        <NetworkList />
      </Popover.Dropdown>
    </Popover>
  );
});

function NetworkList() {
  const { experiment: store } = useWorkspace();
  const experiment = useLabPart((view) => view.experiment);
  const { models } = useCatalog();
  const [query, setQuery] = useState('');
  const groups = useMemo(() => networkGroups(models), [models]);
  const chosen = [experiment.model, ...(experiment.also ?? []).map(({ model }) => model)];
  const isFull = chosen.length >= MAX_NETWORKS;
  const found = searchNetworks(groups, query);

  return (
    <>
      <TextInput
        data-autofocus
        aria-label="Search for networks to compare"
        placeholder="Search for networks to compare"
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      {isFull && (
        <p className={layout['note']} role="status">
          A comparison holds {MAX_NETWORKS} networks. Remove one to add another.
        </p>
      )}
      {found.map(({ group, items }) => (
        <fieldset key={group} className={classes['menuGroup']}>
          <legend>{group}</legend>
          {items.map(({ value, label, facts }) => {
            const isIn = chosen.includes(value);
            return (
              <Checkbox
                key={value}
                checked={isIn}
                disabled={isIn ? chosen.length === 1 : isFull}
                onChange={(event) =>
                  store.change(withNetwork(store.get().experiment, value, event.currentTarget.checked))
                }
                label={label}
                description={facts}
              />
            );
          })}
        </fieldset>
      ))}
      {found.length === 0 && <p className={layout['note']}>No network has this name.</p>}
    </>
  );
}
