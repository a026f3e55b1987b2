// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { BRIDGE_NAME, type Told } from '../../../app/contract/desktop.ts';
import { useDesktop } from '../../../renderer/shell/use-desktop.ts';
import { useWorkspace } from '../../../renderer/state/workspace/use-workspace.ts';
import { renderLab } from '../support/render-lab.tsx';

afterEach(() => Reflect.deleteProperty(window, BRIDGE_NAME));

function Desktop() {
  useDesktop(useWorkspace(), 'Ctrl');
  return null;
}

async function desktop() {
  const listeners: ((told: Told) => void)[] = [];
  Object.assign(window, {
    [BRIDGE_NAME]: {
      requestPort: vi.fn(),
      listen: (listener: (told: Told) => void) => listeners.push(listener),
    },
  });
  const lab = await renderLab(<Desktop />);
  expect(listeners).toHaveLength(1);
  return { ...lab, tell: (told: Told) => act(() => listeners[0]?.(told)) };
}

it('runs an entry of the palette, and nothing for one that is not there', async () => {
  const { tell, workspace } = await desktop();
  tell({ kind: 'action', id: 'double' });
  expect(workspace.experiment.get().experiment.batch).toBe(8);
  tell({ kind: 'action', id: 'nothing' });
  tell({ kind: 'action', id: 'palette' });
  expect(workspace.page.get().dialog).toBe('palette');
});

it('opens a file as a dropped one', async () => {
  const { tell, workspace } = await desktop();
  tell({ kind: 'file', name: 'broken.json', bytes: new TextEncoder().encode('{') });
  expect(workspace.page.get().dialog).toBe('file');
  await waitFor(() => expect(workspace.files.get()?.refusal).toMatch(/\.$/));
  expect(workspace.files.get()?.name).toBe('broken.json');
});

it('says why a file could not be had', async () => {
  const { tell, workspace } = await desktop();
  tell({ kind: 'refused', name: 'gone.json', reason: 'There is no such file.' });
  expect(workspace.page.get().dialog).toBe('file');
  expect(workspace.files.get()).toEqual({
    name: 'gone.json',
    imported: null,
    refusal: 'There is no such file.',
  });
});

it('follows a link', async () => {
  const { tell } = await desktop();
  tell({ kind: 'link', hash: '#/learn?lesson=sqrt' });
  expect(window.location.hash).toBe('#/learn?lesson=sqrt');
});
