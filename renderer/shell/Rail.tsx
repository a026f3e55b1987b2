import { UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { type MouseEvent, memo, type ReactNode } from 'react';
import { writeAddress } from '../state/experiment/address.ts';
import { AboutIcon, AutoThemeIcon, KeyboardIcon, MoonIcon, SunIcon } from '../shared/icons.tsx';
import { useLabView, useWorkspace } from '../state/workspace/use-workspace.ts';
import classes from './frame.module.css';
import { SCREENS } from './screens.tsx';

const THEMES = {
  auto: { next: 'light', label: 'Auto', Icon: AutoThemeIcon },
  light: { next: 'dark', label: 'Light', Icon: SunIcon },
  dark: { next: 'auto', label: 'Dark', Icon: MoonIcon },
} as const;

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
  const theme = THEMES[colorScheme];
  return (
    <div className={classes['railFoot']}>
      <RailButton
        label={theme.label}
        name={`Theme: ${theme.label.toLowerCase()}. Change to ${theme.next}`}
        onClick={() => setColorScheme(theme.next)}
      >
        <theme.Icon />
      </RailButton>
      <RailButton label="Keys" name="Keys: keyboard shortcuts" onClick={() => page.openDialog('shortcuts')}>
        <KeyboardIcon />
      </RailButton>
      <RailButton label="About" name="About Zigzag" onClick={() => page.openDialog('about')}>
        <AboutIcon />
      </RailButton>
    </div>
  );
});

interface RailButtonProps {
  readonly label: string;
  /** Read out by screen readers; begins with the label. */
  readonly name: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function RailButton({ label, name, onClick, children }: RailButtonProps) {
  return (
    <UnstyledButton className={classes['railItem']} aria-label={name} title={name} onClick={onClick}>
      {children}
      <span aria-hidden="true">{label}</span>
    </UnstyledButton>
  );
}
