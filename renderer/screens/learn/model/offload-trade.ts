import { deviceOf, FIRST_DEVICE, speedOf } from '../../../../engine/devices/devices.ts';

/** Bytes of an element, and the products and sums of a 3 × 3 filter for one channel of its input. */
const ELEMENT_BYTES = 4;
const FLOPS_A_CHANNEL = 2 * 3 * 3;

export interface OffloadTrade {
  readonly device: string;
  readonly hostGBps: number;
  /** FLOPs that the device does while one byte goes to host memory, or comes back. */
  readonly flopsPerByte: number;
  /** Input channels from which on a 3 × 3 convolution takes longer to do again than its result takes to come back. */
  readonly channels: number;
}

/** Work that a byte over a device's link costs; null where it has no link. */
export function offloadTrade(name: string = FIRST_DEVICE): OffloadTrade | null {
  const device = deviceOf(name);
  if (device === undefined || device.hostGBps === null) return null;
  const flopsPerByte = speedOf(device).flopsPerSecond / (device.hostGBps * 1e9);
  const channels = Math.ceil((flopsPerByte * ELEMENT_BYTES) / FLOPS_A_CHANNEL);
  return { device: device.title, hostGBps: device.hostGBps, flopsPerByte, channels };
}
