import './early-key-and-policy.ts';
import { createRoot } from 'react-dom/client';
import { labConnection, styleNonce } from '../app/contract/connect.ts';
import { App } from './shell/App.tsx';
import { readAddress } from './state/experiment/address.ts';
import { syncAddress } from './state/experiment/sync-address.ts';
import { fetchScreens, SCREEN_IDS } from './shell/screens.tsx';
import { createWorkspace } from './state/workspace/workspace.ts';

/** The first screen comes first. */
const OTHER_SCREENS_MS = 3000;

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');

const workspace = createWorkspace(labConnection(), readAddress(window.location.hash, SCREEN_IDS), SCREEN_IDS);
workspace.start();
syncAddress(workspace.experiment, SCREEN_IDS, window);
createRoot(root).render(<App workspace={workspace} nonce={styleNonce()} />);
setTimeout(() => void fetchScreens(), OTHER_SCREENS_MS);
