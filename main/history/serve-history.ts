import { failureFrom } from '../host/failure.ts';
import type { HostPort } from '../host/host-port.ts';
import type { FromHistory, HistoryCall, ToHistory } from './protocol.ts';
import { RunHistory } from './run-history.ts';

/** Answers a host, whose first message names the folder. */
export function serveHistory(
  port: HostPort<FromHistory, ToHistory>,
  make: (folder: string, mustExist: boolean) => RunHistory = (folder, mustExist) =>
    new RunHistory({ folder, mustExist }),
): void {
  let history: RunHistory | null = null;
  port.onMessage((message) => {
    if (message.type === 'folder') history = make(message.folder, message.mustExist);
    else if (history !== null) port.send(answerTo(history, message));
  });
  port.send({ type: 'ready' });
}

function answerTo(history: RunHistory, { id, name, input }: HistoryCall): FromHistory {
  try {
    // Each name has its own input, which a union type cannot express.
    const method = history[name] as (...values: unknown[]) => unknown;
    return { type: 'answer', id, value: method.apply(history, [...input]) };
  } catch (error) {
    return { type: 'refusal', id, failure: failureFrom(error) };
  }
}
