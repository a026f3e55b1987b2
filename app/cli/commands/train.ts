import { CancelledError } from '../../../engine/errors.ts';
import type { TrainEvent } from '../../contract/training.ts';
import { HistoryClient } from '../../../main/history/client.ts';
import { dataFolderNow } from '../../../main/history/folder.ts';
import { builtFiles } from '../../../main/host/info.ts';
import { childProcessSpawner } from '../../../main/trainer-client/child-process.ts';
import { LONGEST_TIMER_MS, TrainerClient } from '../../../main/trainer-client/client.ts';
import { ENDING_SIGNALS, type EndingSignal, InterruptedError } from '../failures.ts';
import type { Terminal } from '../terminal.ts';
import { CostsSaver } from './save-costs.ts';
import { TrainProgress } from './train-progress.ts';
import { report } from './train-report.ts';
import { type TrainFlags, trainRequest } from './train-request.ts';

/** Nobody but Ctrl+C ends a run here, however long a kernel takes. */
const PATIENT = { startMs: LONGEST_TIMER_MS, silenceMs: LONGEST_TIMER_MS };

/**
 * `zigzag train MODEL|FILE`: a real run in a process of its own, so that a crash of the backend is an error
 * message here. Ctrl+C and the other signals that end a program end it at the next step, and once more at once; no
 * process of it stays.
 */
export async function trainCommand(model: string, flags: TrainFlags, terminal: Terminal): Promise<void> {
  const request = await trainRequest(model, flags);
  const saver = flags.saveCosts === undefined ? null : new CostsSaver(flags.saveCosts);
  const progress = new TrainProgress(terminal);
  const files = builtFiles(import.meta.url);
  const history = new HistoryClient(childProcessSpawner(files.history), dataFolderNow());
  const trainer = new TrainerClient(childProcessSpawner(files.trainer), PATIENT);
  const controller = new AbortController();
  let interrupted: InterruptedError | null = null;
  const stop = (signal: EndingSignal): void => {
    interrupted ??= new InterruptedError(signal);
    // A kernel that never returns hears no message.
    if (controller.signal.aborted) void trainer.close();
    else controller.abort();
  };
  async function* told(): AsyncGenerator<TrainEvent, void, void> {
    for await (const event of trainer.train(request, controller.signal)) {
      if (flags.json !== true) progress.show(event);
      saver?.add(event);
      report(event, flags.json === true, terminal);
      yield event;
    }
  }
  // A run is written down by its network's name, not with its files.
  const { graph: _graph, plan: _plan, ...described } = request;
  for (const signal of ENDING_SIGNALS) process.on(signal, stop);
  try {
    for await (const _event of history.record(described, told(), 'command line'));
  } catch (error) {
    throw error instanceof CancelledError ? (interrupted ?? error) : error;
  } finally {
    await trainer.settled();
    await trainer.close();
    for (const signal of ENDING_SIGNALS) process.removeListener(signal, stop);
    await history.close();
    // A run that is not kept is a run nevertheless.
    if (history.problem !== null) terminal.err(history.problem);
  }
}
