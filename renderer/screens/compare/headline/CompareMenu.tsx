import { Menu } from '@mantine/core';
import { saveExperiment } from '../../../state/files/experiment-files.ts';
import { chooseFile } from '../../../state/files/open-file.ts';
import { linkActions } from '../../../state/parts/view-link.ts';
import { saveReport } from '../../../state/parts/save-report.ts';
import { DotsMenu } from '../../../shared/layout/DotsMenu.tsx';
import { useWorkspace } from '../../../state/workspace/use-workspace.ts';

/** What can be done with the comparison as a whole. */
export function CompareMenu() {
  const workspace = useWorkspace();
  return (
    <DotsMenu label="Save or open this comparison">
      <Menu.Item onClick={() => void saveReport(workspace)}>Save report (HTML)</Menu.Item>
      <Menu.Item onClick={() => saveExperiment(workspace.experiment)}>Save experiment</Menu.Item>
      <Menu.Item onClick={() => chooseFile(workspace)}>Open experiment…</Menu.Item>
      <Menu.Item onClick={() => workspace.measuredFile.ask()}>Lay a measurement over it…</Menu.Item>
      {linkActions(workspace).map(({ id, title, run }) => (
        <Menu.Item key={id} onClick={run}>
          {title}
        </Menu.Item>
      ))}
    </DotsMenu>
  );
}
