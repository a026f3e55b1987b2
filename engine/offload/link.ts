import type { DeviceSpeed } from '../limits/throughput.ts';

/** The way between a device and the memory of its host. */
export interface Link {
  /** Sustained, in each of the two directions. */
  readonly bytesPerSecond: number;
  /** True when the device computes during a copy, as it does from pinned memory; else it waits for every copy. */
  readonly overlaps: boolean;
}

/** A device at the end of a link. All figures are assumptions that a user may replace. */
export interface LinkedDevice {
  readonly speed: DeviceSpeed;
  readonly link: Link;
}
