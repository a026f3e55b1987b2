import { EventEmitter } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import {
  BRIDGE_NAME,
  type DesktopBridge,
  LISTENING,
  PORT_MESSAGE,
  PORT_REQUEST,
  TOLD,
} from '../../app/contract/desktop.ts';

const electron = vi.hoisted(() => ({
  exposed: [] as [string, object][],
  sent: [] as unknown[][],
  listeners: new Map<string, (event: { ports: unknown[] }, told?: unknown) => void>(),
}));

vi.mock('electron', () => ({
  contextBridge: {
    exposeInMainWorld: (name: string, bridge: object) => electron.exposed.push([name, bridge]),
  },
  ipcRenderer: {
    send: (...message: unknown[]) => electron.sent.push(message),
    on: (channel: string, listener: (event: { ports: unknown[] }) => void) =>
      electron.listeners.set(channel, listener),
  },
}));

afterEach(() => vi.unstubAllGlobals());

it('the preload script exposes two functions, passes the port to its own window, and hides Electron’s events', async () => {
  const window = Object.assign(new EventEmitter(), { postMessage: vi.fn() });
  vi.stubGlobal('window', window);
  await import('../../app/preload.ts');
  expect(electron.exposed.map(([name, bridge]) => [name, Object.keys(bridge)])).toEqual([
    [BRIDGE_NAME, ['requestPort', 'listen']],
  ]);
  const bridge = electron.exposed[0]?.[1] as DesktopBridge | undefined;
  bridge?.requestPort();
  expect(electron.sent).toEqual([[PORT_REQUEST]]);
  const port = {};
  electron.listeners.get(PORT_MESSAGE)?.({ ports: [port] });
  expect(window.postMessage.mock.calls).toEqual([[PORT_MESSAGE, '*', [port]]]);
  bridge?.listen();
  expect(electron.sent.at(-1)).toEqual([LISTENING]);
  electron.listeners.get(TOLD)?.({ ports: [] }, { kind: 'action', id: 'undo' });
  expect(window.postMessage.mock.calls.at(-1)).toEqual([{ [TOLD]: { kind: 'action', id: 'undo' } }, '*']);
});
