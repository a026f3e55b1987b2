import { deviceOf, FIRST_DEVICE, speedOf } from '../../engine/devices/devices.ts';
import type { LinkedDevice } from '../../engine/offload/link.ts';
import type { OptionValues } from '../../engine/options/options.ts';

/** TFLOP/s of a device that is none of the presets. */
export const CUSTOM_TERAFLOPS = 20;

export type LinkPart = Pick<OptionValues, 'device' | 'linkGBps' | 'linkCopies' | 'precision'>;

/** The experiment's device at the end of its link; undefined where it has none. */
export function linkedDeviceOf({
  device,
  linkGBps,
  linkCopies,
  precision,
}: LinkPart): LinkedDevice | undefined {
  if (linkGBps === undefined) return undefined;
  return {
    speed: speedOf(deviceOf(device ?? FIRST_DEVICE) ?? { peakTeraflops: CUSTOM_TERAFLOPS }, precision),
    link: { bytesPerSecond: linkGBps * 1e9, overlaps: linkCopies !== 'wait' },
  };
}

/** GB/s of the device's own link, where it is a preset that has one. */
export const usualLinkOf = (device: string = FIRST_DEVICE): number | null =>
  deviceOf(device)?.hostGBps ?? null;
