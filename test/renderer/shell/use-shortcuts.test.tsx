// @vitest-environment happy-dom
import { Menu } from '@mantine/core';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useShortcuts } from '../../../renderer/shell/use-shortcuts.ts';
import { useWorkspace } from '../../../renderer/state/workspace/use-workspace.ts';
import { SCREENS } from '../support/open-lab.ts';
import { renderLab } from '../support/render-lab.tsx';

function Keys() {
  useShortcuts(useWorkspace(), SCREENS);
  return (
    <>
      <input aria-label="Field" />
      <input type="radio" aria-label="Choice" />
      <Menu>
        <Menu.Target>
          <button type="button">More</button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item>One</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

/** A page whose comparison runs until it is cancelled. */
async function keys() {
  const lab = await renderLab(<Keys />, {
    answers: {
      compare: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) }),
    },
  });
  const { experiment, comparison, page } = lab.workspace;
  await waitFor(() => expect(comparison.get().running).not.toBeNull());
  return {
    press: (text: string) => lab.user.keyboard(text),
    user: lab.user,
    view: experiment.get,
    batch: () => experiment.get().experiment.batch,
    page,
    isCancelled: () => comparison.get().cancelled,
  };
}

it('opens the screens by number, and nothing else', async () => {
  const { press, view } = await keys();
  for (const [i, id] of [...SCREENS.entries()].reverse()) {
    await press(String(i + 1));
    expect(view().screen).toBe(id);
  }
  await press('70 {Alt>}3{/Alt}{Control>}2{/Control}');
  expect(view().screen).toBe('compare');
});

it('doubles and halves the batch, undoes and redoes', async () => {
  const { press, batch } = await keys();
  await press(']]');
  expect(batch()).toBe(16);
  // A bracket of its own in user-event's language.
  await press('[[');
  expect(batch()).toBe(8);
  await press('{Control>}z{/Control}');
  expect(batch()).toBe(16);
  await press('{Meta>}{Shift>}Z{/Shift}{/Meta}');
  expect(batch()).toBe(8);
});

it.each([
  ['{Control>}k{/Control}', 'palette'],
  ['?', 'shortcuts'],
] as const)('opens a dialog at %s, which then receives all keys', async (pressed, dialog) => {
  const { press, page, view, isCancelled } = await keys();
  await press(pressed);
  expect(page.get().dialog).toBe(dialog);
  await press('2{Escape}');
  expect(view().screen).toBe('compare');
  expect(isCancelled()).toBe(false);
});

it('cancels running work at Escape', async () => {
  const { press, isCancelled } = await keys();
  expect(isCancelled()).toBe(false);
  await press('{Escape}');
  expect(isCancelled()).toBe(true);
});

it('ignores keys in text fields, except the palette’s', async () => {
  const { press, user, view, batch, page, isCancelled } = await keys();
  await user.click(screen.getByRole('textbox'));
  await press('2]?{Escape}{Control>}z{/Control}');
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('2]?');
  expect({ screen: view().screen, batch: batch(), dialog: page.get().dialog }).toEqual({
    screen: 'compare',
    batch: 4,
    dialog: null,
  });
  expect(isCancelled()).toBe(false);
  await press('{Control>}k{/Control}');
  expect(page.get().dialog).toBe('palette');
});

it('still switches screens when a choice has the focus', async () => {
  const { press, user, view } = await keys();
  await user.click(screen.getByRole('radio'));
  await press('2');
  expect(view().screen).toBe('graph');
});

it('leaves Escape and letters to an open menu, but not the palette', async () => {
  const { press, user, view, page, isCancelled } = await keys();
  const open = () => user.click(screen.getByRole('button', { name: 'More' }));
  await open();
  await screen.findByRole('menu');
  await press('2');
  expect(view().screen).toBe('compare');
  await press('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  expect(isCancelled()).toBe(false);
  await open();
  await screen.findByRole('menu');
  await press('{Control>}k{/Control}');
  expect(page.get().dialog).toBe('palette');
});
