import type { HostPort } from '../host/host-port.ts';
import { failureFrom } from '../host/failure.ts';
import type { BegunRun, FromHistory, HistoryCall, ToHistory } from './protocol.ts';
import type { RunRecorder } from './recorder.ts';
import { RunHistory } from './run-history.ts';

/** Answers a host. The first message names the folder; those before it there are none. */
export function serveHistory(
  port: HostPort<FromHistory, ToHistory>,
  make: (folder: string, mustExist: boolean) => RunHistory = (folder, mustExist) =>
    new RunHistory({ folder, mustExist }),
): void {
  let history: RunHistory | null = null;
  let problem: string | null = null;
  const recorders = new Map<number, RunRecorder>();

  const tellProblem = (): void => {
    if (history === null || history.problem === problem) return;
    problem = history.problem;
    port.send({ type: 'problem', problem });
  };
  const begin = (opened: RunHistory, { key, request, source, resumed, ...known }: BegunRun): void => {
    const more = resumed === null ? known : { ...known, resumed };
    recorders.set(key, opened.recorder(request, source, more));
  };

  port.onMessage((message) => {
    if (message.type === 'folder') {
      history = make(message.folder, message.mustExist === true);
    } else if (history !== null) {
      if (message.type === 'begin') begin(history, message.run);
      else if (message.type === 'take') recorders.get(message.key)?.take(message.event);
      else if (message.type === 'call') port.send(answerTo(history, message));
      else {
        recorders.get(message.key)?.end(message.outcome, message.failure);
        recorders.delete(message.key);
        port.send({ type: 'answer', id: message.id, value: null });
      }
    }
    tellProblem();
  });
  port.send({ type: 'ready' });
}

function answerTo(history: RunHistory, { id, name, input }: HistoryCall): FromHistory {
  try {
    // Each name with its own input, which the types of a union do not say.
    const method = history[name] as (...values: unknown[]) => unknown;
    return { type: 'answer', id, value: method.apply(history, [...input]) };
  } catch (error) {
    return { type: 'refusal', id, failure: failureFrom(error) };
  }
}
