import { Button, CloseButton, Table, TextInput, UnstyledButton } from '@mantine/core';
import { memo, useState } from 'react';
import { formatBytes, formatExactBytes } from '../../../shared/format/bytes.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import { type LiveTensor, sumBytes } from './tensor-list.ts';
import { DataTable } from '../../../shared/layout/DataTable.tsx';
import layout from '../../../shared/layout/layout.module.css';
import classes from './tensors.module.css';

export interface TensorsTableProps {
  readonly live: readonly LiveTensor[];
  readonly matched: readonly LiveTensor[];
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  readonly onShow: (id: string) => void;
}

const FIRST_ROWS = 60;

export const TensorsTable = memo(function TensorsTable(props: TensorsTableProps) {
  const { live, matched, filter, onFilter, onShow } = props;
  const [showsAll, setShowsAll] = useState(false);
  const rows = showsAll ? matched : matched.slice(0, FIRST_ROWS);
  const bytes = sumBytes(matched);
  return (
    <>
      <div className={layout['head']}>
        <TextInput
          size="xs"
          aria-label="Filter the tensors"
          placeholder="Filter, for example conv"
          value={filter}
          onChange={(event) => onFilter(event.currentTarget.value)}
          rightSection={
            filter === '' ? null : (
              <CloseButton size="xs" aria-label="Show all tensors" onClick={() => onFilter('')} />
            )
          }
        />
        <div className={classes['sum']} title={formatExactBytes(bytes)} data-testid="live-sum" role="status">
          {matched.length === live.length
            ? `${formatCount(live.length)} tensors, ${formatExactBytes(bytes)}`
            : `${formatCount(matched.length)} of ${formatCount(live.length)} tensors, ${formatBytes(bytes)}`}
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it */}
      <section className={classes['scroll']} tabIndex={0} aria-label="Live tensors">
        <DataTable className={classes['table'] ?? ''} row={24} cells="left" layout="fixed" stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Tensor</Table.Th>
              <Table.Th scope="col">Layer</Table.Th>
              <Table.Th scope="col">Kind</Table.Th>
              <Table.Th scope="col">Size</Table.Th>
              <Table.Th scope="col" title="First step at which it is live">
                Since
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((tensor) => (
              <Row key={tensor.key} tensor={tensor} onShow={onShow} />
            ))}
          </Table.Tbody>
        </DataTable>
        {rows.length < matched.length && (
          <Button variant="default" size="compact-xs" onClick={() => setShowsAll(true)}>
            {`Show ${formatCount(matched.length - rows.length)} more, ${formatBytes(sumBytes(matched.slice(FIRST_ROWS)))}`}
          </Button>
        )}
      </section>
    </>
  );
});

interface RowProps {
  readonly tensor: LiveTensor;
  readonly onShow: (id: string) => void;
}

const Row = memo(
  function Row({ tensor, onShow }: RowProps) {
    const { id, label, layer, holder, what, bytes, since, until } = tensor;
    return (
      <Table.Tr>
        <Table.Th scope="row" title={id}>
          <UnstyledButton
            className={classes['tensor']}
            aria-label={`${label}, show it in Graph`}
            onClick={() => onShow(id)}
          >
            {label}
          </UnstyledButton>
        </Table.Th>
        <Table.Td title={layer} className={classes['layer']}>
          <bdi>{layer}</bdi>
        </Table.Td>
        <Table.Td>
          <i
            className={`${layout['swatch']} ${classes['swatch']}`}
            style={{ background: `var(--zz-hold-${holder})` }}
          />
          {what}
        </Table.Td>
        <Table.Td title={formatExactBytes(bytes)}>{formatBytes(bytes)}</Table.Td>
        <Table.Td title={`Live from step ${formatCount(since)} to step ${formatCount(until)}`}>
          {formatCount(since)}
        </Table.Td>
      </Table.Tr>
    );
  },
  (a, b) => a.tensor.key === b.tensor.key && a.tensor.bytes === b.tensor.bytes && a.onShow === b.onShow,
);
