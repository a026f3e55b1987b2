import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const STYLES = readFileSync(join(import.meta.dirname, '../../../renderer/shell/styles.css'), 'utf8');
/** Every page is printed in it. */
const [LIGHT = ''] = STYLES.split(':root[data-mantine-color-scheme="dark"]');

/** Luma of a colour (Rec. 709) as a printer in grey shows it, 0 to 255. */
function greyOf(name: string): number {
  const [, hex = ''] = new RegExp(`--zz-hold-${name}: #([0-9a-f]{6});`).exec(LIGHT) ?? [];
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

it('kept, recomputed and gradients differ in grey', () => {
  const greys = ['checkpoints', 'recomputed', 'gradients'].map(greyOf);
  const [least, middle, most] = greys.sort((a, b) => a - b);
  expect(middle! - least!).toBeGreaterThanOrEqual(20);
  expect(most! - middle!).toBeGreaterThanOrEqual(20);
});
