import { Menu } from '@mantine/core';
import { DotsMenu } from '../../../shared/layout/DotsMenu.tsx';
import { useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { rowActions } from './row-actions.ts';
import type { StrategyRow } from '../../../state/comparison/rows.ts';

/** What can be done with one strategy's plan. */
export function RowMenu({ row }: { readonly row: StrategyRow }) {
  const workspace = useWorkspace();
  const { title } = row.identity;
  return (
    <DotsMenu label={`Actions on ${title}`} isInRow>
      {rowActions(row, workspace).map(({ name, run, unavailable }) => (
        <Menu.Item key={name} disabled={unavailable !== null} title={unavailable ?? undefined} onClick={run}>
          {name}
        </Menu.Item>
      ))}
    </DotsMenu>
  );
}
