import { Button, Menu } from '@mantine/core';
import { memo } from 'react';
import { useWorkspace } from '../../state/workspace/use-workspace.ts';
import { openPreset } from '../../state/presets/open-preset.ts';
import { PRESETS } from '../../state/presets/presets.ts';

/** Experiments worth looking at. */
export const PresetMenu = memo(function PresetMenu() {
  const workspace = useWorkspace();
  return (
    <Menu position="bottom-end" shadow="md" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="subtle" color="gray" h={32}>
          Presets
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {PRESETS.map((preset) => (
          <Menu.Item key={preset.id} onClick={() => openPreset(workspace, preset)}>
            {preset.title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});
