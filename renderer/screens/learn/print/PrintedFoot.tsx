import { LESSONS, lessonNumber, type PageId, pageTitle } from '../../../state/learn/lessons.ts';
import { writeAddress } from '../../../state/experiment/address.ts';
import { useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import classes from '../parts/learn.module.css';
import { sourcesOf } from './sources.ts';

export function PrintedFoot({ page }: { readonly page: PageId }) {
  const { connection } = useWorkspace();
  const view = useLabView();
  const number = lessonNumber(page);
  const address = writeAddress(view);
  // The address of a lab is good on one machine alone; that of the site is good everywhere.
  const isEverywhere = connection.place === 'site';
  const start = isEverywhere ? window.location.href.replace(/[?#].*$/, '') : '';
  return (
    <footer className={classes['printedFoot']}>
      <p>
        Zigzag, Learn{number > 0 ? `, lesson ${number} of ${LESSONS.length}` : ''}: {pageTitle(page)}.{' '}
        {isEverywhere ? '' : 'In the lab at '}
        {start}
        {address}
      </p>
      <p>{sourcesOf(page).join(' ')}</p>
    </footer>
  );
}
