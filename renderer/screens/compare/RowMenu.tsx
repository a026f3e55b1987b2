import { ActionIcon, Menu } from '@mantine/core';
import { DotsIcon } from '../../shared/icons.tsx';
import { useWorkspace } from '../../state/workspace/use-workspace.ts';
import { rowActions } from './row-actions.ts';
import type { StrategyRow } from '../../state/comparison/rows.ts';

/** What can be done with one strategy's plan. */
export function RowMenu({ row }: { readonly row: StrategyRow }) {
  const workspace = useWorkspace();
  const { title } = row.identity;
  return (
    <Menu position="bottom-end" shadow="md" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          aria-label={`Actions on ${title}`}
          onClick={(event) => event.stopPropagation()}
        >
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        {rowActions(row, workspace).map(({ name, run, unavailable }) => (
          <Menu.Item
            key={name}
            disabled={unavailable !== null}
            title={unavailable ?? undefined}
            onClick={run}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
