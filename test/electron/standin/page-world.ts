import type * as Electron from 'electron';
import { decode, encode } from './codec.ts';
import type { PageMessage, ToPage } from './wire.ts';

/**
 * Runs in the isolated world of a page, before its own scripts: what a sandboxed preload script finds of Electron there.
 * A world is all that is isolated; the process is the page's own.
 */

type Listener = Parameters<Electron.IpcRenderer['on']>[1];
declare const toShell: (message: string) => void;
declare const runPreload: (require: (name: string) => unknown) => void;

/** Events by which this world and the page's own reach each other: `MAIN_WORLD` of page-scripts.ts hears them. */
const EXPOSE = 'standin:expose';
const CALL = 'standin:call:';
const CLOSE = 'standin:close';

const listeners = new Map<string, { listener: Listener; isOnce: boolean }[]>();
const ports = new Map<number, MessagePort>();
const tell = (message: PageMessage): void => toShell(JSON.stringify(message));

function listen(channel: string, listener: Listener, isOnce: boolean): void {
  listeners.set(channel, [...(listeners.get(channel) ?? []), { listener, isOnce }]);
}

const ipcRenderer: Pick<Electron.IpcRenderer, 'send'> & Record<'on' | 'once', unknown> = {
  on: (channel: string, listener: Listener) => listen(channel, listener, false),
  once: (channel: string, listener: Listener) => listen(channel, listener, true),
  send: (channel, ...args) => tell({ type: 'ipc-send', channel, args: args.map(encode) }),
};

const contextBridge: Pick<Electron.ContextBridge, 'exposeInMainWorld'> = {
  exposeInMainWorld(name, api: Record<string, (...args: unknown[]) => void>) {
    document.addEventListener(`${CALL}${name}`, ({ detail }: CustomEventInit<string>) => {
      const { key, args } = JSON.parse(detail ?? '') as { key: string; args: unknown[] };
      api[key]?.(...args);
    });
    const detail = JSON.stringify({ name, keys: Object.keys(api) });
    document.dispatchEvent(new CustomEvent(EXPOSE, { detail }));
  },
};

function open(port: number): MessagePort {
  const { port1, port2 } = new MessageChannel();
  ports.set(port, port1);
  port1.onmessage = ({ data }) => tell({ type: 'port-message', port, message: encode(data) });
  port1.addEventListener('close', () => {
    if (ports.delete(port)) tell({ type: 'port-closed', port });
  });
  return port2;
}

function hear(message: ToPage): void {
  if (message.type === 'deliver') ports.get(message.port)?.postMessage(decode(message.message));
  else if (message.type === 'close') {
    const port = ports.get(message.port);
    ports.delete(message.port);
    port?.close();
  } else {
    const { channel } = message;
    const heard = listeners.get(channel) ?? [];
    listeners.set(
      channel,
      heard.filter(({ isOnce }) => !isOnce),
    );
    const event = {
      ports: message.ports.map(open),
      sender: ipcRenderer,
    } as unknown as Electron.IpcRendererEvent;
    for (const { listener } of heard) listener(event, decode(message.message));
  }
}

document.addEventListener(CLOSE, () => tell({ type: 'window-close' }));
Object.assign(globalThis, { hearShell: hear });
runPreload((name) => {
  if (name !== 'electron') throw new Error(`module not found: ${name}`);
  return { ipcRenderer, contextBridge };
});
