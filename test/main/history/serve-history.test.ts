import { describe, expect, it } from 'vitest';
import type { FromHistory, ToHistory } from '../../../main/history/protocol.ts';
import type { RunHistory } from '../../../main/history/run-history.ts';
import { serveHistory } from '../../../main/history/serve-history.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { requestOf, startEvent } from './events.ts';

/** A served history that writes down what it is asked for. */
function served() {
  const said: FromHistory[] = [];
  const asked: unknown[] = [];
  const state = { problem: null as string | null };
  const history = {
    get problem() {
      return state.problem;
    },
    list: () => ({ runs: [] }),
    open(id: string) {
      throw id === 'gone' ? new BadInputError('this run is gone') : new Error('a mistake');
    },
    annotate(...input: unknown[]) {
      asked.push(['annotate', this === history, ...input]);
    },
    recorder(...input: unknown[]) {
      asked.push(['recorder', ...input]);
      return {
        take: (event: unknown) => asked.push(['take', event]),
        end: (...how: unknown[]) => asked.push(['end', ...how]),
      };
    },
  };
  let send: (message: ToHistory) => void = () => undefined;
  const folders: string[] = [];
  serveHistory(
    {
      send: (message) => said.push(message),
      onMessage(listener) {
        send = listener;
      },
    },
    (folder) => {
      folders.push(folder);
      return history as unknown as RunHistory;
    },
  );
  return { said, asked, state, folders, send: (message: ToHistory) => send(message) };
}

const list: ToHistory = { type: 'call', id: 1, name: 'list', input: [] };
const run = { key: 9, id: 'a', spare: 'b', source: 'lab', begunMs: 5, request: requestOf() } as const;

describe('the process of the history', () => {
  it('is ready at once, and hears nothing before it is told its folder', () => {
    const { said, send, folders } = served();
    expect(said).toEqual([{ type: 'ready' }]);
    send(list);
    send({ type: 'begin', run: { ...run, resumed: null } });
    expect([said, folders]).toEqual([[{ type: 'ready' }], []]);
    send({ type: 'folder', folder: '/a/folder' });
    expect(folders).toEqual(['/a/folder']);
    send(list);
    expect(said.slice(1)).toEqual([{ type: 'answer', id: 1, value: { runs: [] } }]);
  });

  it('passes calls on with all that they bring, and answers what they throw by its kind', () => {
    const { said, asked, send } = served();
    send({ type: 'folder', folder: '/a/folder' });
    send({ type: 'call', id: 2, name: 'annotate', input: [{ id: 'a', name: 'mine' }] });
    expect(asked).toEqual([['annotate', true, { id: 'a', name: 'mine' }]]);
    send({ type: 'call', id: 3, name: 'open', input: ['gone'] });
    send({ type: 'call', id: 4, name: 'open', input: ['other'] });
    expect(said.slice(1)).toMatchObject([
      { type: 'answer', id: 2, value: undefined },
      { type: 'refusal', id: 3, failure: { code: 'BAD_INPUT', message: 'this run is gone' } },
      { type: 'refusal', id: 4, failure: { code: 'INTERNAL' } },
    ]);
  });

  it('has each run recorded from its beginning to its end, which it answers once it is written', () => {
    const { said, asked, send } = served();
    send({ type: 'folder', folder: '/a/folder' });
    send({ type: 'begin', run: { ...run, resumed: null } });
    expect(asked).toEqual([['recorder', run.request, 'lab', { id: 'a', spare: 'b', begunMs: 5 }]]);
    const event = startEvent();
    send({ type: 'take', key: 9, event });
    send({ type: 'take', key: 8, event });
    send({ type: 'end', id: 7, key: 9, outcome: 'failed', failure: 'No room.' });
    expect(asked.slice(1)).toEqual([
      ['take', event],
      ['end', 'failed', 'No room.'],
    ]);
    expect(said.slice(1)).toEqual([{ type: 'answer', id: 7, value: null }]);
    // It is over, and so is a run that this process never knew.
    send({ type: 'take', key: 9, event });
    send({ type: 'end', id: 6, key: 9, outcome: 'over', failure: null });
    expect(asked).toHaveLength(3);
    expect(said.at(-1)).toEqual({ type: 'answer', id: 6, value: null });
  });

  it('hands on what another process knew of a run', () => {
    const { asked, send } = served();
    const resumed = { content: {} as never, sawLast: true };
    send({ type: 'folder', folder: '/a/folder' });
    send({ type: 'begin', run: { ...run, resumed } });
    expect(asked).toEqual([['recorder', run.request, 'lab', { id: 'a', spare: 'b', begunMs: 5, resumed }]]);
  });

  it('tells what keeps runs from being kept when that changes, and only then', () => {
    const { said, state, send } = served();
    send({ type: 'folder', folder: '/a/folder' });
    state.problem = 'The disk is full.';
    send({ type: 'take', key: 1, event: startEvent() });
    send({ type: 'take', key: 1, event: startEvent() });
    state.problem = null;
    send(list);
    expect(said.slice(1)).toEqual([
      { type: 'problem', problem: 'The disk is full.' },
      { type: 'answer', id: 1, value: { runs: [] } },
      { type: 'problem', problem: null },
    ]);
  });
});
