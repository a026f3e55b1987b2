import { Table, Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { memo, useMemo, useState } from 'react';
import { asSentence } from '../../shared/format/sentence.ts';
import { StrategyMark } from '../../state/strategies/StrategyMark.tsx';
import { useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';
import { COLUMNS } from './columns.ts';
import classes from './compare.module.css';
import { RowMenu } from './RowMenu.tsx';
import type { StrategyRow } from '../../state/comparison/rows.ts';
import { nextSorting, type Sorting, type SortKey, sortRows } from './sort-rows.ts';
import type { CompareView } from '../../state/parts/use-compare-view.ts';

/** All figures of the comparison; a row chosen here is the one in front everywhere. */
export function StrategyTable({ view }: { readonly view: CompareView }) {
  const { experiment: store } = useWorkspace();
  const { selected } = useLabView();
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const rows = useMemo(() => sortRows(view.rows, sorting), [view.rows, sorting]);

  return (
    <section className={classes['tableCard']} aria-label="Figures">
      <Table className={classes['table']} verticalSpacing={0} withRowBorders={false} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <HeadCell title="Strategy" note="" sortKey="strategy" sorting={sorting} onSort={setSorting} />
            {COLUMNS.map(({ key, title, note }) => (
              <HeadCell
                key={key}
                title={title}
                note={note}
                sortKey={key}
                sorting={sorting}
                onSort={setSorting}
              />
            ))}
            <Table.Th scope="col">
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Row
              key={row.identity.name}
              row={row}
              busy={view.state.running !== null}
              isFront={row.identity.name === view.front?.identity.name}
              onChoose={() => store.select(selected === row.identity.name ? null : row.identity.name)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

interface HeadCellProps {
  readonly title: string;
  readonly note: string;
  readonly sortKey: SortKey;
  readonly sorting: Sorting | null;
  readonly onSort: (sorting: Sorting | null) => void;
}

const HeadCell = memo(function HeadCell({ title, note, sortKey, sorting, onSort }: HeadCellProps) {
  const own = sorting?.key === sortKey ? sorting : null;
  const order = own === null ? 'none' : own.descending ? 'descending' : 'ascending';
  return (
    <Table.Th scope="col" aria-sort={order}>
      <Tooltip label={note} disabled={note === ''} openDelay={400} multiline maw={280}>
        <UnstyledButton className={classes['sort']} onClick={() => onSort(nextSorting(sorting, sortKey))}>
          {own !== null && <span aria-hidden="true">{own.descending ? '↓' : '↑'}</span>}
          {title}
        </UnstyledButton>
      </Tooltip>
    </Table.Th>
  );
});

interface RowProps {
  readonly row: StrategyRow;
  readonly busy: boolean;
  readonly isFront: boolean;
  readonly onChoose: () => void;
}

function Row({ row, busy, isFront, onChoose }: RowProps) {
  const { identity, state } = row;
  const isDrawn = state === 'solved';
  return (
    <Table.Tr data-front={isFront || undefined} onClick={isDrawn ? onChoose : undefined}>
      <Table.Th scope="row">
        <UnstyledButton
          className={classes['rowName']}
          aria-pressed={isFront}
          disabled={!isDrawn}
          onClick={(event) => {
            event.stopPropagation();
            onChoose();
          }}
        >
          <StrategyMark identity={identity} />
          {identity.title}
        </UnstyledButton>
      </Table.Th>
      {isDrawn ? (
        COLUMNS.map(({ key, cell }) => {
          const { text, note } = cell(row);
          return (
            <Table.Td key={key} title={note}>
              {text}
            </Table.Td>
          );
        })
      ) : (
        <Table.Td colSpan={COLUMNS.length} className={classes['reason']} title={row.reason ?? undefined}>
          {state === 'refused'
            ? asSentence(row.reason ?? 'Does not apply')
            : busy
              ? 'Solving…'
              : 'Not solved'}
        </Table.Td>
      )}
      <Table.Td className={classes['rowMenu']}>
        <RowMenu row={row} />
      </Table.Td>
    </Table.Tr>
  );
}
