import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWorkspace } from '../../../state/workspace/use-workspace.ts';
import classes from './learn.module.css';
import { openTrial, type Trial } from './trial.ts';
import { usePage } from '../../../state/parts/use-page.ts';

export interface TryProps {
  readonly trial: Trial;
  readonly action: string;
  readonly children: ReactNode;
}

export function Try({ trial, action, children }: TryProps) {
  const workspace = useWorkspace();
  const { page, params, lecture } = usePage();
  return (
    <section className={classes['try']} aria-label={`Try it in the lab: ${action}`}>
      <div>
        <h2>Try it in the lab</h2>
        <p>{children}</p>
      </div>
      <Button
        size="sm"
        onClick={() => openTrial(workspace, trial, { page, params, ...(lecture && { lecture }) })}
      >
        {action}
      </Button>
    </section>
  );
}
