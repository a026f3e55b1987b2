import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const STYLES = readFileSync(join(import.meta.dirname, '../../../renderer/shell/styles.css'), 'utf8');
const DARK = STYLES.indexOf(':root[data-mantine-color-scheme="dark"]');

/** Lightness L* of a colour (CIE 1976), 0 to 100: equal steps look equal in grey, in the dark too. */
function lightnessOf(name: string, styles: string): number {
  const [, hex = ''] = new RegExp(`--zz-hold-${name}: #([0-9a-f]{6});`).exec(styles) ?? [];
  const [red, green, blue] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 116 * Math.cbrt(0.2126 * red! + 0.7152 * green! + 0.0722 * blue!) - 16;
}

it.each([
  ['light', STYLES.slice(0, DARK)],
  ['dark', STYLES.slice(DARK)],
])('kept, recomputed and gradients differ in grey, in the %s theme', (_theme, styles) => {
  const [least, middle, most] = ['checkpoints', 'recomputed', 'gradients']
    .map((name) => lightnessOf(name, styles))
    .sort((a, b) => a - b);
  expect(middle! - least!).toBeGreaterThanOrEqual(6);
  expect(most! - middle!).toBeGreaterThanOrEqual(6);
});
