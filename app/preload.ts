import { contextBridge, ipcRenderer } from 'electron';
import {
  BRIDGE_NAME,
  type DesktopBridge,
  LISTENING,
  PORT_MESSAGE,
  PORT_REQUEST,
  TOLD,
} from './contract/desktop.ts';

/**
 * The only code between the page and the shell: it can ask for a message port, and hands the port on;
 * and it can listen to what the program was asked for. Events of Electron's own stay here. A port cannot cross the context bridge, so it goes as a message of the window to itself.
 */
const bridge: DesktopBridge = {
  requestPort: () => ipcRenderer.send(PORT_REQUEST),
  listen: () => ipcRenderer.send(LISTENING),
};

ipcRenderer.on(PORT_MESSAGE, (event) => window.postMessage(PORT_MESSAGE, '*', [...event.ports]));
ipcRenderer.on(TOLD, (_event, told: unknown) => window.postMessage({ [TOLD]: told }, '*'));
contextBridge.exposeInMainWorld(BRIDGE_NAME, bridge);
