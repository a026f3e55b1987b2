import { MantineProvider } from '@mantine/core';
import { cleanup, configure, render } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach } from 'vitest';
import { WorkspaceContext } from '../../../renderer/state/workspace/use-workspace.ts';
import { type LabOptions, type OpenLab, openLab } from './open-lab.ts';

afterEach(cleanup);
// A failed wait ends with the test's own limit, and none of our styles hides anything from a reader here.
configure({ asyncUtilTimeout: 180_000, defaultHidden: true });

export interface RenderedLab extends OpenLab {
  readonly user: UserEvent;
}

/** Mounts a part of the page in a lab of its own, started and with its catalogue loaded. */
export async function renderLab(part: ReactNode, options: LabOptions = {}): Promise<RenderedLab> {
  const lab = openLab(options);
  lab.workspace.start();
  await lab.workspace.catalog.load();
  render(
    <MantineProvider env="test">
      <WorkspaceContext value={lab.workspace}>{part}</WorkspaceContext>
    </MantineProvider>,
  );
  return { ...lab, user: userEvent.setup() };
}
