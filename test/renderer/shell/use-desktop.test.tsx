// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { BRIDGE_NAME, TOLD } from '../../../app/contract/desktop.ts';
import type { Told } from '../../../app/contract/told.ts';
import { useDesktop } from '../../../renderer/shell/use-desktop.ts';
import { useWorkspace } from '../../../renderer/state/workspace/use-workspace.ts';
import { renderLab } from '../support/render-lab.tsx';

afterEach(() => Reflect.deleteProperty(window, BRIDGE_NAME));

function Desktop() {
  useDesktop(useWorkspace(), 'Ctrl');
  return null;
}

async function desktop() {
  const listen = vi.fn();
  Object.assign(window, { [BRIDGE_NAME]: { requestPort: vi.fn(), listen } });
  const lab = await renderLab(<Desktop />);
  expect(listen).toHaveBeenCalledTimes(1);
  const say = (told: unknown, source: unknown): void => {
    const event = Object.assign(new Event('message'), { data: { [TOLD]: told }, source });
    act(() => void window.dispatchEvent(event));
  };
  return { ...lab, say, tell: (told: Told) => say(told, window) };
}

it('accepts messages of its own window only, in a known form', async () => {
  const { say, workspace } = await desktop();
  say({ kind: 'action', id: 'double' }, {});
  for (const told of [
    null,
    'double',
    { kind: 'run', id: 'double' },
    { kind: 'action' },
    { kind: 'link', hash: 'javascript:x' },
  ])
    say(told, window);
  expect(workspace.experiment.get().experiment.batch).toBe(4);
});

it('runs an entry of the palette, and ignores an unknown one', async () => {
  const { tell, workspace } = await desktop();
  tell({ kind: 'action', id: 'double' });
  expect(workspace.experiment.get().experiment.batch).toBe(8);
  tell({ kind: 'action', id: 'nothing' });
  tell({ kind: 'action', id: 'palette' });
  expect(workspace.page.get().dialog).toBe('palette');
});

it('opens a file like a dropped one', async () => {
  const { tell, workspace } = await desktop();
  tell({ kind: 'file', name: 'broken.json', bytes: new TextEncoder().encode('{') });
  expect(workspace.page.get().dialog).toBe('file');
  await waitFor(() => expect(workspace.files.get()?.refusal).toMatch(/\.$/));
  expect(workspace.files.get()?.name).toBe('broken.json');
});

it('says why a file could not be read', async () => {
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
