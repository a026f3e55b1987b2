import { hasLink } from '../../../engine/options/options.ts';
import type { Experiment } from '../../../app/contract/experiment.ts';
import type { LimitsRequestInput } from '../../../app/contract/limits.ts';
import { SUSTAINED_SHARE, speedOf as usualSpeedOf } from '../../../engine/devices/devices.ts';
import type { DeviceSpeed } from '../../../engine/limits/throughput.ts';
import type { ChosenDevice } from './device.ts';

/** Settings that this screen adds to the experiment: kept in the link under its own names. */
export interface LimitsSettings {
  /** Sustained rate in TFLOP/s; the device's usual share of its peak when absent. */
  readonly teraflops: number | undefined;
  /** Fixed microseconds of an operation. */
  readonly microseconds: number | undefined;
}

type View = Readonly<Record<string, string>>;

const numberIn = (text: string | undefined, least: number, most: number): number | undefined => {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  return value >= least && value <= most ? value : undefined;
};

export const MAX_TERAFLOPS = 10000;
export const MAX_MICROSECONDS = 100000;

export function readSettings(view: View): LimitsSettings {
  return {
    teraflops: numberIn(view['tflops'], 0.001, MAX_TERAFLOPS),
    microseconds: numberIn(view['us'], 0, MAX_MICROSECONDS),
  };
}

export function writeSettings({ teraflops, microseconds }: LimitsSettings): View {
  return {
    ...(teraflops === undefined ? {} : { tflops: String(teraflops) }),
    ...(microseconds === undefined ? {} : { us: String(microseconds) }),
  };
}

/** The usual rate of a device, in TFLOP/s with two digits. */
export const usualTeraflops = (device: ChosenDevice): number =>
  Number((device.peakTeraflops * SUSTAINED_SHARE).toPrecision(2));

export function speedOf(device: ChosenDevice, settings: LimitsSettings): DeviceSpeed {
  const { teraflops, microseconds } = settings;
  const usual = usualSpeedOf(device);
  return {
    flopsPerSecond: teraflops === undefined ? usual.flopsPerSecond : teraflops * 1e12,
    secondsPerOperation: microseconds === undefined ? usual.secondsPerOperation : microseconds * 1e-6,
  };
}

/** Memory left for a step and everything stationary after the context; null when nothing is left. */
export function memoryFor(device: ChosenDevice): number | null {
  const bytes = device.memoryBytes - device.contextBytes;
  return bytes > 0 ? bytes : null;
}

/** The lab is asked with the strategies of the experiment, regular first: the others are compared with it. */
export function limitsRequest(experiment: Experiment, memoryBytes: number): LimitsRequestInput {
  const { device, deviceGiB: _gib, contextGiB: _context, also: _also, ...rest } = experiment;
  // Without a link the device changes no plan.
  const network = hasLink(experiment) ? { ...rest, device } : rest;
  const strategies = [...new Set(['regular', ...experiment.strategies])];
  return { ...network, strategies, memoryBytes };
}
