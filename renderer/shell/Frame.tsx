import { Suspense } from 'react';
import { CONNECTION_LOST } from '../../app/contract/client.ts';
import { ExperimentBar } from './experiment-bar/ExperimentBar.tsx';
import { DropLayer } from './DropLayer.tsx';
import { FileDialog } from './FileDialog.tsx';
import { FileNotice } from './FileNotice.tsx';
import { WayBack } from '../screens/learn/contents/WayBack.tsx';
import { useStore } from '../shared/store.ts';
import { writeAddress } from '../state/experiment/address.ts';
import { isLecture } from '../state/learn/page-state.ts';
import { isEmbedded } from '../state/page/embedded.ts';
import {
  useCatalog,
  useConnectionState,
  useLabPart,
  useLabView,
  useWorkspace,
} from '../state/workspace/use-workspace.ts';
import { AboutDialog } from './AboutDialog.tsx';
import classes from './frame.module.css';
import { NoAccess } from './NoAccess.tsx';
import { Palette } from './Palette.tsx';
import { Rail } from './Rail.tsx';
import { SCREEN_IDS, SCREENS } from './screens.tsx';
import { ShortcutsDialog } from './ShortcutsDialog.tsx';
import { TorchDialog } from './TorchDialog.tsx';
import { useDesktop } from './use-desktop.ts';
import { usePaper } from './use-paper.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { Button } from '@mantine/core';
import { NoAccessError } from '../../app/contract/client.ts';
import { asSentence } from '../shared/format/sentence.ts';
import layout from '../shared/layout/layout.module.css';

const MODIFIER = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

export function Frame() {
  usePaper();
  const isRefused = useConnectionState() === 'refused';
  const { loaded } = useCatalog();
  if (isRefused && !loaded) return <NoAccess />;
  return isEmbedded() ? <EmbeddedFrame /> : <LabFrame />;
}

function Content({ id }: { readonly id: string }) {
  const screen = SCREENS.find((one) => one.id === id) ?? SCREENS[0];
  return (
    <main
      id="content"
      className={classes['content']}
      tabIndex={-1}
      aria-label={screen?.label}
      data-screen={screen?.id}
    >
      <Suspense fallback={null}>{screen && <screen.View key={screen.id} />}</Suspense>
    </main>
  );
}

function EmbeddedFrame() {
  const view = useLabView();
  return (
    <div className={classes['embedded']}>
      <Banner />
      <WayBack />
      <Content id={view.screen} />
      <footer className={classes['whole']}>
        <a href={`./${writeAddress(view)}`} target="_blank" rel="noreferrer">
          Open in Zigzag
        </a>
      </footer>
    </div>
  );
}

function LabFrame() {
  const workspace = useWorkspace();
  const screenId = useLabPart((view) => view.screen);
  const isShownToRoom = useLabPart((view) => view.screen === 'learn' && isLecture(view.view));
  const dialog = useStore(workspace.page, (state) => state.dialog);
  useShortcuts(workspace, SCREEN_IDS);
  useDesktop(workspace, MODIFIER);

  return (
    <div className={classes['frame']} data-alone={isShownToRoom || undefined}>
      <button type="button" className={classes['skip']} onClick={skipToContent}>
        Skip to the content
      </button>
      {!isShownToRoom && <Rail />}
      <div className={classes['column']}>
        {!isShownToRoom && <ExperimentBar modifier={MODIFIER} />}
        <Banner />
        <FileNotice screen={screenId} />
        <WayBack />
        <Content id={screenId} />
      </div>
      <Palette opened={dialog === 'palette'} modifier={MODIFIER} />
      <ShortcutsDialog opened={dialog === 'shortcuts'} modifier={MODIFIER} />
      <AboutDialog opened={dialog === 'about'} />
      <FileDialog opened={dialog === 'file'} />
      <TorchDialog opened={dialog === 'torch'} />
      <DropLayer />
    </div>
  );
}

/** A button and not a link, because the address belongs to the experiment. */
function skipToContent(): void {
  document.getElementById('content')?.focus();
}

function Banner() {
  const { catalog, experiment } = useWorkspace();
  const connection = useConnectionState();
  const { failure } = useCatalog();
  const { notices } = useLabView();

  if (connection === 'lost') {
    return (
      <div className={layout['banner']} role="alert">
        <span>{CONNECTION_LOST} Results on screen stay.</span>
        <Button variant="default" onClick={() => window.location.reload()}>
          Reload the page
        </Button>
      </div>
    );
  }
  if (connection === 'refused') {
    return (
      <div className={layout['banner']} role="alert">
        <span>{new NoAccessError().message}</span>
      </div>
    );
  }
  if (failure !== null) {
    return (
      <div className={layout['banner']} role="alert">
        <span>{asSentence(failure.message)}</span>
        <Button variant="default" onClick={() => void catalog.load()}>
          Try again
        </Button>
      </div>
    );
  }
  if (notices.length > 0) {
    return (
      <div className={layout['banner']} role="status">
        <span>{notices.join(' ')}</span>
        <Button variant="default" onClick={experiment.dismissNotices}>
          Dismiss
        </Button>
      </div>
    );
  }
  return null;
}
