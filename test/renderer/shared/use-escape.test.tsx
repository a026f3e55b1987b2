// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useEscape } from '../../../renderer/shared/use-escape.ts';

function Work({ onCancel }: { readonly onCancel: () => void }) {
  useEscape(onCancel);
  return (
    <div role="dialog">
      <button type="button">Close</button>
    </div>
  );
}

it('leaves the key to a dialog that closes on it', () => {
  let cancels = 0;
  render(<Work onCancel={() => (cancels += 1)} />);
  const press = (target: Element): void => {
    target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }));
  };
  const dialog = screen.getByRole('dialog');
  window.addEventListener('keydown', () => dialog.remove(), { capture: true, once: true });
  press(screen.getByRole('button'));
  expect(dialog.isConnected).toBe(false);
  expect(cancels).toBe(0);
  press(document.body);
  expect(cancels).toBe(1);
});
