import { fork } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BACKENDS, type TrainEvent, type TrainRequest, trainRequestSchema } from '../../contract/training.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { builtPart } from '../built.ts';
import { CliError, EXIT_BAD_INPUT, EXIT_INFEASIBLE, EXIT_INTERNAL, EXIT_INTERRUPTED } from '../failures.ts';
import { bytes, milliseconds, percent } from '../format.ts';
import { loadPlan, type NetworkFlags } from '../load.ts';
import { parseBytes, parseRate, parseWhole } from '../options.ts';
import type { Terminal } from '../terminal.ts';

export interface TrainFlags extends NetworkFlags {
  readonly strategy: string;
  readonly iterations: string;
  readonly backend?: string;
  readonly budget?: string;
  readonly memoryCap?: string;
  readonly seed?: string;
  readonly checkpoints?: string;
  readonly plan?: string;
  readonly data?: string;
  readonly naive?: string;
  readonly pairs?: string;
  readonly largestBatch?: boolean;
  readonly json?: boolean;
}

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

export function trainRequest(model: string, flags: TrainFlags): TrainRequest {
  const { backend } = flags;
  if (backend !== undefined && !(BACKENDS as readonly string[]).includes(backend)) {
    throw new BadInputError(`--backend must be one of ${BACKENDS.join(', ')}, got "${backend}"`);
  }
  if (flags.largestBatch === true && flags.memoryCap === undefined) {
    throw new BadInputError('--largest-batch needs --memory-cap, the most that it may hold, such as 2GiB');
  }
  return trainRequestSchema.parse({
    model,
    batch: flags.batch === undefined ? 8 : parseWhole(flags.batch, '--batch', 1, 65536),
    strategy: flags.plan === undefined ? flags.strategy : 'plan',
    ...(flags.plan === undefined ? {} : { plan: JSON.stringify(loadPlan(flags.plan)) }),
    iterations: parseWhole(flags.iterations, '--iterations', 1, 100000),
    ...(flags.input === undefined ? {} : { input: parseWhole(flags.input, '--input', 1, 8192) }),
    ...(flags.dropout === undefined ? {} : { dropout: parseRate(flags.dropout, '--dropout') }),
    ...(flags.seed === undefined ? {} : { seed: parseWhole(flags.seed, '--seed', 0, 0xffffffff) }),
    ...(backend === undefined ? {} : { backend }),
    ...(flags.budget === undefined ? {} : { budgetBytes: parseBytes(flags.budget, '--budget') }),
    ...(flags.checkpoints === undefined
      ? {}
      : { checkpoints: flags.checkpoints.split(',').map((id) => id.trim()) }),
    // The trainer may have another working directory.
    ...(flags.data === undefined ? {} : { dataFolder: resolve(flags.data) }),
    ...naiveSwitches(flags.naive),
    ...(flags.largestBatch === true ? { largestBatch: true } : {}),
    ...(flags.pairs === undefined ? {} : { pairs: parseWhole(flags.pairs, '--pairs', 1, 1000) }),
    ...(flags.memoryCap === undefined ? {} : { memoryCapBytes: parseBytes(flags.memoryCap, '--memory-cap') }),
  });
}

function naiveSwitches(text: string | undefined): Pick<TrainRequest, 'naiveStatistics' | 'naiveDropout'> {
  if (text === undefined) return {};
  const mistakes = text.split(',').map((mistake) => mistake.trim());
  const unknown = mistakes.find((mistake) => mistake !== 'statistics' && mistake !== 'dropout');
  if (unknown !== undefined) {
    throw new BadInputError(`--naive takes statistics, dropout or both with a comma, got "${unknown}"`);
  }
  return {
    ...(mistakes.includes('statistics') ? { naiveStatistics: true } : {}),
    ...(mistakes.includes('dropout') ? { naiveDropout: true } : {}),
  };
}

/**
 * `zigzag train MODEL`: a real run in a process of its own, so that a crash of the backend is an error
 * message here. Ctrl+C ends it at the next step.
 */
export async function trainCommand(model: string, flags: TrainFlags, terminal: Terminal): Promise<void> {
  const request = trainRequest(model, flags);
  const { startRecording } = (await import(builtPart('history.js').href)) as HistoryModule;
  const recording = startRecording(request);
  const child = fork(fileURLToPath(builtPart('trainer.js')), {
    // Native libraries chat on standard error; only the last words of a crash matter.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let lastWords = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-2000);
  });
  const stop = (): void => void child.send({ type: 'cancel', id: 1 });
  process.once('SIGINT', stop);
  try {
    await new Promise<void>((done, reject) => {
      child.on('error', (error) => reject(new CliError(error.message, EXIT_INTERNAL)));
      child.on('exit', (code, signal) => {
        const how = signal === null ? `with code ${code}` : `by ${signal}`;
        const why = lastWords.trim().split('\n').at(-1) ?? '';
        reject(new CliError(`the trainer ended ${how} before the run did: ${why}`, EXIT_INTERNAL));
      });
      child.on('message', (raw) => {
        const message = raw as FromTrainer;
        if (message.type === 'ready') child.send({ type: 'run', id: 1, request });
        else if (message.type === 'event') {
          recording.take(message.event);
          report(message.event, flags.json === true, terminal);
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

function report(event: TrainEvent, json: boolean, terminal: Terminal): void {
  if (json) {
    terminal.out(JSON.stringify(event));
    return;
  }
  switch (event.event) {
    case 'start':
      terminal.out(`${event.model}, batch ${event.batch}, input ${event.input}, strategy ${event.strategy}`);
      terminal.out(`backend   ${event.backend} on ${event.device} (${event.backendReason})`);
      terminal.out(
        `predicted ${bytes(event.predictedPeakBytes)} live at the peak, ${bytes(event.stationaryBytes)} ` +
          `stationary, ${percent(event.predictedOverhead)} more time than regular`,
      );
      return;
    case 'iteration':
      terminal.out(
        `step ${String(event.iteration + 1).padStart(4)}  loss ${event.loss.toFixed(4)}  ` +
          `${milliseconds(event.ms)}  peak ${bytes(event.measuredPeakBytes)}` +
          (event.deviceBytes == null ? '' : `  device ${bytes(event.deviceBytes)}`) +
          (event.statisticsDrift === undefined ? '' : `  statistics ${percent(event.statisticsDrift)} off`),
      );
      return;
    case 'overhead': {
      if (event.pairs < event.planned) return;
      const [low, high] = event.quartiles;
      terminal.out(
        `overhead  ${percent(event.predicted)} predicted, ${percent(event.measured)} measured in ${event.pairs} ` +
          `pairs, the middle half from ${percent(low)} to ${percent(high)}`,
      );
      return;
    }
    case 'done': {
      const equal = event.measuredPeakBytes === event.predictedPeakBytes;
      terminal.out(
        `measured  ${bytes(event.measuredPeakBytes)} live at the peak: ` +
          (equal
            ? 'as predicted, to the byte'
            : `${event.measuredPeakBytes - event.predictedPeakBytes} B off the prediction`),
      );
      if (event.medianMs != null && event.quartilesMs != null) {
        const [low, high] = event.quartilesMs;
        terminal.out(
          `time      ${milliseconds(event.medianMs)} a step, the middle half from ${milliseconds(low)} to ${milliseconds(high)}`,
        );
      }
      return;
    }
    case 'probe':
      terminal.out(`batch ${String(event.batch).padStart(6)}  ${event.ran ? 'runs' : event.reason}`);
      return;
    case 'largest':
      terminal.out(`largest   batch ${event.batch}${event.isMost ? ', the most that may be asked for' : ''}`);
      return;
    case 'steps':
      return;
  }
}
