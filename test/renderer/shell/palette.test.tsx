// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Palette } from '../../../renderer/shell/Palette.tsx';
import { useStore } from '../../../renderer/shared/store.ts';
import { useWorkspace } from '../../../renderer/state/workspace/use-workspace.ts';
import { renderLab } from '../support/render-lab.tsx';

function OpenedPalette() {
  const dialog = useStore(useWorkspace().page, (state) => state.dialog);
  return <Palette opened={dialog === 'palette'} modifier="Ctrl" />;
}

/** The palette, opened on a page whose screen offers one action. */
async function palette() {
  const lab = await renderLab(<OpenedPalette />);
  const { page, experiment } = lab.workspace;
  const zoom = vi.fn();
  page.offer(() => [{ id: 'zoom', group: 'Chart', title: 'Zoom in', run: zoom }]);
  act(() => page.openDialog('palette'));
  const field = await screen.findByRole('combobox');
  const options = () => screen.queryAllByRole('option');
  const chosen = () => options().findIndex((option) => option.getAttribute('aria-selected') === 'true');
  const type = (text: string) => lab.user.keyboard(text);
  return { ...lab, page, zoom, field, options, chosen, type, batch: () => experiment.get().experiment.batch };
}

it('has the focus at once and shows the actions of the screen first', async () => {
  const { field, options, chosen } = await palette();
  expect(document.activeElement).toBe(field);
  expect(options()[0]?.textContent).toContain('Zoom in');
  expect(options()[1]?.textContent).toContain('Compare');
  expect(chosen()).toBe(0);
});

it('runs the found action at Enter, and closes', async () => {
  const { type, page, batch, options } = await palette();
  await type('double');
  expect(options()).toHaveLength(1);
  await type('{Enter}');
  expect(batch()).toBe(8);
  expect(page.get().dialog).toBeNull();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('moves by arrows, around both ends, and by Home and End; another word begins at the first', async () => {
  const { type, field, options, chosen } = await palette();
  await type('{ArrowUp}');
  const last = options().length - 1;
  expect(last).toBeGreaterThan(3);
  expect(chosen()).toBe(last);
  await type('{ArrowDown}');
  expect(chosen()).toBe(0);
  await type('{ArrowDown}{ArrowDown}{ArrowUp}');
  expect(chosen()).toBe(1);
  expect(field.getAttribute('aria-activedescendant')).toBe(options()[1]?.id);
  await type('{End}');
  expect(chosen()).toBe(last);
  await type('{Home}{ArrowDown}');
  await type('e');
  expect(chosen()).toBe(0);
});

it('runs the action chosen by arrows or a click', async () => {
  const { type, user, workspace, zoom, page } = await palette();
  await type('{ArrowDown}{ArrowDown}{Enter}');
  expect(workspace.experiment.get().screen).toBe('graph');
  expect(zoom).not.toHaveBeenCalled();
  act(() => page.openDialog('palette'));
  await user.click(await screen.findByRole('option', { name: /Zoom in/ }));
  expect(zoom).toHaveBeenCalledOnce();
  expect(page.get().dialog).toBeNull();
});

it('closes at Escape and does nothing', async () => {
  const { type, page, batch } = await palette();
  await type('double{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(page.get().dialog).toBeNull();
  expect(batch()).toBe(4);
});

it('says if nothing matches, and Enter then does nothing', async () => {
  const { type, page, options } = await palette();
  await type('xyzzy');
  expect(options()).toEqual([]);
  expect(screen.getByRole('status').textContent).toMatch(/^No match/);
  await type('{Enter}');
  expect(page.get().dialog).toBe('palette');
});
