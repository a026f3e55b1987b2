import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltEntries, buildEntries } from '../support/built.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

let built: BuiltEntries;
const children: ChildProcess[] = [];
beforeAll(async () => {
  built = await buildEntries({ history: 'main/history/process.ts' });
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  built.remove();
});

/** Starts the process; with code that runs before its own. `said` is the next message that it sends. */
function start(code = ''): { child: ChildProcess; said: () => Promise<unknown> } {
  const child = fork(built.file('history'), [], {
    serialization: 'advanced',
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(code)}`],
  });
  children.push(child);
  const messages: unknown[] = [];
  const waiting: ((message: unknown) => void)[] = [];
  child.on('message', (message) => {
    const next = waiting.shift();
    if (next === undefined) messages.push(message);
    else next(message);
  });
  const said = () =>
    messages.length > 0 ? Promise.resolve(messages.shift()) : new Promise((resolve) => waiting.push(resolve));
  return { child, said };
}

const list = (id: number) => ({ type: 'call', id, name: 'list', input: [] });

describe('the process that owns the database', () => {
  it('as a child of Node answers over its channel, outlives the signals of a terminal, and ends with its host', async () => {
    const { child, said } = start();
    expect(await said()).toEqual({ type: 'ready' });
    const folder = freshFolder();
    child.send({ type: 'folder', folder });
    child.send(list(1));
    expect(await said()).toMatchObject({ type: 'answer', id: 1, value: { runs: [], folder, problem: null } });
    // A terminal ends all of its processes at once; the host says when this one is to end.
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) child.kill(signal);
    child.send(list(2));
    expect(await said()).toMatchObject({ type: 'answer', id: 2 });
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('sends nothing to an ended host', async () => {
    const { child } = start(`
      Object.defineProperty(process, 'connected', { value: false });
      process.send = () => process.exit(3);
      process.on('newListener', (event) => event === 'message' && setImmediate(() => process.exit(0)));`);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('as a utility process of the desktop answers over its port, and ends at a signal', async () => {
    // The port of Electron, laid over the channel of Node.
    const { child, said } = start(`
      const send = process.send.bind(process);
      process.send = () => process.exit(3);
      process.parentPort = {
        postMessage: (message) => send({ overPort: message }),
        on: (event, listener) => process.on(event, (data) => listener({ data })),
      };`);
    expect(await said()).toEqual({ overPort: { type: 'ready' } });
    const folder = freshFolder();
    child.send({ type: 'folder', folder });
    child.send(list(1));
    expect(await said()).toMatchObject({ overPort: { type: 'answer', id: 1, value: { folder } } });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  });
});
