/** Work of a training step on a device, for a prediction of its time. */
export interface StepWork {
  /** Operations of one step: forwards, recomputes and backwards. */
  readonly operations: number;
  /** FLOPs of one sample through forward, recompute and backward. */
  readonly flopsPerSample: number;
}

/** Assumed speed of a device. A user may replace both figures. */
export interface DeviceSpeed {
  /** Sustained FLOPs per second over a whole step. */
  readonly flopsPerSecond: number;
  /** Fixed time of every operation: starting its kernels, filling the device. */
  readonly secondsPerOperation: number;
}

/**
 * Predicted time of one training step: every operation costs a fixed time, every FLOP a rate. So small
 * batches leave the device idle, and from some batch on more samples bring no more speed. It knows nothing
 * of data loading, memory bandwidth or kernels that run at rates of their own.
 */
export function stepSeconds(work: StepWork, speed: DeviceSpeed, batch: number): number {
  return work.operations * speed.secondsPerOperation + (batch * work.flopsPerSample) / speed.flopsPerSecond;
}

export function samplesPerSecond(work: StepWork, speed: DeviceSpeed, batch: number): number {
  return batch / stepSeconds(work, speed, batch);
}

/**
 * The smallest batch at which the work is done at least as fast as `rate` samples per second; null where
 * no batch reaches it. Throughput grows with the batch, towards flopsPerSecond / flopsPerSample.
 */
export function batchReaching(work: StepWork, speed: DeviceSpeed, rate: number): number | null {
  if (!(rate > 0)) return 1;
  const perSample = 1 / rate - work.flopsPerSample / speed.flopsPerSecond;
  if (perSample <= 0) return null;
  return Math.max(1, Math.ceil((work.operations * speed.secondsPerOperation) / perSample - 1e-9));
}
