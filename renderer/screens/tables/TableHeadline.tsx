import { Button } from '@mantine/core';
import { asSentence } from '../../shared/format/sentence.ts';
import { formatCount } from '../../shared/format/numbers.ts';
import { TimeLeft } from '../../shared/progress/TimeLeft.tsx';
import { useCatalog } from '../../state/workspace/use-workspace.ts';
import { tableHeadline } from './headline.ts';
import classes from './tables.module.css';
import type { TableView } from './use-table.ts';

/** What the table shows in one sentence; below it the source, or how far the work is and how to stop it. */
export function TableHeadline({ view }: { readonly view: TableView }) {
  const { name, table, store } = view;
  return (
    <section className={classes['headline']} aria-label="Result">
      <h1 className={classes['sentence']} aria-live="polite" aria-busy={table.running}>
        {table.rows.length === 0 && !table.running && (table.failure !== null || table.cancelled)
          ? 'The table was not reproduced.'
          : tableHeadline(name, table).map((part, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name
              <span key={i} className={part.figure ? classes['figure'] : undefined}>
                {part.text}
              </span>
            ))}
      </h1>
      <Status view={view} onAgain={() => store.again(name)} />
    </section>
  );
}

function Status({ view, onAgain }: { readonly view: TableView; readonly onAgain: () => void }) {
  const { table, store } = view;
  const { models } = useCatalog();
  const titleOf = (network: string): string => models.find(({ name }) => name === network)?.title ?? network;
  if (table.failure !== null || table.cancelled) {
    const failed = table.failure !== null;
    return (
      <div className={classes['status']} role={failed ? 'alert' : 'status'}>
        <span className={failed ? classes['fault'] : undefined}>
          {failed ? asSentence(table.failure.message) : 'Cancelled; the rows that were solved stay.'}
        </span>
        <Button size="compact-sm" variant="default" onClick={onAgain}>
          {failed ? 'Try again' : 'Solve it again'}
        </Button>
      </div>
    );
  }
  if (table.running) {
    const { networks, rows } = table;
    const next = networks[rows.length];
    return (
      <div className={classes['status']} role="status">
        <progress
          className={classes['progress']}
          max={Math.max(1, networks.length)}
          value={rows.length}
          aria-label="Rows solved"
        />
        <span>
          {next === undefined
            ? 'Starting…'
            : `Row ${formatCount(rows.length + 1)} of ${formatCount(networks.length)}: ${titleOf(next)}`}
          <TimeLeft done={rows.length / Math.max(1, networks.length)} since={table.since} />
        </span>
        <Button size="compact-sm" variant="default" onClick={store.cancel}>
          Cancel
        </Button>
      </div>
    );
  }
  return <div className={classes['status']}>{table.head?.citation ?? ''}</div>;
}
