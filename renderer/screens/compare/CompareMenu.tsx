import { ActionIcon, Menu } from '@mantine/core';
import { saveExperiment } from '../../state/files/experiment-files.ts';
import { chooseFile } from '../../state/files/open-file.ts';
import { copyLink } from '../../shared/copy-link.ts';
import { saveReport } from '../../state/parts/save-report.ts';
import { DotsIcon } from '../../shared/icons.tsx';
import { useWorkspace } from '../../state/workspace/use-workspace.ts';

/** What can be done with the comparison as a whole. */
export function CompareMenu() {
  const workspace = useWorkspace();
  return (
    <Menu position="bottom-end" shadow="md" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={28} aria-label="Save or open this comparison">
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void saveReport(workspace)}>Save report (HTML)</Menu.Item>
        <Menu.Item onClick={() => saveExperiment(workspace.experiment)}>Save experiment</Menu.Item>
        <Menu.Item onClick={() => chooseFile(workspace.files)}>Open experiment…</Menu.Item>
        <Menu.Item onClick={() => void copyLink()}>Copy a link to this view</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
