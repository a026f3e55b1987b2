import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freshFolder } from './folders.ts';

type Listener = (...values: unknown[]) => void;

/** What the process of the history listens to, by name of the event. */
let heard: Map<string, Listener>;
let ended: unknown[];
const own = Object.fromEntries(
  ['send', 'connected', 'parentPort'].map((name) => [name, Object.getOwnPropertyDescriptor(process, name)]),
);
const define = (name: string, value: unknown): void => {
  Object.defineProperty(process, name, { value, configurable: true, writable: true });
};

beforeEach(() => {
  heard = new Map();
  ended = [];
  vi.resetModules();
  vi.spyOn(process, 'on').mockImplementation((event, listener) => {
    heard.set(String(event), listener as Listener);
    return process;
  });
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    ended.push(code);
    return undefined as never;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const [name, descriptor] of Object.entries(own)) {
    if (descriptor === undefined) Reflect.deleteProperty(process, name);
    else Object.defineProperty(process, name, descriptor);
  }
});

const begin = () => import('../../../main/history/process.ts');
const list = { type: 'call', id: 1, name: 'list', input: [] };

describe('the process that has the database', () => {
  it('as a child of Node answers over its channel, and ends with it alone', async () => {
    const said: unknown[] = [];
    const folder = freshFolder();
    define('send', (message: unknown, told: Listener) => {
      said.push(message);
      // A host that is gone is no error of this process.
      told(new Error('closed'));
    });
    define('connected', true);
    await begin();
    expect(said).toEqual([{ type: 'ready' }]);
    heard.get('message')?.({ type: 'folder', folder });
    heard.get('message')?.(list);
    expect(said[1]).toMatchObject({ type: 'answer', id: 1, value: { runs: [], folder, problem: null } });
    heard.get('message')?.({ type: 'call', id: 2, name: 'close', input: [] });
    // A terminal ends all of its processes at once; the host says when this one is to end.
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM']) heard.get(signal)?.();
    expect(ended).toEqual([]);
    expect([...heard.keys()].sort()).toEqual([
      ...['SIGHUP', 'SIGINT', 'SIGTERM'],
      ...['disconnect', 'message', 'unhandledRejection'],
    ]);
    heard.get('disconnect')?.();
    expect(ended).toEqual([0]);
  });

  it('says nothing to a host that is gone', async () => {
    const said: unknown[] = [];
    define('send', (message: unknown) => said.push(message));
    define('connected', false);
    await begin();
    expect(said).toEqual([]);
  });

  it('as a utility process of the desktop answers over its port, and listens to no signal', async () => {
    const said: unknown[] = [];
    const listeners = new Map<string, (event: { readonly data: unknown }) => void>();
    define('parentPort', {
      postMessage: (message: unknown) => said.push(message),
      on: (event: string, listener: (event: { readonly data: unknown }) => void) =>
        listeners.set(event, listener),
    });
    define('connected', true);
    define('send', () => said.push('over the wrong channel'));
    await begin();
    const folder = freshFolder();
    listeners.get('message')?.({ data: { type: 'folder', folder } });
    listeners.get('message')?.({ data: list });
    expect(said).toMatchObject([{ type: 'ready' }, { type: 'answer', id: 1, value: { folder } }]);
    listeners.get('message')?.({ data: { type: 'call', id: 2, name: 'close', input: [] } });
    expect([...heard.keys()]).toEqual(['unhandledRejection']);
  });
});
