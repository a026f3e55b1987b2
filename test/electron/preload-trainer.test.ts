import { afterEach, expect, it, vi } from 'vitest';
import { TRAINER_PORT_MESSAGE } from '../../app/contract/desktop.ts';

const electron = vi.hoisted(() => ({
  listeners: new Map<string, (event: { ports: unknown[] }) => void>(),
}));

vi.mock('electron', () => ({
  ipcRenderer: {
    once: (channel: string, listener: (event: { ports: unknown[] }) => void) =>
      electron.listeners.set(channel, listener),
  },
}));

afterEach(() => vi.unstubAllGlobals());

it("the preload script of the trainer's window passes the port to its own page and exposes nothing", async () => {
  const window = { postMessage: vi.fn() };
  vi.stubGlobal('window', window);
  await import('../../app/preload-trainer.ts');
  const port = {};
  electron.listeners.get(TRAINER_PORT_MESSAGE)?.({ ports: [port] });
  expect(window.postMessage.mock.calls).toEqual([[TRAINER_PORT_MESSAGE, '*', [port]]]);
  expect(Object.keys(window)).toEqual(['postMessage']);
});
