import { Button, Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './layout.module.css';

export interface StatusLineProps {
  /** `work` and `fault` are read out, a fact is not. */
  readonly kind?: 'fact' | 'work' | 'fault';
  readonly children: ReactNode;
  /** How much of the work is done, 0 to 1, drawn before the text. */
  readonly progress?: { readonly share: number; readonly label: string };
  readonly action?: { readonly title: string; readonly run: () => void };
  readonly more?: ReactNode;
}

const ROLES = { fact: undefined, work: 'status', fault: 'alert' } as const;

export function StatusLine({ kind = 'fact', children, progress, action, more }: StatusLineProps) {
  return (
    <div className={classes['status']} role={ROLES[kind]}>
      {progress !== undefined && (
        <Progress
          flex="none"
          w={160}
          size="sm"
          color="var(--zz-ink)"
          value={progress.share * 100}
          aria-label={progress.label}
        />
      )}
      {kind === 'fact' ? (
        children
      ) : (
        <span className={kind === 'fault' ? classes['fault'] : undefined}>{children}</span>
      )}
      {action !== undefined && (
        <Button variant="default" flex="none" onClick={action.run}>
          {action.title}
        </Button>
      )}
      {more}
    </div>
  );
}
