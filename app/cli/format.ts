export { formatBytes as bytes } from '../../engine/bytes.ts';
export { count, percent } from '../report/words.ts';

export function milliseconds(value: number): string {
  if (value < 10) return `${value.toFixed(1)} ms`;
  return value < 10000 ? `${value.toFixed(0)} ms` : `${(value / 1000).toFixed(1)} s`;
}
