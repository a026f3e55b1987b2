import { Box, Button } from '@mantine/core';
import { useWorkspace } from '../../../state/workspace/use-workspace.ts';
import classes from './learn.module.css';
import { openTrial, type Trial } from './trial.ts';
import { usePage } from '../../../state/parts/use-page.ts';

export interface TryProps extends Trial {
  readonly action: string;
  readonly text: string;
}

export function Try({ action, text, ...trial }: TryProps) {
  const workspace = useWorkspace();
  const { page, params, lecture } = usePage();
  return (
    <section className={classes['try']} aria-label={`Try it in the lab: ${action}`}>
      <div>
        <h2>Try it in the lab</h2>
        <Box component="p" maw="80ch">
          {text}
        </Box>
      </div>
      <Button
        size="sm"
        flex="none"
        onClick={() => openTrial(workspace, trial, { page, params, ...(lecture && { lecture }) })}
      >
        {action}
      </Button>
    </section>
  );
}
