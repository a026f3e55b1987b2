// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ShortcutsDialog } from '../../renderer/shell/ShortcutsDialog.tsx';
import { renderLab } from '../renderer/support/render-lab.tsx';

it('docs/reference/keyboard.md lists the keys of the lab’s dialog', async () => {
  const { workspace } = await renderLab(<ShortcutsDialog opened modifier="Ctrl (Cmd)" />);
  act(() => workspace.page.openDialog('shortcuts'));
  const rows = (await screen.findAllByRole('term')).map(
    (term) => `| ${term.textContent} | ${term.nextElementSibling?.textContent ?? ''} |`,
  );
  expect(rows.length).toBeGreaterThan(10);
  const page = [
    "<!-- Written from the lab's dialog: npx vitest run test/docs/keyboard.test.tsx -u -->",
    '',
    '# Keyboard',
    '',
    'Everything can be reached with <kbd>Tab</kbd>; <kbd>?</kbd> shows this list in the lab.',
    '',
    '| keys | what they do |',
    '| --- | --- |',
    ...rows,
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../../docs/reference/keyboard.md');
});
