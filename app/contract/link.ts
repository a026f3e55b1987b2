import { z } from 'zod';
import { deviceOf, FIRST_DEVICE, speedOf } from '../../engine/devices/devices.ts';
import type { LinkedDevice } from '../../engine/offload/link.ts';

export const LEAST_LINK_GBPS = 0.001;
export const MOST_LINK_GBPS = 100_000;
/** TFLOP/s of a device that is none of the presets. */
export const CUSTOM_TERAFLOPS = 20;

/** The way to host memory: fields of an experiment. */
export const linkFields = {
  /** GB/s, each way; without it nothing is sent to host memory. */
  linkGBps: z.number().min(LEAST_LINK_GBPS).max(MOST_LINK_GBPS).optional(),
  /** Whether the device computes while something is copied, as it does when absent, or waits for every copy. */
  linkCopies: z.enum(['overlap', 'wait']).optional(),
};

export interface LinkPart {
  readonly device?: string | undefined;
  readonly linkGBps?: number | undefined;
  readonly linkCopies?: 'overlap' | 'wait' | undefined;
}

/** The experiment's device at the end of its link; undefined where it has none. */
export function linkedDeviceOf({ device, linkGBps, linkCopies }: LinkPart): LinkedDevice | undefined {
  if (linkGBps === undefined) return undefined;
  return {
    speed: speedOf(deviceOf(device ?? FIRST_DEVICE) ?? { peakTeraflops: CUSTOM_TERAFLOPS }),
    link: { bytesPerSecond: linkGBps * 1e9, overlaps: linkCopies !== 'wait' },
  };
}

/** GB/s of the device's own link, where it is a preset that has one. */
export const usualLinkOf = (device: string = FIRST_DEVICE): number | null =>
  deviceOf(device)?.linkGBps ?? null;
