import type { TrainEvent } from '../../contract/training.ts';
import { bytes, milliseconds, percent } from '../format.ts';
import { plainName } from '../plain-text.ts';
import type { Terminal } from '../terminal.ts';

/** One line, or a few, for people; one JSON object a line for programs. */
export function report(event: TrainEvent, json: boolean, terminal: Terminal): void {
  if (json) {
    terminal.out(JSON.stringify(event));
    return;
  }
  switch (event.event) {
    case 'costs': {
      const total = (ms: readonly number[]): string => milliseconds(ms.reduce((sum, one) => sum + one, 0));
      terminal.out(
        `measured  ${total(event.firstForwardMs ?? event.forwardMs)} forward, ${total(event.forwardMs)} for one more, ` +
          `${total(event.backwardMs)} backward: medians over ${event.iterations} steps`,
      );
      return;
    }
    case 'start':
      terminal.out(
        `${plainName(event.model)}, batch ${event.batch}, input ${event.input}, strategy ${event.strategy}`,
      );
      terminal.out(`backend   ${event.backend} on ${event.device} (${event.backendReason})`);
      if (event.unusedGpu !== undefined) terminal.out(`gpu       ${event.unusedGpu}`);
      terminal.out(
        `predicted ${bytes(event.predictedPeakBytes)} live at the peak, ${bytes(event.stationaryBytes)} ` +
          `stationary, ${percent(event.predictedOverhead)} more time than regular` +
          byTimes(event.predictedOverheadMeasuredCosts) +
          (event.timeline.host === undefined ? '' : ', without the copies to host memory'),
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
        `overhead  ${percent(event.predicted)} predicted${byTimes(event.predictedMeasuredCosts)}, ` +
          `${percent(event.measured)} measured in ${event.pairs} ` +
          `pairs, the middle half from ${percent(low)} to ${percent(high)}`,
      );
      return;
    }
    case 'difference': {
      const [small, large] = event.batches;
      terminal.out(
        `a sample  ${bytes(event.perSampleBytes)}, from batch ${small} to batch ${large}; ` +
          `${bytes(event.predictedPerSampleBytes)} predicted${byDevice(event)}`,
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
      terminal.out(`largest   batch ${event.batch}${event.isMost ? ', the largest batch allowed' : ''}`);
      return;
    case 'paused':
    case 'progress':
    case 'steps':
      return;
  }
}

/** Overhead beside the one by FLOPs, where this device was measured. */
function byTimes(overhead: number | undefined): string {
  return overhead === undefined ? '' : ` by FLOPs, ${percent(overhead)} by this device's times`;
}

function byDevice({ batches, deviceBytes }: Extract<TrainEvent, { event: 'difference' }>): string {
  const [small, large] = deviceBytes;
  if (small === null || large === null) return '';
  return `, ${bytes((large - small) / (batches[1] - batches[0]))} by the device itself`;
}
