import { expect, it } from 'vitest';
import { BadInputError } from '../../../engine/errors.ts';
import type { FromHistory, ToHistory } from '../../../main/history/protocol.ts';
import type { RunHistory } from '../../../main/history/run-history.ts';
import { serveHistory } from '../../../main/history/serve-history.ts';

it('the history process is ready at once, ignores calls before its folder, and answers each kind of call', () => {
  const said: FromHistory[] = [];
  const asked: unknown[] = [];
  const history = {
    list: () => ({ runs: [] }),
    open(id: string) {
      throw id === 'gone' ? new BadInputError('this run is gone') : new Error('a mistake');
    },
    annotate(...input: unknown[]) {
      asked.push([this === history, ...input]);
    },
  };
  let send: (message: ToHistory) => void = () => undefined;
  serveHistory(
    {
      send: (message) => said.push(message),
      onMessage(listener) {
        send = listener;
      },
    },
    (...place) => {
      asked.push(place);
      return history as unknown as RunHistory;
    },
  );
  const list: ToHistory = { type: 'call', id: 1, name: 'list', input: [] };
  send(list);
  expect([said, asked]).toEqual([[{ type: 'ready' }], []]);
  send({ type: 'folder', folder: '/a/folder', mustExist: true });
  send(list);
  send({ type: 'call', id: 2, name: 'annotate', input: [{ id: 'a', name: 'mine' }] });
  send({ type: 'call', id: 3, name: 'open', input: ['gone'] });
  send({ type: 'call', id: 4, name: 'open', input: ['other'] });
  expect(asked).toEqual([
    ['/a/folder', true],
    [true, { id: 'a', name: 'mine' }],
  ]);
  expect(said.slice(1)).toMatchObject([
    { type: 'answer', id: 1, value: { runs: [] } },
    { type: 'answer', id: 2, value: undefined },
    { type: 'refusal', id: 3, failure: { code: 'BAD_INPUT', message: 'this run is gone' } },
    { type: 'refusal', id: 4, failure: { code: 'INTERNAL' } },
  ]);
});
