import { Box, Kbd, useMantineColorScheme } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { SearchIcon } from '../shared/icons.tsx';
import { useCatalog, useLabView, useWorkspace } from '../state/workspace/use-workspace.ts';
import type { Action } from '../state/page/actions.ts';
import { DialogLayer } from './DialogFrame.tsx';
import layout from '../shared/layout/layout.module.css';
import classes from './frame.module.css';
import { labActions } from './lab-actions.ts';
import { paletteRows } from './palette-rows.ts';
import { SCREENS } from './screens.tsx';

export interface PaletteProps {
  readonly opened: boolean;
  readonly modifier: string;
}

/** Every action by name: a text field that controls a list, as in the ARIA combobox pattern. */
export function Palette({ opened, modifier }: PaletteProps) {
  return (
    <DialogLayer opened={opened} title="Command palette" size={560} isInstant>
      <PaletteList modifier={modifier} />
    </DialogLayer>
  );
}

function PaletteList({ modifier }: Pick<PaletteProps, 'modifier'>) {
  const { page } = useWorkspace();
  const { loaded } = useCatalog();
  const actions = usePaletteActions(modifier);
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const rows = paletteRows(actions, query);
  const active = Math.min(chosen, rows.length - 1);

  // Before the next key arrives: the dialog's own focus comes a task later, and what was typed in between is lost.
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => {
    list.current?.querySelector(`[data-row="${active}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const run = (action: Action | undefined): void => {
    if (action === undefined) return;
    page.openDialog(null);
    action.run();
  };
  const press = (event: KeyboardEvent): void => {
    const last = rows.length - 1;
    const moves: Record<string, number> = {
      ArrowDown: active === last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
      Home: 0,
      End: last,
    };
    const move = moves[event.key];
    if (move !== undefined) setChosen(Math.max(0, move));
    else if (event.key === 'Enter') run(rows[active]);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div className={classes['paletteField']}>
        <SearchIcon />
        <input
          ref={field}
          data-autofocus
          className={classes['paletteInput']}
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={rows.length > 0 ? `${id}-${active}` : undefined}
          aria-label="Search for an action"
          placeholder="What would you like to do?"
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={press}
        />
      </div>
      <div ref={list} id={id} role="listbox" aria-label="Actions" className={classes['paletteList']}>
        {rows.map((action, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field above takes the keys
          <div
            key={action.id}
            id={`${id}-${i}`}
            data-row={i}
            role="option"
            tabIndex={-1}
            aria-selected={i === active}
            className={classes['paletteRow']}
            onClick={() => run(action)}
            onPointerMove={() => setChosen(i)}
          >
            <Box component="span" fz={12} w={80} c="dimmed" flex="none">
              {action.group}
            </Box>
            <span className={layout['cut']}>{action.title}</span>
            {action.shortcut !== undefined && (
              <Kbd size="xs" ml="auto">
                {action.shortcut}
              </Kbd>
            )}
          </div>
        ))}
      </div>
      {rows.length === 0 && (
        <Box component="p" p="24px 16px" c="dimmed" role="status">
          {loaded
            ? 'No match. Try the name of a network, a strategy or a screen.'
            : 'No match yet. The list of networks is still loading.'}
        </Box>
      )}
    </>
  );
}

function usePaletteActions(modifier: string): readonly Action[] {
  const workspace = useWorkspace();
  const { setColorScheme } = useMantineColorScheme();
  // Titles depend on both.
  useCatalog();
  useLabView();
  return [
    ...workspace.page.offered(),
    ...labActions({ workspace, screens: SCREENS, setTheme: setColorScheme, modifier }),
  ];
}
