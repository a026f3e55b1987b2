import type { IpcMain, IpcMainEvent, MessageChannelMain, WebContents } from 'electron';
import { PORT_MESSAGE, PORT_REQUEST } from '../../app/contract/desktop.ts';
import { servePort } from '../host/carriers.ts';
import type { LabRouter } from '../host/router.ts';
import { isLabAddress } from './address.ts';

/**
 * Gives the lab's page, and no other, a message port for the contract. A page that reloads or crashes loses its port,
 * which aborts its requests; the new page asks for another port.
 */
export function servePorts(
  ipcMain: Pick<IpcMain, 'on'>,
  Channel: new () => MessageChannelMain,
  router: LabRouter,
): void {
  const watched = new WeakSet<WebContents>();
  const hangUps = new Map<number, () => void>();
  const hangUp = (page: number): void => {
    hangUps.get(page)?.();
    hangUps.delete(page);
  };
  ipcMain.on(PORT_REQUEST, (event) => {
    const { sender, senderFrame: frame } = event;
    if (frame === null || !isLabFrame(frame)) return;
    // The port reports when it closes, but not for every way in which a page can end.
    if (!watched.has(sender)) {
      watched.add(sender);
      sender.on('render-process-gone', () => hangUp(sender.id));
      sender.once('destroyed', () => hangUp(sender.id));
    }
    hangUp(sender.id);
    const { port1, port2 } = new Channel();
    const end = servePort(router, port1);
    hangUps.set(sender.id, () => {
      end();
      port1.close();
    });
    port1.start();
    frame.postMessage(PORT_MESSAGE, null, [port2]);
  });
}

/** The lab's page itself, not a frame inside it or another page in its place. */
function isLabFrame(frame: NonNullable<IpcMainEvent['senderFrame']>): boolean {
  return frame.parent === null && isLabAddress(frame.url);
}
