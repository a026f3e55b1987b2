import type { ReactNode } from 'react';
import { asSentence } from '../../../shared/format/sentence.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import { Headline, headlineParts } from '../../../shared/layout/Headline.tsx';
import { StatusLine } from '../../../shared/layout/StatusLine.tsx';
import { TimeLeft } from '../../../shared/progress/TimeLeft.tsx';
import { useCatalog } from '../../../state/workspace/use-workspace.ts';
import { tableHeadline } from './headline.ts';
import type { TableView } from '../use-table.ts';

export function TableHeadline({ view, tools }: { readonly view: TableView; readonly tools: ReactNode }) {
  const { name, table, store } = view;
  return (
    <Headline
      live="polite"
      busy={table.running !== null}
      tools={tools}
      sentence={
        table.rows.length === 0 && table.running === null && (table.failure !== null || table.cancelled)
          ? 'The table was not reproduced.'
          : headlineParts(tableHeadline(name, table))
      }
    >
      <Status view={view} onAgain={() => void store.of(name).again(name)} />
    </Headline>
  );
}

function Status({ view, onAgain }: { readonly view: TableView; readonly onAgain: () => void }) {
  const { table, store } = view;
  const { models } = useCatalog();
  const titleOf = (network: string): string => models.find(({ name }) => name === network)?.title ?? network;
  if (table.failure !== null || table.cancelled) {
    const failed = table.failure !== null;
    return (
      <StatusLine
        kind={failed ? 'fault' : 'work'}
        action={{ title: failed ? 'Try again' : 'Solve it again', run: onAgain }}
      >
        {failed ? asSentence(table.failure.message) : 'Cancelled. The rows solved before stay.'}
      </StatusLine>
    );
  }
  if (table.running !== null) {
    const { networks, rows } = table;
    const next = networks[rows.length];
    return (
      <StatusLine
        kind="work"
        progress={{ share: rows.length / Math.max(1, networks.length), label: 'Rows solved' }}
        action={{ title: 'Cancel', run: store.cancel }}
      >
        {next === undefined
          ? 'Starting…'
          : `Row ${formatCount(rows.length + 1)} of ${formatCount(networks.length)}: ${titleOf(next)}`}
        <TimeLeft done={rows.length / Math.max(1, networks.length)} since={table.running.since} />
      </StatusLine>
    );
  }
  return (
    <StatusLine>
      {table.head?.citation ?? ''}
      {view.device !== null && <>; measured on {view.device.device}</>}
    </StatusLine>
  );
}
