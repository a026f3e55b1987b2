import { ActionIcon } from '@mantine/core';
import { CloseIcon } from '../../shared/icons.tsx';
import { useStore } from '../../shared/store.ts';
import { useLabPart, useWorkspace } from '../workspace/use-workspace.ts';
import { presetOf } from '../presets/presets.ts';
import classes from './presets.module.css';

export function PresetLine() {
  const { page } = useWorkspace();
  const preset = useLabPart(({ screen, experiment }) => presetOf(screen, experiment));
  const dismissed = useStore(page, (state) => state.dismissed);
  if (preset === null || preset.id === dismissed) return null;
  return (
    <section className={classes['line']} aria-label={preset.title}>
      <p>
        <strong>{preset.title}.</strong> {preset.commentary}
      </p>
      <ActionIcon aria-label="Close this note" onClick={() => page.dismiss(preset.id)}>
        <CloseIcon />
      </ActionIcon>
    </section>
  );
}
