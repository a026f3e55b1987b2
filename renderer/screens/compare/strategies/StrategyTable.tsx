import { hasLink } from '../../../../engine/options/options.ts';
import { Menu, Table, UnstyledButton } from '@mantine/core';
import { memo, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { DataTable, SortHead } from '../../../shared/layout/DataTable.tsx';
import { TableCard } from '../../../shared/layout/TableCard.tsx';
import classes from '../../../shared/layout/table.module.css';
import { StrategyMark } from '../../../state/strategies/StrategyMark.tsx';
import { UnsolvedCell } from '../../../state/strategies/UnsolvedCell.tsx';
import { useKept, useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { useStore } from '../../../shared/store.ts';
import { createViewPart } from '../../../state/experiment/view-part.ts';
import { type Column, columnsOf, columnWords } from './columns.ts';
import { NeedsCell } from './NeedsCell.tsx';
import { openInTorch } from '../../../state/parts/open-in-torch.ts';
import { type StrategyRow, withLeftBudget } from '../../../state/comparison/rows.ts';
import { useNarrow } from '../../../shared/use-narrow.ts';
import { nextSorting, type Sorting, type SortKey, sortRows } from './sort-rows.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import { DotsMenu } from '../../../shared/layout/DotsMenu.tsx';
import { networkTitle } from '../../../state/experiment/network-order.ts';
import { withStrategy } from '../../../state/experiment/experiment.ts';
import { savePlan } from '../../../state/parts/save-file.ts';
import { commandOf } from '../../../state/comparison/report-of.ts';
import { openTrain } from '../../../state/parts/next-run.ts';
import type { Workspace } from '../../../state/workspace/workspace.ts';

export function StrategyTable({ view }: { readonly view: CompareView }) {
  const { experiment: store } = useWorkspace();
  const { selected, experiment } = useLabView();
  const sends = hasLink(experiment) || view.rows.some(({ copies }) => copies !== null);
  const { checkpointing } = experiment;
  const { store: added } = useKept(columnsSession);
  const more = useStore(added);
  const all = useMemo(() => columnsOf({ checkpointing }, sends), [checkpointing, sends]);
  const columns = useMemo(() => all.filter(({ key, isFirst }) => isFirst || more.includes(key)), [all, more]);
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const rows = useMemo(() => sortRows(view.rows, sorting), [view.rows, sorting]);

  return (
    <TableCard label="Figures">
      <DataTable row={28} miw={300 + 72 * columns.length} horizontalSpacing={6} data-many highlightOnHover>
        <Head columns={columns} sorting={sorting} onSort={setSorting}>
          <ColumnsMenu all={all} chosen={more} onChoose={added.set} />
        </Head>
        <Table.Tbody>
          {rows.map((row) => (
            <Row
              key={row.identity.name}
              row={row}
              columns={columns}
              busy={view.state.running !== null}
              isFront={row.identity.name === view.front?.identity.name}
              onChoose={() => store.select(selected === row.identity.name ? null : row.identity.name)}
            />
          ))}
        </Table.Tbody>
      </DataTable>
    </TableCard>
  );
}

interface HeadProps {
  readonly columns: readonly Column[];
  readonly sorting: Sorting | null;
  readonly onSort: (sorting: Sorting | null) => void;
  /** Head of the rows' menus. */
  readonly children: ReactNode;
}

function Head({ columns, sorting, onSort, children }: HeadProps) {
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th scope="col">Strategy</Table.Th>
        {columns.map(({ key, title, note }) =>
          // Sorted by the excess, rows stand as they do by need.
          key === 'over' ? (
            <Table.Th key={key} scope="col" title={note}>
              {title}
            </Table.Th>
          ) : (
            <SortHead
              key={key}
              note={note}
              descending={sorting?.key === key ? sorting.descending : null}
              onSort={() => onSort(nextSorting(sorting, key))}
            >
              {title}
            </SortHead>
          ),
        )}
        <Table.Th scope="col">{children}</Table.Th>
      </Table.Tr>
    </Table.Thead>
  );
}

/** Columns of this screen, for this session and in the link. */
const columnsSession = ({ experiment }: Workspace) => ({
  store: createViewPart(experiment, 'compare', columnWords),
});

interface ColumnsMenuProps {
  readonly all: ReturnType<typeof columnsOf>;
  readonly chosen: readonly SortKey[];
  readonly onChoose: (keys: readonly SortKey[]) => void;
}

const ColumnsMenu = memo(function ColumnsMenu({ all, chosen, onChoose }: ColumnsMenuProps) {
  return (
    <Menu position="bottom-end" shadow="md" closeOnItemClick={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton className={classes['sort']}>Columns</UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.CheckboxGroup value={[...chosen]} onChange={(keys) => onChoose(keys as SortKey[])}>
          {all
            .filter(({ isFirst }) => !isFirst)
            .map(({ key, title, note }) => (
              <Menu.CheckboxItem key={key} value={key} title={note}>
                {title}
              </Menu.CheckboxItem>
            ))}
        </Menu.CheckboxGroup>
      </Menu.Dropdown>
    </Menu>
  );
});

interface RowProps {
  readonly row: StrategyRow;
  readonly columns: readonly Column[];
  readonly busy: boolean;
  readonly isFront: boolean;
  readonly onChoose: () => void;
}

function Row({ row, columns, busy, isFront, onChoose }: RowProps) {
  const { identity, state } = row;
  const isDrawn = state === 'solved';
  // The chips in the bar do the same by keyboard; a narrow window folds them.
  const isNarrow = useNarrow();
  const latest = useRef(row);
  useEffect(() => {
    latest.current = row;
  });
  const name = (
    <>
      <StrategyMark identity={identity} />
      {identity.title}
    </>
  );
  return (
    <Table.Tr
      data-front={isFront || undefined}
      style={{ cursor: 'pointer' }}
      onClick={isDrawn ? onChoose : undefined}
    >
      <Table.Th scope="row">
        {isNarrow ? (
          <UnstyledButton
            className={classes['name']}
            aria-pressed={isFront}
            disabled={!isDrawn}
            onClick={(event) => {
              event.stopPropagation();
              onChoose();
            }}
          >
            {name}
          </UnstyledButton>
        ) : (
          <span className={classes['name']}>{name}</span>
        )}
      </Table.Th>
      {isDrawn ? (
        columns.map(({ key, cell }) => {
          const { text, note, isOver, sum } = cell(row);
          return (
            <Table.Td key={key} title={note} data-over={isOver || undefined}>
              {sum === undefined || !isFront ? text : <NeedsCell strategy={identity.title} verdict={sum} />}
            </Table.Td>
          );
        })
      ) : (
        <UnsolvedCell row={row} busy={busy} width={columns.length} />
      )}
      <Table.Td w={40}>
        <RowMenu
          title={identity.title}
          isSolved={isDrawn}
          hasCheckpoints={row.checkpoints.length > 0}
          row={latest}
        />
      </Table.Td>
    </Table.Tr>
  );
}

interface RowMenuProps {
  readonly title: string;
  readonly isSolved: boolean;
  readonly hasCheckpoints: boolean;
  readonly row: RefObject<StrategyRow>;
}

/** It reads the row when an action is taken: a row's figures change with the batch size, its menu does not. */
const RowMenu = memo(function RowMenu({ title, isSolved, hasCheckpoints, row }: RowMenuProps) {
  const workspace = useWorkspace();
  const noPlan = isSolved ? null : 'No plan';
  const noCheckpoints = hasCheckpoints ? null : 'No checkpoints to place';
  const actions: readonly [string, string | null, (row: StrategyRow, workspace: Workspace) => void][] = [
    ['Use in PyTorch…', noPlan, openInTorch],
    ['Save plan…', noPlan, ({ identity }) => void savePlan(workspace, identity.name)],
    ['Place in Graph', noPlan ?? noCheckpoints, placeInGraph],
    ['Train this', noPlan, ({ identity }) => openTrain(workspace, identity.name)],
    ['Use its peak as the budget', noPlan, setPeakAsBudget],
    ['Copy command line', null, copyCommand],
  ];
  return (
    <DotsMenu label={`Actions on ${title}`} isInRow className={classes['atHand']}>
      {actions.map(([name, unavailable, run]) => (
        <Menu.Item
          key={name}
          disabled={unavailable !== null}
          title={unavailable ?? undefined}
          onClick={() => run(row.current, workspace)}
        >
          {name}
        </Menu.Item>
      ))}
    </DotsMenu>
  );
});

function placeInGraph({ checkpoints }: StrategyRow, { experiment: store }: Workspace): void {
  store.change({ ...store.get().experiment, checkpoints: [...checkpoints] });
  store.goTo('graph');
  store.setView({ panel: 'yours' });
}

function setPeakAsBudget({ peakBytes }: StrategyRow, { experiment: store, catalog }: Workspace): void {
  const order = catalog.get().strategies.map((strategy) => strategy.name);
  const now = store.get().experiment;
  store.change({ ...withStrategy(now, 'budget', true, order), budgetBytes: Math.ceil(peakBytes ?? 0) });
}

function copyCommand(row: StrategyRow, { experiment: store, catalog }: Workspace): void {
  const { models, strategies } = catalog.get();
  const { experiment } = store.get();
  const info = strategies.find(({ name }) => name === row.identity.name);
  const line = commandOf(withLeftBudget(experiment, row), networkTitle(experiment.model, models), info);
  navigator.clipboard
    .writeText(line)
    .catch(() => store.settle(store.get().experiment, [`Copy the command line from here: ${line}`]));
}
