import { ipcRenderer } from 'electron';
import { TRAINER_PORT_MESSAGE } from './contract/desktop.ts';

/**
 * The preload script of the trainer's hidden window: hands the shell's port on to the page, once, and
 * exposes nothing.
 */
ipcRenderer.once(TRAINER_PORT_MESSAGE, (event) => {
  window.postMessage(TRAINER_PORT_MESSAGE, '*', [...event.ports]);
});
