import { bytes } from './format.ts';

const BLOCKS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/**
 * Live bytes over the steps of one training step as lines of text. Every column shows the maximum of
 * its steps, so that no peak is lost; all charts of a comparison share one scale.
 *
 * @param top bytes at the upper edge
 */
export function textZigzag(live: readonly number[], top: number, width: number, height: number): string[] {
  const columns = new Array<number>(width).fill(0);
  live.forEach((value, step) => {
    const column = Math.min(width - 1, Math.floor((step / live.length) * width));
    columns[column] = Math.max(columns[column] ?? 0, value);
  });
  const lines: string[] = [];
  for (let row = height - 1; row >= 0; row--) {
    const cells = columns.map((value) => {
      const eighths = Math.round((value / top) * height * 8) - row * 8;
      return BLOCKS[Math.max(0, Math.min(8, eighths))] ?? ' ';
    });
    lines.push(cells.join('').trimEnd());
  }
  lines[0] = `${(lines[0] ?? '').padEnd(width)} ${bytes(top)}`;
  return lines;
}
