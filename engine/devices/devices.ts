import type { Precision } from '../training-memory/setup.ts';
import type { DeviceSpeed } from '../limits/throughput.ts';

/** A device on which a network may be trained, with what is assumed of it. */
export interface Device {
  readonly name: string;
  readonly title: string;
  readonly group: 'GeForce' | 'Data centre' | 'Apple' | 'Own';
  /** As sold, in GiB. */
  readonly memoryGiB: number;
  /** Memory of the driver, the framework's context and its libraries before the first tensor; an assumption. */
  readonly contextGiB: number;
  /** Float32 peak in TFLOP/s as the maker states it for dense matrix work outside tensor cores. */
  readonly peakTeraflops: number;
  /** The same for half precision with sums in float32: of tensor cores, dense, where there are any. */
  readonly halfTeraflops: number;
  /** False where bfloat16 is computed as float32 is: only float16 has the half rate. */
  readonly hasBf16: boolean;
  /** Sustained GB/s between the device and pinned host memory, each way; null where they are one memory. An assumption. */
  readonly hostGBps: number | null;
  /** One line on what is subtracted. */
  readonly note: string;
}

/** Share of the peak that convolutional training is taken to sustain; an assumption to be edited. */
export const SUSTAINED_SHARE = 0.4;
/** Fixed time of an operation in microseconds; an assumption to be edited. */
export const MICROSECONDS_PER_OPERATION = 20;

/** The context of a device of which nothing else is said: that of a CUDA program on a card of one's own. */
export const USUAL_CONTEXT_GIB = 0.75;

const CUDA = 'CUDA context, cuDNN and cuBLAS handles; more if the card also drives a screen';
const SERVER = 'CUDA context, cuDNN and cuBLAS handles';

const UNIFIED =
  'the system and its programs share this memory; by default the GPU may use about three quarters of it';

/** GB/s that PCI Express with 16 lanes sustains of the 15.8, 31.5 and 63 that generations 3, 4 and 5 state. */
const PCIE_3 = 12;
const PCIE_4 = 25;
const PCIE_5 = 50;

const device = (
  name: string,
  title: string,
  group: Device['group'],
  memoryGiB: number,
  contextGiB: number,
  peakTeraflops: number,
  halfTeraflops: number,
  hasBf16: boolean,
  hostGBps: number | null,
  note: string,
): Device => ({
  name,
  title,
  group,
  memoryGiB,
  contextGiB,
  peakTeraflops,
  halfTeraflops,
  hasBf16,
  hostGBps,
  note,
});

/**
 * Presets, the papers' own device first in its group. Peak rates are the makers' figures, dense, tensor cores with sums in
 * float32:
 *
 * - RTX 2080 Ti: Turing whitepaper, the reference card (the Founders Edition has 14.2 and 56.9).
 * - RTX 3080: GA102 whitepaper; the 12 GB card's follow from its cores and its boost clock of 1.71 GHz.
 * - RTX 4090, 5090: whitepapers of Ada and of RTX Blackwell.
 * - V100, A100, H100: whitepapers of Volta (SXM2), Ampere and Hopper (SXM5). H200: its data sheet, half of the sparse rate.
 * - Apple: M2 Max is half of the 27.2 that Apple states for the M2 Ultra. The rate of the M3 Max and of half precision is
 *   not published: its cores at 1.39 GHz, and float32's.
 */
export const DEVICES = [
  device('rtx-2080-ti', 'RTX 2080 Ti', 'GeForce', 11, USUAL_CONTEXT_GIB, 13.4, 53.8, false, PCIE_3, CUDA),
  device('rtx-3080-10', 'RTX 3080 10 GB', 'GeForce', 10, USUAL_CONTEXT_GIB, 29.8, 59.5, true, PCIE_4, CUDA),
  device('rtx-3080-12', 'RTX 3080 12 GB', 'GeForce', 12, USUAL_CONTEXT_GIB, 30.6, 61.3, true, PCIE_4, CUDA),
  device('rtx-4090', 'RTX 4090', 'GeForce', 24, USUAL_CONTEXT_GIB, 82.6, 165.2, true, PCIE_4, CUDA),
  device('rtx-5090', 'RTX 5090', 'GeForce', 32, USUAL_CONTEXT_GIB, 104.8, 209.5, true, PCIE_5, CUDA),
  device('v100-16', 'V100 16 GB', 'Data centre', 16, 0.5, 15.7, 125, false, PCIE_3, SERVER),
  device('v100-32', 'V100 32 GB', 'Data centre', 32, 0.5, 15.7, 125, false, PCIE_3, SERVER),
  device('a100-40', 'A100 40 GB', 'Data centre', 40, 0.5, 19.5, 312, true, PCIE_4, SERVER),
  device('a100-80', 'A100 80 GB', 'Data centre', 80, 0.5, 19.5, 312, true, PCIE_4, SERVER),
  device('h100', 'H100 80 GB', 'Data centre', 80, 0.5, 66.9, 989, true, PCIE_5, SERVER),
  device('h200', 'H200 141 GB', 'Data centre', 141, 0.5, 66.9, 989, true, PCIE_5, SERVER),
  device('apple-32', 'Apple M2 Max 32 GB', 'Apple', 32, 8, 13.6, 13.6, false, null, UNIFIED),
  device('apple-128', 'Apple M3 Max 128 GB', 'Apple', 128, 32, 14.2, 14.2, true, null, UNIFIED),
] as const satisfies readonly Device[];

/** The device of the papers' first figure. */
export const FIRST_DEVICE = 'rtx-2080-ti';
/** Name of a device whose figures are all the user's. */
export const CUSTOM_DEVICE = 'custom';

/** Every name that an experiment may carry. */
export const DEVICE_NAMES: readonly string[] = [...DEVICES.map(({ name }) => name), CUSTOM_DEVICE];

export function deviceOf(name: string): Device | undefined {
  return DEVICES.find((candidate) => candidate.name === name);
}

/** Default speed of a device in a precision; that of float32 where nothing else is known of the device. */
export function speedOf(
  device: Pick<Device, 'peakTeraflops'> & Partial<Device>,
  precision?: Precision,
): DeviceSpeed {
  return {
    flopsPerSecond: SUSTAINED_SHARE * peakTeraflopsOf(device, precision) * 1e12,
    secondsPerOperation: MICROSECONDS_PER_OPERATION / 1e6,
  };
}

/** The peak rate of the products of a network in a precision. */
export function peakTeraflopsOf(
  {
    peakTeraflops,
    halfTeraflops = peakTeraflops,
    hasBf16 = true,
  }: Pick<Device, 'peakTeraflops'> & Partial<Device>,
  precision: Precision = 'fp32',
): number {
  if (precision === 'fp32') return peakTeraflops;
  // TF32 came with bfloat16, at half its rate.
  if (precision === 'tf32') return hasBf16 ? Math.max(peakTeraflops, halfTeraflops / 2) : peakTeraflops;
  return precision === 'amp-fp16' || hasBf16 ? halfTeraflops : peakTeraflops;
}
