import { deviceOf, DEVICES, FIRST_DEVICE, speedOf } from '../../engine/devices/devices.ts';
import { BadInputError } from '../../engine/errors.ts';
import type { DeviceSpeed } from '../../engine/limits/throughput.ts';
import type { Link, LinkedDevice } from '../../engine/offload/link.ts';
import { parseName } from './options.ts';

/** Options that say what transfers to host memory would take. */
export interface LinkFlags {
  readonly device?: string;
  /** GB/s each way. */
  readonly link?: string;
  /** False by `--no-overlap`. */
  readonly overlap?: boolean;
}

/** Times that were measured stand in place of FLOPs as nanoseconds. */
const MEASURED = { flopsPerSecond: 1e9, secondsPerOperation: 0 };

/**
 * The device at the end of a link, or undefined where neither is named. The speed is that of the device named, else of
 * the papers' own, unless times were measured.
 *
 * @throws BadInputError naming the option
 */
export function linkOf({ device, link, overlap }: LinkFlags, isMeasured: boolean): LinkedDevice | undefined {
  if (device === undefined && link === undefined) {
    if (overlap === false) throw new BadInputError('--no-overlap says how a link copies; give --link too');
    return undefined;
  }
  const names = DEVICES.map(({ name }) => name);
  const at = deviceOf(device === undefined ? FIRST_DEVICE : parseName(device, '--device', names));
  const own = at?.linkGBps ?? null;
  if (at === undefined || own === null) {
    throw new BadInputError(
      `--device ${device}: ${at?.title ?? 'it'} is one memory with its host, so that nothing can be sent there; name another device`,
    );
  }
  return {
    speed: isMeasured ? MEASURED : speedOf(at),
    link: {
      bytesPerSecond: 1e9 * (link === undefined ? own : parseRate(link)),
      overlaps: overlap !== false,
    },
  };
}

function parseRate(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value) || value <= 0) {
    throw new BadInputError(`--link must be a number of GB/s above 0, such as 12, got "${text}"`);
  }
  return value;
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
