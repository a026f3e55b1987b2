import { useEffect } from 'react';
import { TEXT_FIELDS } from '../shared/use-escape.ts';
import { doubled, halved } from '../state/experiment/experiment.ts';
import type { Workspace } from '../state/workspace/workspace.ts';

/** Meaning of a key press while no text field has the focus. */
export type Command = 'palette' | 'shortcuts' | 'undo' | 'redo' | 'cancel' | 'double' | 'halve' | number;

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** @param typing whether the focus is where text is typed */
export function commandOf(press: KeyPress, typing: boolean, screens: number): Command | null {
  const { key, shiftKey, altKey } = press;
  if (altKey) return null;
  if (press.ctrlKey || press.metaKey) {
    if (key.toLowerCase() === 'k') return 'palette';
    if (typing) return null;
    if (key.toLowerCase() === 'z') return shiftKey ? 'redo' : 'undo';
    return key.toLowerCase() === 'y' ? 'redo' : null;
  }
  if (typing) return null;
  if (key === 'Escape') return 'cancel';
  if (key === '?') return 'shortcuts';
  if (key === ']') return 'double';
  if (key === '[') return 'halve';
  const screen = Number(key);
  return Number.isInteger(screen) && screen >= 1 && screen <= screens && key !== ' ' ? screen - 1 : null;
}

const OPEN_LAYERS = '[role="dialog"], [role="menu"], [role="listbox"]';

export function useShortcuts(workspace: Workspace, screens: readonly string[]): void {
  useEffect(() => {
    const run = (command: Command): void => {
      const { experiment: store, comparison, networks, runs, page } = workspace;
      const { experiment, screen } = store.get();
      if (typeof command === 'number') store.goTo(screens[command] ?? screen);
      else if (command === 'undo' || command === 'redo') store[command]();
      else if (command === 'double') store.change({ ...experiment, batch: doubled(experiment.batch) });
      else if (command === 'halve') store.change({ ...experiment, batch: halved(experiment.batch) });
      else if (command === 'cancel') {
        comparison.cancel();
        networks.cancel();
        runs.cancel();
      } else page.openDialog(command);
    };
    const press = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      const command = commandOf(event, target?.closest(TEXT_FIELDS) != null, screens.length);
      if (command === null || event.defaultPrevented) return;
      if (workspace.page.get().dialog !== null) return;
      // An open menu takes Escape and letters for itself.
      if (command !== 'palette' && isShown(document.querySelectorAll(OPEN_LAYERS))) return;
      event.preventDefault();
      run(command);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [workspace, screens]);
}

function isShown(elements: NodeListOf<Element>): boolean {
  return [...elements].some((element) => element.getClientRects().length > 0);
}
