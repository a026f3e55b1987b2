import { HistoryClient } from '../../../main/history/client.ts';
import type { FromHistory, ToHistory } from '../../../main/history/protocol.ts';

/** A history's process as a test plays it: what it was sent, and what it says or how it ends. */
export interface ScriptedProcess {
  readonly sent: ToHistory[];
  isKilled: boolean;
  say(message: FromHistory): void;
  die(reason?: string): void;
  /** Answers the call of that name that was sent last. */
  answer(name: string, value: unknown): void;
}

export interface ScriptedClient {
  readonly client: HistoryClient;
  /** Every process that was started, the first first. */
  readonly started: ScriptedProcess[];
  /** Types of the messages to one of them; names of calls. */
  told(index: number): string[];
}

export function scriptedClient(by: 'usual' | 'choice' = 'usual'): ScriptedClient {
  const started: ScriptedProcess[] = [];
  const spawn = () => {
    let say: (message: FromHistory) => void = () => undefined;
    let die: (reason: string) => void = () => undefined;
    const sent: ToHistory[] = [];
    const scripted: ScriptedProcess = {
      sent,
      isKilled: false,
      say: (message) => say(message),
      die: (reason = 'killed by SIGKILL') => die(reason),
      answer(name, value) {
        const call = sent.findLast((one) => one.type === 'call' && one.name === name);
        if (call?.type !== 'call') throw new Error(`nobody called ${name}`);
        say({ type: 'answer', id: call.id, value });
      },
    };
    started.push(scripted);
    return {
      send: (message: ToHistory) => void sent.push(message),
      onMessage(listener: (message: FromHistory) => void) {
        say = listener;
      },
      onExit(listener: (reason: string) => void) {
        die = listener;
      },
      kill() {
        scripted.isKilled = true;
      },
    };
  };
  return {
    client: new HistoryClient(spawn, { folder: '/a/folder', by }),
    started,
    told: (index) => started[index]!.sent.map((one) => (one.type === 'call' ? one.name : one.type)),
  };
}
