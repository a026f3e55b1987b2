import { formatBytes as format } from '../../../engine/bytes.ts';
import { formatCount, THIN } from './numbers.ts';

/** `5.13 GiB`: binary units, three significant digits. */
export const formatBytes = (bytes: number): string => format(bytes, THIN);

/** All bytes, with thin spaces, for equality to the byte. */
export const formatExactBytes = (bytes: number): string => `${formatCount(bytes)}${THIN}B`;
