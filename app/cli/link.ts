import { CUSTOM_DEVICE, deviceOf } from '../../engine/devices/devices.ts';
import { BadInputError } from '../../engine/errors.ts';
import type { DeviceSpeed } from '../../engine/limits/throughput.ts';
import type { Link } from '../../engine/offload/link.ts';
import type { OptionValues } from '../../engine/options/options.ts';
import { type LinkPart, usualLinkOf } from '../contract/link.ts';

/**
 * The link of an experiment: a device alone stands for its own link.
 * @throws BadInputError naming the option
 */
export function linkFields({ device, linkGBps, linkCopies }: OptionValues): LinkPart {
  if (device === undefined && linkGBps === undefined) {
    if (linkCopies !== undefined)
      throw new BadInputError('--no-overlap is an option of --link; give --link too');
    return {};
  }
  if (device === CUSTOM_DEVICE && linkGBps === undefined)
    throw new BadInputError('--device custom has no link of its own; give --link too');
  const own = device === CUSTOM_DEVICE ? (linkGBps ?? null) : usualLinkOf(device);
  if (own !== null) return { linkGBps: linkGBps ?? own };
  throw new BadInputError(
    `--device ${device}: ${deviceOf(device ?? '')?.title ?? 'it'} shares its memory with the host, so nothing can be offloaded; name another device`,
  );
}

/** For people: what times were predicted by. */
export function linkText(link: Link & DeviceSpeed): string {
  const rate = `${Number((link.bytesPerSecond / 1e9).toPrecision(3))} GB/s each way`;
  const copies = link.overlaps ? 'copies beside computing' : 'computing waits for copies';
  const computing =
    link.secondsPerOperation === 0
      ? 'computing as measured'
      : `computing at ${Number((link.flopsPerSecond / 1e12).toPrecision(3))} TFLOP/s and ` +
        `${Number((link.secondsPerOperation * 1e6).toPrecision(3))} us an operation (assumed)`;
  return `${rate}, ${copies}; ${computing}`;
}
