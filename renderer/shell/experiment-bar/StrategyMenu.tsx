import { Button, Checkbox, Flex, Popover } from '@mantine/core';
import { memo } from 'react';
import { asSentence } from '../../shared/format/sentence.ts';
import { PlusIcon } from '../../shared/icons.tsx';
import { identityOf } from '../../state/strategies/identity.ts';
import { StrategyMark } from '../../state/strategies/StrategyMark.tsx';
import { useCatalog, useLabPart, useWorkspace } from '../../state/workspace/use-workspace.ts';
import classes from './experiment.module.css';
import { withStrategy } from '../../state/experiment/experiment.ts';

/** All strategies of the lab with what they promise, to take into the comparison or out of it. */
export const StrategyMenu = memo(function StrategyMenu() {
  const { experiment: store } = useWorkspace();
  const chosen = useLabPart(({ experiment }) => experiment.strategies);
  const { strategies } = useCatalog();
  const order = strategies.map(({ name }) => name);
  const choose = (name: string, isIn: boolean): void =>
    store.change(withStrategy(store.get().experiment, name, isIn, order));

  return (
    <Popover position="bottom-start" shadow="md" width={400} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="subtle" color="gray" leftSection={<PlusIcon />} h={32}>
          Strategies
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes['menu']}>
        {strategies.map(({ name, title, source, guarantee, takeFor }) => (
          <Checkbox
            key={name}
            checked={chosen.includes(name)}
            onChange={(event) => choose(name, event.currentTarget.checked)}
            label={
              <Flex component="span" align="center" gap={8}>
                <StrategyMark identity={identityOf(name)} />
                {title}
              </Flex>
            }
            description={
              <span title={`${asSentence(guarantee)} ${asSentence(source)}`}>
                {asSentence(`for ${takeFor}`)}
              </span>
            }
          />
        ))}
      </Popover.Dropdown>
    </Popover>
  );
});
