import { VisuallyHidden } from '@mantine/core';
import type { MouseEvent } from 'react';
import { writeAddress } from '../../../state/experiment/address.ts';
import { useStore } from '../../../shared/store.ts';
import { useKept, useLabView } from '../../../state/workspace/use-workspace.ts';
import classes from '../parts/learn.module.css';
import { LESSONS, type PageId } from '../../../state/learn/lessons.ts';
import { writePage } from '../../../state/learn/page-state.ts';
import { learnSession } from '../../../state/learn/learn-session.ts';
import { usePage } from '../../../state/parts/use-page.ts';

export function LessonList() {
  const visited = useStore(useKept(learnSession).progress, (state) => state.visited);
  return (
    <nav className={classes['list']} aria-label="Lessons">
      <ol>
        {LESSONS.map(({ id, short }, i) => (
          <li key={id}>
            <PageLink page={id} visited={visited.has(id)} mark={String(i + 1)} title={short} />
          </li>
        ))}
      </ol>
      <div className={classes['references']}>
        <PageLink page="game" visited={false} mark="★" title="Checkpoint game" />
        <PageLink page="glossary" visited={false} mark="A–Z" title="Glossary" />
      </div>
    </nav>
  );
}

interface PageLinkProps {
  readonly page: PageId;
  readonly visited: boolean;
  readonly mark: string;
  readonly title: string;
}

function PageLink({ page, visited, mark, title }: PageLinkProps) {
  const current = usePage();
  const view = useLabView();
  const isCurrent = current.page === page;
  const go = (event: MouseEvent): void => {
    // The browser's own ways to open a link elsewhere keep working.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    if (!isCurrent) current.open(page);
  };
  return (
    <a
      className={classes['item']}
      href={writeAddress({ ...view, screen: 'learn', view: writePage({ page, params: {} }) })}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={go}
    >
      <span className={classes['mark']} data-visited={visited || undefined}>
        {mark}
      </span>
      <span className={classes['itemTitle']}>{title}</span>
      {visited && <VisuallyHidden>, visited</VisuallyHidden>}
    </a>
  );
}
