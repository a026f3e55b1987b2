import { useMantineColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { listenToDesktop } from '../../app/contract/connect.ts';
import type { Told } from '../../app/contract/told.ts';
import { openFile, refuseFile } from '../state/files/open-file.ts';
import type { Workspace } from '../state/workspace/workspace.ts';
import { labActions, type ThemeChoice } from './lab-actions.ts';
import { SCREENS } from './screens.tsx';

export function useDesktop(workspace: Workspace, modifier: string): void {
  const { setColorScheme } = useMantineColorScheme();
  const latest = useRef<(told: Told) => void>(() => undefined);
  useEffect(() => {
    latest.current = (told) => obey(told, workspace, modifier, setColorScheme);
  });
  // One listener for the life of the page: the shell takes none back.
  useEffect(() => listenToDesktop((told) => latest.current(told)), []);
}

export function obey(
  told: Told,
  workspace: Workspace,
  modifier: string,
  setTheme: (theme: ThemeChoice) => void,
): void {
  if (told.kind === 'file') openFile(workspace, new File([told.bytes], told.name));
  else if (told.kind === 'refused') refuseFile(workspace, told.name, told.reason);
  else if (told.kind === 'moved') void workspace.history.load();
  // Read as any link is, by the caller that follows the address.
  else if (told.kind === 'link') window.location.hash = told.hash;
  else if (told.id === 'palette') workspace.page.openDialog('palette');
  else {
    const actions = [
      ...workspace.page.offered(),
      ...labActions({ workspace, screens: SCREENS, setTheme, modifier }),
    ];
    actions.find(({ id }) => id === told.id)?.run();
  }
}
