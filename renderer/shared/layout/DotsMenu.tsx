import { ActionIcon, Menu } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { DotsIcon } from '../icons.tsx';

export interface DotsMenuProps {
  readonly label: string;
  readonly disabled?: boolean | undefined;
  /** In a row of a table that scrolls and may itself be clicked: small, and drawn over the table. */
  readonly isInRow?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function DotsMenu({ label, disabled, isInRow = false, className = '', children }: DotsMenuProps) {
  const own = isInRow ? { onClick: (event: MouseEvent) => event.stopPropagation() } : {};
  return (
    <Menu position="bottom-end" shadow="md" withinPortal={isInRow} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon
          className={className}
          size={isInRow ? 24 : 28}
          aria-label={label}
          disabled={disabled}
          {...own}
        >
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown {...own}>{children}</Menu.Dropdown>
    </Menu>
  );
}
