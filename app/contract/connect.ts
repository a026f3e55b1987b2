import { createLabLink, type LabClient, NoAccessError } from './client.ts';
import { createLabConnection, type DialledCarrier, type LabConnection } from './connection.ts';
import { BRIDGE_NAME, type DesktopBridge, PORT_MESSAGE, TOLD } from './desktop.ts';
import { isAdmitted, sessionKey } from './session.ts';
import { siteHost } from './site.ts';
import { type Told, toldSchema } from './told.ts';
import { SOCKET_PATH, SOCKET_PROTOCOL, TOKEN_PROTOCOL_PREFIX } from './socket.ts';

const QUIT_AND_START =
  'The lab does not answer. Quit Zigzag and start it again; its log file (menu Help) may show why.';

const NO_WORKER =
  'The solver could not start: this browser does not support module workers, or files of this site are missing. Open the page in a current browser.';

let connection: LabConnection | null = null;

/** The page's one connection to the lab, dialled at the first call. For a page only. */
export function labConnection(): LabConnection {
  connection ??= newConnection();
  return connection;
}

function newConnection(): LabConnection {
  if (bridge() !== undefined) return createLabConnection(dialDesktop, undefined, QUIT_AND_START, 'desktop');
  const worker = siteHost();
  if (worker === null) return createLabConnection(dialSocket);
  return createLabConnection(() => dialWorker(worker), undefined, NO_WORKER, 'site');
}

/**
 * The client of the page's one connection, once a carrier is open: the desktop's message port when the
 * preload script is there, a worker's on the static site, else a WebSocket to the page's origin. Reconnects by itself; what it is
 * doing is `labConnection().state`.
 *
 * @throws DisconnectedError when the lab does not answer within 10 s; attempts go on nevertheless
 */
export async function connectLab(): Promise<LabClient> {
  const lab = labConnection();
  await lab.opened();
  return lab.client;
}

/**
 * The nonce that the page's content security policy allows for injected style elements (Mantine's
 * `getStyleNonce`); empty where there is no policy, as in a unit test.
 */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

/** Takes what the desktop program was asked for from outside the page; never called in a browser. */
export function listenToDesktop(listener: (told: Told) => void): void {
  if (bridge() === undefined) return;
  window.addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    if (source !== window || typeof data !== 'object' || data === null || !(TOLD in data)) return;
    const told = toldSchema.safeParse(data[TOLD]);
    if (told.success) listener(told.data);
  });
  bridge()?.listen();
}

function bridge(): DesktopBridge | undefined {
  return (window as unknown as Record<string, DesktopBridge | undefined>)[BRIDGE_NAME];
}

/** Asks the preload script for a port; it arrives as a message of this very window. */
function dialDesktop(): Promise<DialledCarrier> {
  return new Promise((resolve) => {
    const receive = (event: MessageEvent): void => {
      const [port] = event.ports;
      if (event.source !== window || event.data !== PORT_MESSAGE || port === undefined) return;
      window.removeEventListener('message', receive);
      const closed = new Promise<void>((done) => port.addEventListener('close', () => done()));
      const link = createLabLink({ port });
      port.start();
      resolve({ link, closed, close: () => port.close() });
    };
    window.addEventListener('message', receive);
    bridge()?.requestPort();
  });
}

/** Starts the worker that is the lab's host on the static site. One that could not be loaded is closed. */
async function dialWorker(address: string): Promise<DialledCarrier> {
  const worker = new Worker(new URL(address, document.baseURI), { type: 'module', name: 'host' });
  const { port1, port2 } = new MessageChannel();
  const link = createLabLink({ port: port1 });
  port1.start();
  const failed = new Promise<void>((done) => worker.addEventListener('error', () => done()));
  const close = (): void => {
    worker.terminate();
    port1.close();
    // A port tells only its other end.
    port1.dispatchEvent(new Event('close'));
  };
  const closed = failed.then(close);
  worker.postMessage(null, [port2]);
  return { link, closed, close };
}

async function dialSocket(): Promise<DialledCarrier> {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const session = await sessionKey();
  if (session === null) throw new NoAccessError();
  const protocols = [SOCKET_PROTOCOL, TOKEN_PROTOCOL_PREFIX + session];
  const socket = new WebSocket(`${scheme}://${location.host}${SOCKET_PATH}`, protocols);
  socket.binaryType = 'arraybuffer';
  const link = createLabLink({ websocket: socket });
  const closed = new Promise<void>((done) => socket.addEventListener('close', () => done()));
  const opened = new Promise<void>((done) => socket.addEventListener('open', () => done()));
  const isOpen = await Promise.race([opened.then(() => true), closed.then(() => false)]);
  if (isOpen) return { link, closed, close: () => socket.close() };
  throw (await isAdmitted(session)) ? new Error('the socket closed before it opened') : new NoAccessError();
}
