import { ActionIcon, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

export interface ToolProps {
  readonly label: string;
  readonly disabled?: boolean;
  readonly size?: number;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A button with an icon, whose name shows beside it. */
export const Tool = ({ label, children, ...button }: ToolProps) => (
  <Tooltip label={label}>
    <ActionIcon aria-label={label} {...button}>
      {children}
    </ActionIcon>
  </Tooltip>
);
