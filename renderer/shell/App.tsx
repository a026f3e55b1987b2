import '@mantine/core/styles.css';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { Frame } from './Frame.tsx';
import { cssVariables, theme } from './theme.ts';
import { WorkspaceContext } from '../state/workspace/use-workspace.ts';
import type { Workspace } from '../state/workspace/workspace.ts';

export interface AppProps {
  readonly workspace: Workspace;
  /** For the style elements that Mantine adds at run time. */
  readonly nonce: string;
}

export function App({ workspace, nonce }: AppProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <WorkspaceContext value={workspace}>
        <Frame />
      </WorkspaceContext>
    </MantineProvider>
  );
}
