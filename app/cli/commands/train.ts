import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { howItEnded, tellingLine } from '../../bridges/last-words.ts';
import type { TrainEvent, TrainRequest } from '../../contract/training.ts';
import { builtPart } from '../built.ts';
import { CliError, EXIT_BAD_INPUT, EXIT_INFEASIBLE, EXIT_INTERNAL, EXIT_INTERRUPTED } from '../failures.ts';
import type { Terminal } from '../terminal.ts';
import { CostsSaver } from './save-costs.ts';
import { TrainProgress } from './train-progress.ts';
import { report } from './train-report.ts';
import { type TrainFlags, trainRequest } from './train-request.ts';

/** What the built history beside this file offers (main/history/recording.ts). */
interface HistoryModule {
  startRecording(request: TrainRequest): {
    take(event: TrainEvent): void;
    end(outcome: 'over' | 'cancelled' | 'failed', failure?: string): string | null;
  };
}

/** What the trainer process sends (main/trainer/protocol.ts; main is above this layer). */
type FromTrainer =
  | { readonly type: 'ready' }
  // Nobody but Ctrl+C ends a run here, however long a kernel takes.
  | { readonly type: 'patience'; readonly id: number; readonly ms: number }
  | { readonly type: 'event'; readonly id: number; readonly event: TrainEvent }
  | { readonly type: 'error'; readonly id: number; readonly failure: { code: string; message: string } }
  | { readonly type: 'end'; readonly id: number };

const EXIT_OF_CODE: Readonly<Record<string, number>> = {
  BAD_INPUT: EXIT_BAD_INPUT,
  INFEASIBLE: EXIT_INFEASIBLE,
  OUT_OF_MEMORY: EXIT_INFEASIBLE,
  CANCELLED: EXIT_INTERRUPTED,
};

/**
 * `zigzag train MODEL|FILE`: a real run in a process of its own, so that a crash of the backend is an error
 * message here. Ctrl+C ends it at the next step, and once more at once.
 */
export async function trainCommand(model: string, flags: TrainFlags, terminal: Terminal): Promise<void> {
  const request = trainRequest(model, flags);
  const { startRecording } = (await import(builtPart('history.js').href)) as HistoryModule;
  // A run is written down by its network's name, not with its files.
  const { graph: _graph, plan: _plan, ...described } = request;
  const recording = startRecording(described);
  const saver = flags.saveCosts === undefined ? null : new CostsSaver(flags.saveCosts);
  const progress = new TrainProgress(terminal);
  const child = fork(fileURLToPath(builtPart('trainer.js')), {
    // Native libraries chat on standard error; only the last words of a crash matter.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let lastWords = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-2000);
  });
  let stops = 0;
  const stop = (): void => {
    // A kernel that never returns hears no message.
    if (++stops > 1) child.kill('SIGKILL');
    else if (child.connected) child.send({ type: 'cancel', id: 1 });
  };
  process.on('SIGINT', stop);
  try {
    await new Promise<void>((done, reject) => {
      child.on('error', (error) => reject(new CliError(error.message, EXIT_INTERNAL)));
      child.on('close', (code, signal) => {
        if (stops > 0) reject(new CliError('cancelled', EXIT_INTERRUPTED));
        const why = tellingLine(lastWords);
        const how = howItEnded(code, signal, (end) => (why === '' ? end : `${end}: ${why}`));
        reject(new CliError(`the trainer ended before the run did (${how})`, EXIT_INTERNAL));
      });
      child.on('message', (raw) => {
        const message = raw as FromTrainer;
        if (message.type === 'ready') child.send({ type: 'run', id: 1, request });
        else if (message.type === 'event') {
          try {
            recording.take(message.event);
            if (flags.json !== true) progress.show(message.event);
            saver?.add(message.event);
            report(message.event, flags.json === true, terminal);
          } catch (error) {
            reject(error);
          }
        } else if (message.type === 'end') done();
        else if (message.type === 'error') {
          const { code, message: sentence } = message.failure;
          reject(new CliError(sentence, EXIT_OF_CODE[code] ?? EXIT_INTERNAL));
        }
      });
    });
    tell(terminal, recording.end('over'));
  } catch (error) {
    const wasStopped = error instanceof CliError && error.exitCode === EXIT_INTERRUPTED;
    const why = error instanceof Error ? error.message : String(error);
    tell(terminal, wasStopped ? recording.end('cancelled') : recording.end('failed', why));
    throw error;
  } finally {
    process.removeListener('SIGINT', stop);
    child.removeAllListeners();
    child.kill();
  }
}

/** A run that is not kept is a run nevertheless. */
function tell(terminal: Terminal, problem: string | null): void {
  if (problem !== null) terminal.err(problem);
}
