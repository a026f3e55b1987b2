import { contextBridge, ipcRenderer } from 'electron';
import { BRIDGE_NAME, type DesktopBridge, PORT_MESSAGE, PORT_REQUEST } from './contract/desktop.ts';

/**
 * The only code between the page and the shell: it can ask for a message port, and hands the port on.
 * A port cannot cross the context bridge, so it goes as a message of the window to itself.
 */
const bridge: DesktopBridge = { requestPort: () => ipcRenderer.send(PORT_REQUEST) };

ipcRenderer.on(PORT_MESSAGE, (event) => window.postMessage(PORT_MESSAGE, '*', [...event.ports]));
contextBridge.exposeInMainWorld(BRIDGE_NAME, bridge);
