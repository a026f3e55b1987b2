import { Tooltip } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { writeAddress } from '../experiment/address.ts';
import { useLabView } from '../workspace/use-workspace.ts';
import { GLOSSARY } from '../learn/glossary.ts';
import classes from './term.module.css';
import { writePage } from '../learn/page-state.ts';
import { usePage } from './use-page.ts';

export function Term({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const { page, open } = usePage();
  const view = useLabView();
  const entry = GLOSSARY.find((one) => one.id === id);
  if (entry === undefined) return children;
  const params = { term: id, ...(view.screen === 'learn' ? { from: page } : {}) };
  const go = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    open('glossary', params);
  };
  const href = writeAddress({ ...view, screen: 'learn', view: writePage({ page: 'glossary', params }) });
  return (
    <Tooltip
      label={entry.text}
      multiline
      w={320}
      p={8}
      openDelay={200}
      events={{ hover: true, focus: true, touch: false }}
    >
      <a className={classes['term']} href={href} onClick={go}>
        {children}
      </a>
    </Tooltip>
  );
}
