import { Button, Group } from '@mantine/core';
import type { RefObject } from 'react';
import { useActions } from '../../../state/parts/use-actions.ts';
import classes from '../parts/learn.module.css';

export interface PageToolsProps {
  readonly enter: RefObject<HTMLButtonElement | null>;
  readonly onLecture: () => void;
}

export function PageTools({ enter, onLecture }: PageToolsProps) {
  const print = (): void => window.print();
  useActions([
    { id: 'print', group: 'Learn', title: 'Print or save as PDF', words: 'paper handout page', run: print },
  ]);
  return (
    <Group gap={8} className={classes['tools']}>
      <Button variant="default" ref={enter} aria-keyshortcuts="L" onClick={onLecture}>
        Lecturer’s mode
      </Button>
      <Button variant="default" onClick={print}>
        Print or save as PDF
      </Button>
    </Group>
  );
}
