/** Of the graphs that a property draws, the share that is tried: 1, less where a suite runs once a mutant. */
const SHARE = Number(process.env['ZIGZAG_DRAWS'] ?? 1);

/** How many of `count` drawn cases are tried. */
export function draws(count: number): number {
  return Math.ceil(SHARE * count);
}
