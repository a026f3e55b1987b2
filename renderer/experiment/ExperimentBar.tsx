import { ActionIcon, Tooltip } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { openDialog } from '../frame/actions.ts';
import { copyLink } from '../frame/copy-link.ts';
import { LinkIcon, RedoIcon, SearchIcon, UndoIcon } from '../shared/icons.tsx';
import { useLabView, useWorkspace } from '../use-workspace.ts';
import { BudgetField } from './BudgetField.tsx';
import { DeviceField } from './DeviceField.tsx';
import classes from './experiment.module.css';
import { NetworkPicker } from './NetworkPicker.tsx';
import { SizeFields } from './SizeFields.tsx';
import { StrategyChips } from './StrategyChips.tsx';

const COPIED_MS = 2000;

/** The experiment that all screens look at. */
export function ExperimentBar({ modifier }: { readonly modifier: string }) {
  const { experiment: store } = useWorkspace();
  const { past, future, experiment } = useLabView();
  const [copied, setCopied] = useState<boolean | null>(null);

  const share = async (): Promise<void> => {
    setCopied(await copyLink());
    setTimeout(() => setCopied(null), COPIED_MS);
  };
  const shareLabel =
    copied === null
      ? 'Copy a link to this view'
      : copied
        ? 'The link is copied'
        : 'Copy the address bar instead';

  return (
    <header className={classes['bar']}>
      <div className={classes['fields']}>
        <NetworkPicker />
        <SizeFields />
        <DeviceField />
        {experiment.strategies.includes('budget') && <BudgetField />}
        <div className={classes['tools']}>
          <Tool label={`Undo (${modifier} Z)`} disabled={past.length === 0} onClick={store.undo}>
            <UndoIcon />
          </Tool>
          <Tool label={`Redo (${modifier} Shift Z)`} disabled={future.length === 0} onClick={store.redo}>
            <RedoIcon />
          </Tool>
          <Tool label={shareLabel} onClick={() => void share()}>
            <LinkIcon />
          </Tool>
          <Tool label={`Find an action (${modifier} K)`} onClick={() => openDialog('palette')}>
            <SearchIcon />
          </Tool>
        </div>
      </div>
      <StrategyChips />
      <span className={classes['said']} role="status">
        {copied === null ? '' : shareLabel}
      </span>
    </header>
  );
}

interface ToolProps {
  readonly label: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Tool({ label, disabled = false, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label} openDelay={300}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={label}
        disabled={disabled}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
