// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { graphFile } from '../../../engine/exchange/graph-file.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { AboutDialog } from '../../../renderer/shell/AboutDialog.tsx';
import { FileDialog } from '../../../renderer/shell/FileDialog.tsx';
import { ShortcutsDialog } from '../../../renderer/shell/ShortcutsDialog.tsx';
import { useStore } from '../../../renderer/shared/store.ts';
import { openFile } from '../../../renderer/state/files/open-file.ts';
import type { Dialog } from '../../../renderer/state/page/page-store.ts';
import { useWorkspace } from '../../../renderer/state/workspace/use-workspace.ts';
import { INFO, type LabOptions } from '../support/open-lab.ts';
import { renderLab } from '../support/render-lab.tsx';

afterEach(() => {
  vi.restoreAllMocks();
});

const MODEL = JSON.stringify(graphFile(buildModel('tiny-residual', { batch: 1 })));

function Dialogs() {
  const dialog = useStore(useWorkspace().page, (state) => state.dialog);
  return (
    <>
      <ShortcutsDialog opened={dialog === 'shortcuts'} modifier="Ctrl" />
      <AboutDialog opened={dialog === 'about'} />
      <FileDialog opened={dialog === 'file'} />
    </>
  );
}

async function dialogs(options?: LabOptions) {
  const lab = await renderLab(<Dialogs />, options);
  const { workspace } = lab;
  return {
    ...lab,
    open: (dialog: Dialog) => act(() => workspace.page.openDialog(dialog)),
    give: (text: string) => act(() => openFile(workspace, new File([text], 'mine.json'))),
  };
}

/** Rows of a dialog, by name. */
const pairs = (): Record<string, string> =>
  Object.fromEntries(
    screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent ?? '']),
  );

/** A plan of tiny-residual, as the lab saves it. */
async function planText({ workspace, connection }: Awaited<ReturnType<typeof dialogs>>): Promise<string> {
  const experiment = { ...workspace.experiment.get().experiment, model: 'tiny-residual' };
  return (await connection.client.exportFile({ experiment, strategy: 'chen-sqrt', form: 'plan' })).text;
}

it('lists the shortcuts: a number for every screen, and the keys of this system', async () => {
  const { open } = await dialogs();
  expect(screen.queryByRole('dialog')).toBeNull();
  open('shortcuts');
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(pairs()).toMatchObject({ 1: 'Screen Compare', 6: 'Screen Train', 'Ctrl Z': 'Undo' });
  expect(pairs()).not.toHaveProperty('7');
});

it('shows facts about the lab, requested when it opens', async () => {
  const { open, asked, user, workspace } = await dialogs();
  expect(asked('about')).toHaveLength(0);
  open('about');
  await screen.findByRole('dialog', { name: 'About Zigzag' });
  await waitFor(() =>
    expect(pairs()).toMatchObject({
      Version: '1.2.3',
      Processors: '3',
      Memory: expect.stringMatching(/^8\.00\sGiB$/),
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(workspace.page.get().dialog).toBeNull();
});

it.each([
  [null, undefined],
  ['https://example.org/zigzag/', 'https://example.org/zigzag/docs/index.html'],
])('links to the documentation of the site, %s, or says where it is', async (site, address) => {
  const { open } = await dialogs({ answers: { about: () => ({ ...INFO, site }) } });
  open('about');
  const dialog = within(await screen.findByRole('dialog', { name: 'About Zigzag' }));
  if (address === undefined) await dialog.findByText(/documentation is in the folder/);
  else
    expect((await dialog.findByRole('link', { name: 'Documentation' })).getAttribute('href')).toBe(address);
});

it('says why a file is refused, and opens another in its place', async () => {
  const { give, user, workspace } = await dialogs();
  give('{"format": "something else"}');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe(workspace.files.get()?.refusal);
  expect(workspace.experiment.get().experiment.model).toBe('tiny-residual');
  vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function (this: HTMLInputElement) {
    Object.defineProperty(this, 'files', { value: [new File([MODEL], 'better.json')] });
    this.dispatchEvent(new Event('change'));
  });
  await user.click(screen.getByRole('button', { name: 'Open another file…' }));
  await screen.findByRole('dialog', { name: 'better' });
  expect(screen.queryByRole('alert')).toBeNull();
});

it('shows what was read from a network, which is now selected', async () => {
  const { give, user, workspace } = await dialogs();
  give(MODEL);
  await screen.findByRole('dialog', { name: 'mine' });
  expect(screen.getByRole('status').textContent).toContain('The experiment now uses this network');
  expect(pairs()).toMatchObject({ Format: 'zigzag-graph/1', 'Unsupported operations (size only)': 'none' });
  expect(workspace.experiment.get().experiment.model).toMatch(/^file:/);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(workspace.page.get().dialog).toBeNull());
});

it('tries a plan on the selected network and offers its checkpoints', async () => {
  const lab = await dialogs();
  lab.give(await planText(lab));
  const adopt = await screen.findByRole('button', { name: 'Use its checkpoints as mine' });
  expect(pairs()).toMatchObject({ Format: 'zigzag-plan/1', 'Made by': 'chen-sqrt' });
  expect(screen.queryByRole('alert')).toBeNull();
  await lab.user.click(adopt);
  const { strategies, checkpoints } = lab.workspace.experiment.get().experiment;
  expect(strategies).toEqual(expect.arrayContaining(['plan', 'manual']));
  expect(checkpoints).toEqual(lab.workspace.comparison.get().shown?.solved.get('plan')?.row.checkpoints);
  expect(lab.workspace.page.get().dialog).toBeNull();
});

it('says why a plan does not run on another network, and offers nothing', async () => {
  const lab = await dialogs({ link: '#/compare?model=tiny-unet&batch=4&strategies=regular' });
  lab.give(await planText(lab));
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /Open the network that the plan was made for\.$/,
  );
  expect(screen.queryByRole('button', { name: /checkpoints/ })).toBeNull();
});
