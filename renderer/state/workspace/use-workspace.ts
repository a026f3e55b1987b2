import { createContext, useContext, useSyncExternalStore } from 'react';
import type { LabConnectionState } from '../../../app/contract/connection.ts';
import type { LabView } from '../experiment/experiment-store.ts';
import type { CatalogState } from '../catalog/catalog-store.ts';
import { useStore } from '../../shared/store.ts';
import type { Workspace } from './workspace.ts';

export const WorkspaceContext = createContext<Workspace | null>(null);

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error('useWorkspace is used outside of the lab');
  return workspace;
}

/** State of a screen that outlives it: the same for the whole workspace. */
export const useKept = <T extends object>(create: (workspace: Workspace) => T): T =>
  useWorkspace().keep(create);

export const useLabView = (): LabView => useStore(useWorkspace().experiment);

/** One part of the view: what does not show the batch size need not be drawn again when it changes. */
export const useLabPart = <S>(select: (view: LabView) => S): S => useStore(useWorkspace().experiment, select);

export const useCatalog = (): CatalogState => useStore(useWorkspace().catalog);

export function useConnectionState(): LabConnectionState {
  const { connection } = useWorkspace();
  return useSyncExternalStore(connection.subscribe, () => connection.state);
}
