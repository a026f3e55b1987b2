import { Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { toFront } from '../../../state/experiment/networks.ts';
import { asSentence } from '../../../shared/format/sentence.ts';
import { StrategyMark } from '../../../state/strategies/StrategyMark.tsx';
import { useCatalog, useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import {
  bestOf,
  formatMeasure,
  type MatrixSorting,
  MEASURES,
  type Measure,
  type NetworkRow,
  sortNetworks,
  figureOf,
} from '../../../state/comparison/networks-matrix.ts';
import { DataTable, SortHead } from '../../../shared/layout/DataTable.tsx';
import table from '../../../shared/layout/table.module.css';
import classes from './networks.module.css';
import { SizeCell } from './SizeCell.tsx';

export interface NetworksTableProps {
  readonly networks: readonly NetworkRow[];
  readonly measure: Measure;
  readonly busy: boolean;
}

export function NetworksTable({ networks, measure, busy }: NetworksTableProps) {
  const { experiment: store } = useWorkspace();
  const { experiment, selected } = useLabView();
  const [sorting, setSorting] = useState<MatrixSorting | null>(null);
  const columns = networks[0]?.rows ?? [];
  const says = MEASURES.find(({ key }) => key === measure)?.says ?? '';
  const head = { sorting, onSort: setSorting };

  return (
    <div className={classes['scroll']}>
      <DataTable className={classes['table'] ?? ''} row={36} miw={640} highlightOnHover>
        <VisuallyHidden component="caption">{says}, of every network under every strategy</VisuallyHidden>
        <Table.Thead>
          <Table.Tr>
            <HeadCell {...head} column="network" title="Network" />
            <HeadCell {...head} column="batch" title="Batch" />
            <Table.Th scope="col">Input</Table.Th>
            {columns.map(({ identity }) => (
              <HeadCell
                {...head}
                key={identity.name}
                column={identity.name}
                title={identity.title}
                isFront={identity.name === selected}
                mark={<StrategyMark identity={identity} />}
              />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sortNetworks(networks, sorting, measure).map((network) => (
            <Row
              key={`${network.place} ${network.single.model}`}
              network={network}
              measure={measure}
              frontBatch={experiment.batch}
              busy={busy}
              onChoose={() => store.change(toFront(store.get().experiment, network.place))}
            />
          ))}
        </Table.Tbody>
      </DataTable>
    </div>
  );
}

interface HeadCellProps {
  readonly column: string;
  readonly title: string;
  readonly isFront?: boolean;
  readonly mark?: React.ReactNode;
  readonly sorting: MatrixSorting | null;
  readonly onSort: (sorting: MatrixSorting | null) => void;
}

function HeadCell({ column, title, isFront = false, mark, sorting, onSort }: HeadCellProps) {
  const own = sorting?.column === column ? sorting : null;
  const next =
    own === null ? { column, descending: false } : own.descending ? null : { column, descending: true };
  return (
    <SortHead
      descending={own?.descending ?? null}
      onSort={() => onSort(next)}
      data-front={isFront || undefined}
    >
      {mark}
      {title}
    </SortHead>
  );
}

interface RowProps {
  readonly network: NetworkRow;
  readonly measure: Measure;
  readonly frontBatch: number;
  readonly busy: boolean;
  readonly onChoose: () => void;
}

function Row({ network, measure, frontBatch, busy, onChoose }: RowProps) {
  const { place, title, single, rows, failure } = network;
  const isFront = place === 0;
  const best = bestOf(network, measure);
  return (
    <Table.Tr data-front={isFront || undefined} onClick={isFront ? undefined : onChoose}>
      <Table.Th scope="row">
        <UnstyledButton
          className={table['name']}
          aria-pressed={isFront}
          title={isFront ? `${title} is in front` : `Bring ${title} to the front`}
          onClick={(event) => {
            event.stopPropagation();
            onChoose();
          }}
        >
          {title}
        </UnstyledButton>
      </Table.Th>
      <Table.Td>
        {isFront ? (
          <span className={classes['fixed']}>{single.batch}</span>
        ) : (
          <SizeCell network={network} part="batch" fallback={frontBatch} />
        )}
      </Table.Td>
      <Table.Td>
        {isFront ? (
          <FrontInput network={network} />
        ) : (
          <SizeCell network={network} part="input" fallback={undefined} />
        )}
      </Table.Td>
      {failure !== null && rows.every(({ state }) => state === 'waiting') ? (
        <Table.Td colSpan={rows.length} data-said title={asSentence(failure)}>
          {asSentence(failure)}
        </Table.Td>
      ) : (
        rows.map((row) => {
          const value = figureOf(row, measure);
          const isBest = best.has(row.identity.name);
          return (
            <Table.Td
              key={row.identity.name}
              data-best={isBest || undefined}
              title={row.reason === null ? undefined : asSentence(row.reason)}
            >
              {value !== null && !(measure !== 'peak' && row.identity.name === 'regular')
                ? formatMeasure(value, measure)
                : row.state === 'waiting' && busy
                  ? '…'
                  : '–'}
              {isBest && <VisuallyHidden> best</VisuallyHidden>}
            </Table.Td>
          );
        })
      )}
    </Table.Tr>
  );
}

/** The front's own size is chosen in the bar. */
function FrontInput({ network: { single } }: { readonly network: NetworkRow }) {
  const { models } = useCatalog();
  const input = single.input ?? models.find(({ name }) => name === single.model)?.defaultInput;
  return <span className={classes['fixed']}>{input ? String(input) : 'fixed'}</span>;
}
