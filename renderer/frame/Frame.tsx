import { useMantineColorScheme } from '@mantine/core';
import { useMemo } from 'react';
import { ExperimentBar } from '../experiment/ExperimentBar.tsx';
import { useStore } from '../shared/store.ts';
import { useCatalog, useLabView, useWorkspace } from '../use-workspace.ts';
import { AboutDialog } from './AboutDialog.tsx';
import { frameStore } from './actions.ts';
import { Banner } from './Banner.tsx';
import { copyLink } from './copy-link.ts';
import classes from './frame.module.css';
import { labActions } from './lab-actions.ts';
import { Palette } from './Palette.tsx';
import { Rail } from './Rail.tsx';
import { SCREEN_IDS, SCREENS } from './screens.tsx';
import { ShortcutsDialog } from './ShortcutsDialog.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const MODIFIER = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

/** Rail, experiment bar and the screen in front. */
export function Frame() {
  const workspace = useWorkspace();
  const view = useLabView();
  const catalog = useCatalog();
  const { setColorScheme } = useMantineColorScheme();
  const { dialog, screenActions } = useStore(frameStore);
  useShortcuts(workspace, SCREEN_IDS);
  const screen = SCREENS.find(({ id }) => id === view.screen) ?? SCREENS[0];

  // biome-ignore lint/correctness/useExhaustiveDependencies: titles and choices of the actions come from these
  const actions = useMemo(
    () => [
      ...screenActions,
      ...labActions({
        workspace,
        screens: SCREENS,
        setTheme: setColorScheme,
        copyLink: () => void copyLink(),
        modifier: MODIFIER,
      }),
    ],
    [workspace, screenActions, setColorScheme, catalog, view.experiment],
  );

  return (
    <div className={classes['frame']}>
      <button type="button" className={classes['skip']} onClick={skipToContent}>
        Skip to the content
      </button>
      <Rail />
      <div className={classes['column']}>
        <ExperimentBar modifier={MODIFIER} />
        <Banner />
        <main id="content" className={classes['content']} tabIndex={-1} aria-label={screen?.label}>
          {screen && <screen.View key={screen.id} />}
        </main>
      </div>
      <Palette opened={dialog === 'palette'} actions={actions} />
      <ShortcutsDialog opened={dialog === 'shortcuts'} modifier={MODIFIER} />
      <AboutDialog opened={dialog === 'about'} />
    </div>
  );
}

/** A button and not a link, because the address belongs to the experiment. */
function skipToContent(): void {
  document.getElementById('content')?.focus();
}
