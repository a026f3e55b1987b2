import { Button, UnstyledButton } from '@mantine/core';
import { memo } from 'react';
import { CloseIcon, PlusIcon } from '../../shared/icons.tsx';
import { identityOf } from '../../state/strategies/identity.ts';
import { PresetMenu } from './PresetMenu.tsx';
import { StrategyMark } from '../../state/strategies/StrategyMark.tsx';
import { useCatalog, useLabPart, useWorkspace } from '../../state/workspace/use-workspace.ts';
import classes from './experiment.module.css';
import { withStrategy } from '../../state/experiment/experiment.ts';
import { NetworkMenu } from './NetworkMenu.tsx';
import { StrategyMenu } from './StrategyMenu.tsx';

/** Strategy of the lowest peak: not compared at first, for it searches long. */
const LOWEST = 'live';

/**
 * The strategies compared: the legend of every chart. A click brings one to the front, a second click
 * lets the lab choose again; the cross removes it; the menu has all others.
 */
export const StrategyChips = memo(function StrategyChips() {
  const { experiment: store } = useWorkspace();
  const chosen = useLabPart(({ experiment }) => experiment.strategies);
  const selected = useLabPart((view) => view.selected);
  const { strategies, titles } = useCatalog();
  const order = strategies.map(({ name }) => name);
  const choose = (name: string, isIn: boolean): void =>
    store.change(withStrategy(store.get().experiment, name, isIn, order));

  return (
    <fieldset className={classes['chips']} aria-label="Strategies compared">
      {chosen.map((name) => {
        const identity = identityOf(name, titles.get(name));
        return (
          <div key={name} className={classes['chip']} data-selected={selected === name || undefined}>
            <UnstyledButton
              className={classes['chipName']}
              aria-pressed={selected === name}
              title={`${titles.get(name) ?? name}: bring to the front`}
              onClick={() => store.select(selected === name ? null : name)}
            >
              <StrategyMark identity={identity} />
              {identity.title}
            </UnstyledButton>
            {chosen.length > 1 && (
              <UnstyledButton
                className={classes['chipCross']}
                aria-label={`Remove ${identity.title}`}
                onClick={() => choose(name, false)}
              >
                <CloseIcon />
              </UnstyledButton>
            )}
          </div>
        );
      })}
      {order.includes(LOWEST) && !chosen.includes(LOWEST) && (
        <Button
          variant="subtle"
          color="gray"
          h={32}
          leftSection={<PlusIcon />}
          title="Compare Live, which searches for the lowest peak"
          onClick={() => choose(LOWEST, true)}
        >
          Live
        </Button>
      )}
      <StrategyMenu />
      <NetworkMenu />
      <PresetMenu />
    </fieldset>
  );
});
