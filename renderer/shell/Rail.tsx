import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { type MouseEvent, memo } from 'react';
import { writeAddress } from '../state/experiment/address.ts';
import { DotsIcon } from '../shared/icons.tsx';
import { useLabView, useWorkspace } from '../state/workspace/use-workspace.ts';
import classes from './frame.module.css';
import { SCREENS } from './screens.tsx';

const THEMES = { auto: 'System theme', light: 'Light', dark: 'Dark' } as const;

export function Rail() {
  const { experiment } = useWorkspace();
  const view = useLabView();

  const go = (screen: string) => (event: MouseEvent) => {
    // The browser's own ways to open a link elsewhere keep working.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    experiment.goTo(screen);
  };

  return (
    <nav className={classes['rail']} aria-label="Screens">
      <div className={classes['brand']}>
        <svg width={28} height={28} viewBox="0 0 32 32" focusable="false" aria-hidden="true">
          <path
            d="M4 25 9.5 9l4.5 10 4-14 3.8 15.5L25 13l3 12"
            fill="none"
            stroke="currentColor"
            strokeWidth={2.4}
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </svg>
      </div>
      <ul className={classes['screens']}>
        {SCREENS.map(({ id, label, Icon }) => (
          <li key={id}>
            <a
              className={classes['railItem']}
              href={writeAddress({ ...view, screen: id, view: {} })}
              aria-current={view.screen === id ? 'page' : undefined}
              onClick={go(id)}
            >
              <Icon />
              <span>{label}</span>
            </a>
          </li>
        ))}
      </ul>
      <RailFoot />
    </nav>
  );
}

const RailFoot = memo(function RailFoot() {
  const { page } = useWorkspace();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className={classes['railFoot']}>
      <Menu position="right-end" shadow="md" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <UnstyledButton className={classes['railItem']} title="Theme, keyboard shortcuts, about">
            <DotsIcon />
            <span>Menu</span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.RadioGroup
            value={colorScheme}
            onChange={(value) => setColorScheme(value as keyof typeof THEMES)}
          >
            {Object.entries(THEMES).map(([value, title]) => (
              <Menu.RadioItem key={value} value={value}>
                {title}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Item rightSection="?" onClick={() => page.openDialog('shortcuts')}>
            Keyboard shortcuts
          </Menu.Item>
          <Menu.Item onClick={() => page.openDialog('about')}>About Zigzag</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
});
